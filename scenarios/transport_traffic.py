"""What each kind of traffic management is worth in swarm transportation, held fairly against the three modes.

It is a number of sweeps, each in a folder of its own, and a page about them. Stopped at any moment, the same command
goes on; with more seeds it makes those that are missing. All takes hours: see docs/transport.md.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from devs_robotics.experimental_frames.epuck2.markdown import paragraph, table
from devs_robotics.experimental_frames.transport.comparison import (
    FEW,
    Minutes,
    PolicyRuns,
    against_modes,
    against_policy,
    difference_text,
    mean_text,
    mode_cells,
    verdict,
)
from devs_robotics.experimental_frames.transport.published import MODES
from devs_robotics.scenarios.commands import sweep
from devs_robotics.scenarios.commands.arguments import positive
from devs_robotics.scenarios.commands.cli import guarded
from devs_robotics.scenarios.commands.display import Display
from devs_robotics.scenarios.commands.exit_status import FAILED, INTERRUPTED, RAN
from devs_robotics.scenarios.commands.standard_streams import protected
from devs_robotics.scenarios.running.results import prepare, write_texts
from devs_robotics.scenarios.transport import TRAFFIC

COMMAND = "python -m devs_robotics.scenarios.transport_traffic"
PAGE = "transport-traffic.md"
ARENAS = ("transport", "transport_gaps", "transport_pillars")

BEST = ("keep_right", "claims", "ends", "digests")
"""The policy that is held against the modes, chosen by few runs with seeds 1 to 3, which the comparison has not."""

TUNED, FIRST = 1, 101
"""First seeds of tuning, and of the comparison."""

MINUTES = "frames.transport.minutes"
SEEDS = 30
PARTS = ("tuning", "arenas", "robots", "loss")

Level = TypeVar("Level", int, float)


class TrafficSweep(Struct, frozen=True):
    """A sweep of the measurement.

    Attributes:
        part: to which it belongs
        name: of its folder
        scenario: that is run
        vary: keys, and their values as texts
        first, seeds: its seeds
        settings: that hold for all
    """

    part: str
    name: str
    scenario: str
    vary: Mapping[str, Sequence[str]]
    first: int
    seeds: int
    settings: tuple[str, ...] = ()

    def arguments(self, out: Path, jobs: int | None) -> list[str]:
        """Of ``devs-robotics sweep``."""
        words = [self.scenario, "--out", str(out / self.name), "--seed", str(self.first)]
        words += ["--replicates", str(self.seeds), *(["--jobs", str(jobs)] if jobs else [])]
        for key, values in self.vary.items():
            words += ["--vary", f"{key}={','.join(values)}"]
        for setting in self.settings:
            words += ["--set", setting]
        return words


def joined(options: Sequence[str]) -> str:
    """The name of a policy."""
    return "+".join(options) or "none"


def alone_and_left_out() -> list[str]:
    """The best policy, each option alone, and the best policy without each of its options, or with each further one."""
    changed = [[each for each in TRAFFIC if (each in BEST) != (each == option)] for option in TRAFFIC]
    return list(dict.fromkeys([joined(BEST), *TRAFFIC, *map(joined, changed)]))


def _policies() -> Iterator[tuple[str, Mapping[str, Sequence[str]]]]:
    """What is compared: the modes, and the policy; each with the name of its sweep."""
    yield "modes", {"transport.mode": MODES}
    yield "best", {"transport.traffic": (joined(BEST),)}


def sweeps(seeds: int, parts: Sequence[str], *, quick: bool) -> Iterator[TrafficSweep]:
    """All that is run, what matters most first."""
    less = ("transport.robots=3", "transport.items=2", "transport.ban=60", "run.duration=100") if quick else ()
    some = min(seeds, FEW)
    if "arenas" in parts:
        for arena in ARENAS:
            for name, vary in _policies():
                yield TrafficSweep("arenas", f"{arena}-{name}", arena, vary, FIRST, seeds, less)
        for arena in ARENAS:
            others = {"transport.traffic": alone_and_left_out()[1:]}
            yield TrafficSweep("arenas", f"{arena}-options", arena, others, FIRST, seeds, less)
    if "loss" in parts:
        for name, vary in _policies():
            losses = {"transport.loss": ("0.1", "0.3"), **vary}
            yield TrafficSweep("loss", f"loss-{name}", ARENAS[0], losses, FIRST, some, less)
    if "robots" in parts:
        room = ("transport.starts_within=8", *less[1:])
        for size in ("2", "3") if quick else ("5", "15", "30", "60"):
            for name, vary in _policies():
                sizes = {"transport.robots": (size,), **vary}
                yield TrafficSweep("robots", f"robots-{size}-{name}", ARENAS[0], sizes, FIRST, some, room)
    if "tuning" in parts:
        policies = {"transport.traffic": alone_and_left_out()}
        yield TrafficSweep("tuning", "tuning", ARENAS[0], policies, TUNED, min(seeds, 20), less)


def minutes_of(folder: Path, keys: Sequence[str]) -> dict[tuple[str, ...], dict[int, float]]:
    """Minutes of the runs of a sweep that are done, by the values of keys and by seed."""
    found: dict[tuple[str, ...], dict[int, float]] = {}
    path = folder / "runs.csv"
    if not path.exists():
        return found
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            if row.get(MINUTES):
                found.setdefault(tuple(row[key] for key in keys), {})[int(row["seed"])] = float(row[MINUTES])
    return found


def page(out: Path, made: Sequence[TrafficSweep], *, quick: bool) -> Iterator[str]:
    """The page, in Markdown, of what there is so far."""
    yield "# Traffic management in swarm transportation\n"
    yield paragraph(
        f"Made by `{COMMAND}`. Minutes until 100 items are delivered: mean ± half of the 95 % interval, and in "
        "brackets how many seeds stand behind it. A run that does not come so far counts as its longest time. "
        "Differences are of runs with the same seed: the same arena, the same starts, and the same draws of those that "
        "explore. "
        f"`{joined(BEST)}` was chosen by few runs with seeds 1 to 3; tuning has seeds {TUNED} to {TUNED + 19}, and the "
        f"comparison seeds from {FIRST} on."
    )
    if quick:
        yield paragraph("**This is a quick try with three robots and two items: nothing follows from it.**")
    folders = {each.name: each for each in made}
    for arena in ARENAS:
        if f"{arena}-modes" in folders:
            yield from _arena(out, arena)
    losses = _levels(out, folders, "transport.loss", "loss-", float)
    if losses:
        yield from _over("Loss of messages", "loss", losses)
    sizes = _levels(out, folders, "transport.robots", "robots-", int)
    if sizes:
        yield from _over("Numbers of robots", "robots", sizes)
    if "tuning" in folders:
        tried = minutes_of(out / "tuning", ["transport.traffic"])
        yield "## Tuning: what the policy may be chosen by\n"
        yield table(["policy", "minutes"], [[name, mean_text(found)] for (name,), found in tried.items()], [1])


def _arena(out: Path, arena: str) -> Iterator[str]:
    modes = _modes(minutes_of(out / f"{arena}-modes", ["transport.mode"]))
    key = ["transport.traffic"]
    runs = minutes_of(out / f"{arena}-best", key) | minutes_of(out / f"{arena}-options", key)
    yield f"## The arena of `{arena}`\n"
    yield table(["mode", "minutes"], [[mode, mean_text(modes.get(mode, {}))] for mode in MODES], [1])
    policies = [PolicyRuns(name, found) for (name,), found in runs.items()]
    if len(modes) < len(MODES) or not policies:
        yield paragraph("The other runs are not done yet.")
        return
    best = next((each for each in policies if each.name == joined(BEST)), policies[0])
    against = [against_modes(policy, modes) for policy in policies]
    rows = [
        [
            found.name,
            mean_text(policy.minutes),
            difference_text(found.best),
            *mode_cells(found),
            "" if policy is best else difference_text(against_policy(policy, best)),
        ]
        for policy, found in zip(policies, against, strict=True)
    ]
    heads = ["policy", "minutes", "to the best mode of each seed", *(f"to {mode}" for mode in MODES), "to the policy"]
    yield table(heads, rows, range(1, len(heads)))
    yield paragraph(verdict(against))


def _over(title: str, what: str, levels: Mapping[str, tuple[dict[str, Minutes], Minutes]]) -> Iterator[str]:
    """A table of modes and of the policy over the levels of something."""
    yield f"## {title}\n"
    rows, against = [], []
    for level, (modes, best) in levels.items():
        found = against_modes(PolicyRuns(f"{what} {level}", best), modes) if len(modes) == len(MODES) else None
        against += [found] if found else []
        cells = [mean_text(modes.get(mode, {})) for mode in MODES]
        rows.append([level, *cells, mean_text(best), difference_text(found.best if found else None)])
    heads = [what, *MODES, joined(BEST), "to the best mode of each seed"]
    yield table(heads, rows, range(1, len(heads)))
    yield paragraph(verdict(against))


def _levels(
    out: Path, folders: Mapping[str, TrafficSweep], key: str, prefix: str, kind: Callable[[str], Level]
) -> dict[str, tuple[dict[str, Minutes], Minutes]]:
    """By the values of a key: minutes of the modes, and of the policy."""
    found: dict[str, tuple[dict[str, Minutes], Minutes]] = {}
    names = [name for name in folders if name.startswith(prefix)]
    for name in names:
        is_modes = name.endswith("-modes")
        for (level, what), minutes in minutes_of(
            out / name, [key, "transport.mode" if is_modes else "transport.traffic"]
        ).items():
            modes, best = found.get(level, ({}, {}))
            found[level] = (modes | {what: minutes}, best) if is_modes else (modes, minutes)
    return dict(sorted(found.items(), key=lambda each: kind(each[0])))


def _modes(found: Mapping[tuple[str, ...], Minutes]) -> dict[str, Minutes]:
    return {mode: minutes for (mode,), minutes in found.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, or go on with it; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where to put runs and page")
    parser.add_argument("--seeds", metavar="N", type=positive, default=SEEDS, help=f"of the arenas ({SEEDS})")
    parser.add_argument("--jobs", metavar="N", type=positive, help="runs at once (default: one per processor)")
    parser.add_argument("--part", choices=PARTS, action="append", help="only that; may be given again (default: all)")
    parser.add_argument("--quick", action="store_true", help="few robots and a short time, to see that it works")
    given = sys.argv[1:] if arguments is None else arguments
    with protected("transport_traffic"):
        return guarded("transport_traffic", given, partial(_execute, parser.parse_args(given)))


def _execute(options: argparse.Namespace) -> int:
    prepare(options.out)
    show = Display()
    seeds = min(options.seeds, 2) if options.quick else options.seeds
    made = list(sweeps(seeds, options.part or PARTS, quick=options.quick))
    parser = argparse.ArgumentParser(prog="devs-robotics sweep")
    sweep.add_arguments(parser)
    worst = RAN
    for number, each in enumerate(made, 1):
        show(f"sweep {number} of {len(made)}: {each.name}")
        status = sweep.execute(parser.parse_args(each.arguments(options.out, options.jobs)), show)
        if status == INTERRUPTED:
            worst = INTERRUPTED
            break
        worst = max(worst, status) if status in (RAN, FAILED) else status
    (path,) = write_texts(options.out, {PAGE: lambda: "\n".join(page(options.out, made, quick=options.quick))})
    show(f"page: {path}")
    return worst


if __name__ == "__main__":
    sys.exit(main())
