"""Every table of the paper on DOTS that has numbers which a model can give, beside what is published.

Runs of five robots with measured sensing, and the same seeds with sensing as in the published simulator: some 10 s of
processor time each, and 40 s with the simulator's sensing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from devs_robotics.experimental_frames.epuck2.markdown import paragraph
from devs_robotics.experimental_frames.logistics.figures import times_figure
from devs_robotics.experimental_frames.logistics.page import (
    gap_table,
    others,
    range_table,
    robots_table,
    times_table,
)
from devs_robotics.experimental_frames.logistics.published import bottleneck
from devs_robotics.models.logistics.layout import CarrierShape, Zones
from devs_robotics.models.logistics.starts import carriers_at_first, robots_at_first
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.commands.cli import guarded
from devs_robotics.scenarios.commands.display import Display
from devs_robotics.scenarios.commands.exit_status import RAN
from devs_robotics.scenarios.commands.parser import CommandParser
from devs_robotics.scenarios.commands.standard_streams import protected
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.results import prepare, write_texts
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load

SHORT = 10.0
"""Of a run that is to be quick (s)."""

COMMAND = "python -m devs_robotics.scenarios.logistics_figures"

PAGE = "logistics-results.md"

SIMULATOR = ("logistics.ranging=simulator", "logistics.vision=simulator")
"""Sensing as in the published simulator."""


def outcome(*settings: str) -> CaseOutcome:
    """What comes of a run."""
    found = run(load("logistics", settings), Means(stage="fast"))
    assert isinstance(found, CaseOutcome)
    return found


def bound(seed: int) -> float:
    """The least time of a layout of five robots and five carriers (s)."""
    zones, shape = Zones(), CarrierShape()
    poses = [pose[:2] for pose in robots_at_first(seed, 5, zones)]
    places = [pose[:2] for pose in carriers_at_first(seed, 5, zones, shape)]
    return bottleneck(poses, places, zones.drop + zones.side / 2.0)


def page(
    measured: Sequence[CaseOutcome], simulator: Sequence[CaseOutcome], seeds: Sequence[int], *, quick: bool = False
) -> Iterator[str]:
    """The page, in Markdown."""
    yield "# Intralogistics, beside what is published\n"
    yield paragraph(f"Made by `{COMMAND}`; seeds {seeds[0]} to {seeds[-1]}. Published: arXiv 2203.13809.")
    if quick:
        yield paragraph(f"**Made with `--quick`: each run was ended at {SHORT:g} s, our times are none to compare.**")
    numbers = [numbers_of(found) for found in measured]
    yield "## Times (Table V)\n"
    yield from times_table(numbers, [bound(seed) for seed in seeds], 5)
    yield "## Robots and dockings\n"
    yield from robots_table(numbers, [_brought(found) for found in measured])
    yield "## The gap between simulated and measured sensing\n"
    yield from gap_table(
        [each["seconds"] for each in numbers[: len(simulator)]], [numbers_of(found)["seconds"] for found in simulator]
    )
    yield "## Errors of ranges\n"
    yield from range_table()
    yield from others()


def main(arguments: Sequence[str] | None = None) -> int:
    """Make all; returns the exit status."""
    parser = CommandParser(prog=COMMAND, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where to put them")
    parser.add_argument("--seeds", metavar="N", type=int, default=20, help="runs, with seeds 1 to N (20)")
    parser.add_argument("--gap", metavar="N", type=int, help="pairs for the gap (as many as seeds)")
    parser.add_argument("--quick", action="store_true", help="short runs, to see that it works")
    given = sys.argv[1:] if arguments is None else arguments
    with protected("logistics_figures"):
        return guarded("logistics_figures", given, partial(_execute, parser.parse_args(given)))


def _execute(options: argparse.Namespace) -> int:
    prepare(options.out)
    seeds = range(1, max(1, options.seeds) + 1)
    pairs = len(seeds) if options.gap is None else min(len(seeds), max(0, options.gap))
    show = Display()
    runs = made(seeds, seeds[:pairs], quick=options.quick, show=show)
    show(f"page: {write(options.out, runs, seeds, quick=options.quick)}")
    return RAN


def made(
    seeds: Sequence[int], pairs: Sequence[int], *, quick: bool, show: Callable[[str], None]
) -> dict[str, list[CaseOutcome]]:
    """The runs with measured sensing, and, of the seeds that are in pairs, those with that of the simulator."""
    less = (f"run.duration={SHORT:g}",) if quick else ()
    runs: dict[str, list[CaseOutcome]] = {"measured": [], "simulator": []}
    for seed in seeds:
        for what, settings in (("measured", ()), ("simulator", SIMULATOR)):
            if what == "measured" or seed in pairs:
                found = outcome(f"run.seed={seed}", *settings, *less)
                runs[what].append(found)
                show(f"seed {seed}, {what}: {found.reason} at {found.end_s:.0f} s, {found.cpu_s:.1f} s CPU")
    return runs


def write(out: Path, runs: Mapping[str, Sequence[CaseOutcome]], seeds: Sequence[int], *, quick: bool) -> Path:
    """Write the page and its figure into a folder that is there; returns the page's path."""
    prepare(out / "images")
    times = [numbers_of(found)["seconds"] for found in runs["measured"]]
    texts: dict[str, Callable[[], str]] = {
        "images/logistics-times.svg": lambda: times_figure(times),
        PAGE: lambda: "\n".join(page(runs["measured"], runs["simulator"], seeds, quick=quick)),
    }
    return next(path for path in write_texts(out, texts) if path.name == PAGE)


def numbers_of(found: CaseOutcome) -> dict[str, float]:
    """What the frame has measured."""
    return {name: float(value) for name, value in found.frames["logistics"].items()}


def _brought(found: CaseOutcome) -> list[int]:
    robots = [int(each) for each in found.tables["logistics"]["robot"]] if "logistics" in found.tables else []
    return [robots.count(number) for number in range(1, 6)]


if __name__ == "__main__":
    sys.exit(main())
