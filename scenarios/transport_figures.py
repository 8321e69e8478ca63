"""Every figure and table of Pansuriya's report on swarm transportation that has numbers, beside what is published.

Runs of the three modes, and of 1 to 15 robots on one path: minutes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import isnan, nan
from pathlib import Path

from devs_robotics.experimental_frames.epuck2.markdown import paragraph, picture, table
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.experimental_frames.transport.figures import curve_of, encounter_law, items_of_robots, over_time
from devs_robotics.experimental_frames.transport.published import LOST, MODES, ROWS, meeting_cost
from devs_robotics.experimental_frames.transport.shortest import shortest_path
from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.path import between
from devs_robotics.scenarios.case import case_of
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
from devs_robotics.scenarios.setup.setup import set_up

SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15)
"""Numbers of robots on one path."""

COMMAND = "python -m devs_robotics.scenarios.transport_figures"

PAGE = "transport-results.md"


def outcome(*settings: str) -> CaseOutcome:
    """What comes of a run."""
    found = run(load("transport", settings), Means(stage="fast"))
    assert isinstance(found, CaseOutcome)
    return found


def points_of(path: Sequence[Point], spacing: float) -> list[list[float]]:
    """A path with points at a spacing (m), as settings have it."""
    points: list[Point] = [path[0]]
    for start, end in pairwise(path):
        points += [*between(start, end, spacing), end]
    return [list(point) for point in points]


def one_path() -> list[list[float]]:
    """The shortest path with room on either side, which all robots of the encounter law's runs have."""
    scenario = load("transport", ())
    wanted = scenario.transport  # type: ignore[attr-defined]
    model = case_of(scenario).experiment(set_up(scenario))
    assert isinstance(model, CaseExperiment)
    field = model.system.field
    path = shortest_path(field, wanted.source, wanted.destination, scenario.robot.radius + wanted.room)
    return points_of(path, wanted.step)


def law(sizes: Sequence[int], duration: float, seed: int) -> dict[int, float]:
    """Round trips (s) by the number of robots on one path."""
    path = one_path()
    trips = {}
    for robots in sizes:
        found = outcome(
            f"run.seed={seed}",
            f"transport.robots={robots}",
            "transport.mode=none",
            "transport.items=100000",
            f"transport.path={path}",
            f"run.duration={duration}",
        )
        trips[robots] = float(found.frames["transport"]["round_trip_s"])
    return trips


def page(runs: dict[str, list[CaseOutcome]], trips: dict[int, float], seeds: Sequence[int]) -> Iterator[str]:
    """The page, in Markdown."""
    yield "# Swarm transportation, beside what is published\n"
    some = f"seeds {seeds[0]} to {seeds[-1]}: mean ± standard deviation" if len(seeds) > 1 else f"seed {seeds[0]}"
    yield paragraph(f"Made by `{COMMAND}`; {some}. The published runs are one of each mode.")
    heads = ["", *(f"{mode}, {whose}" for mode in MODES for whose in ("ours", "published")), "log, full"]
    items = runs[MODES[0]][0].scenario.transport.items  # type: ignore[attr-defined]
    rows = []
    for row in ROWS:
        cells = [row.head(items)]
        for mode in MODES:
            cells += [row.ours([found.frames for found in runs[mode]], items), row.paper.get(mode, "") or "-"]
        rows.append([*cells, row.log or "-"])
    yield table(heads, rows, range(1, len(heads)))
    yield picture("Items that each robot has delivered", "images/transport-items.svg")
    yield picture("Robots with a path over time", "images/transport-paths.svg")
    yield picture("Items delivered over time", "images/transport-delivered.svg")
    yield picture("Exchanges over time", "images/transport-exchanges.svg")
    yield picture("Meetings over time", "images/transport-meetings.svg")
    yield picture("Mean length of a path over time", "images/transport-lengths.svg")
    yield "## The encounter law\n"
    yield paragraph(
        "Each of n robots on one path meets each other one twice a round trip: T = T1 + 2(n - 1)c. Published round "
        f"trips give c = {LOST[0]:g} s, the log {LOST[1]:g} s."
    )
    alone = trips.get(1, nan)
    costs = {n: meeting_cost(trip, alone, n) for n, trip in trips.items()}
    lines = [
        [str(n), f"{trip:.0f}", "-" if isnan(costs[n]) else f"{costs[n]:.1f}"] for n, trip in sorted(trips.items())
    ]
    yield table(["robots", "round trip (s)", "c (s)"], lines, range(3))
    yield picture("Round trips over the number of robots", "images/transport-law.svg")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make all; returns the exit status."""
    parser = CommandParser(prog=COMMAND, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where to put them")
    parser.add_argument("--seeds", metavar="N", type=int, default=1, help="runs of each mode, with seeds 1 to N (1)")
    parser.add_argument("--quick", action="store_true", help="few robots and a short time, to see that it works")
    given = sys.argv[1:] if arguments is None else arguments
    with protected("transport_figures"):
        return guarded("transport_figures", given, partial(_execute, parser.parse_args(given)))


def _execute(options: argparse.Namespace) -> int:
    prepare(options.out)
    show = Display()
    seeds = range(1, max(1, options.seeds) + 1)
    runs = measured(seeds, quick=options.quick, show=show)
    show(f"page: {write(options.out, runs, seeds, quick=options.quick)}")
    return RAN


def measured(seeds: Sequence[int], *, quick: bool, show: Callable[[str], None]) -> dict[str, list[CaseOutcome]]:
    """Runs of the three modes, one per seed."""
    less = ("run.duration=150", "transport.robots=3", "transport.ban=60") if quick else ()
    runs: dict[str, list[CaseOutcome]] = {mode: [] for mode in MODES}
    for seed in seeds:
        for mode in MODES:
            found = outcome(f"run.seed={seed}", f"transport.mode={mode}", *less)
            runs[mode].append(found)
            show(f"seed {seed}, {mode}: {found.reason} at {found.end_s / 60.0:.1f} min, {found.cpu_s:.0f} s CPU")
    return runs


def write(out: Path, runs: dict[str, list[CaseOutcome]], seeds: Sequence[int], *, quick: bool) -> Path:
    """Write page and figures, with the encounter law, which is measured for it; returns the path of the page.

    Raises:
        OutputError: they cannot be written
    """
    prepare(out / "images")
    trips = law((1, 2) if quick else SIZES, 400.0 if quick else 3600.0, seeds[0])
    first = {mode: found[0] for mode, found in runs.items()}
    texts: dict[str, Callable[[], str]] = {
        "images/transport-items.svg": lambda: items_of_robots({m: _items(found) for m, found in first.items()}),
        "images/transport-law.svg": lambda: encounter_law(trips),
        PAGE: lambda: "\n".join(page(runs, trips, seeds)),
    }
    for name, column, what in (
        ("paths", "with_path", "robots with a path"),
        ("delivered", "delivered", "items delivered"),
        ("exchanges", "exchanges", "exchanges"),
        ("meetings", "meetings", "meetings"),
        ("lengths", "path_length", "length of a path (m)"),
    ):
        curves = {mode: curve_of(found.tables["transport"], column, found.end_s) for mode, found in first.items()}
        texts[f"images/transport-{name}.svg"] = partial(over_time, curves, what)
    paths = write_texts(out, texts)
    return next(path for path in paths if path.name == PAGE)


def _items(found: CaseOutcome) -> list[int]:
    robots = list(found.tables["delivery_log"]["robot"]) if "delivery_log" in found.tables else []
    count = found.scenario.transport.robots  # type: ignore[attr-defined]
    return [robots.count(number) for number in range(1, count + 1)]


if __name__ == "__main__":
    sys.exit(main())
