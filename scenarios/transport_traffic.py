"""What each kind of traffic management is worth in swarm transportation, held fairly against the three modes.

It is a number of sweeps, each in a folder of its own, and a page about them. Stopped at any moment, the same command
goes on; with more seeds it makes those that are missing. All takes hours: see docs/transport.md.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import prod
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics.experimental_frames.transport.comparison import FEW
from devs_robotics.experimental_frames.transport.published import MODES
from devs_robotics.scenarios.commands import sweep
from devs_robotics.scenarios.commands.arguments import positive
from devs_robotics.scenarios.commands.cli import guarded
from devs_robotics.scenarios.commands.display import Display
from devs_robotics.scenarios.commands.exit_status import FAILED, INTERRUPTED, RAN
from devs_robotics.scenarios.commands.parser import CommandParser
from devs_robotics.scenarios.commands.standard_streams import protected
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.running.results import prepare, write_texts
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.transport import TRAFFIC, TransportTable
from devs_robotics.scenarios.transport_traffic_page import TrafficRun, read_runs, runs_of, table_of_runs, traffic_page

COMMAND = "python -m devs_robotics.scenarios.transport_traffic"
PAGE, RUNS = "transport-traffic.md", "transport-traffic.csv"
ARENAS = ("transport", "transport_gaps", "transport_pillars")

BEST = ("keep_right", "claims", "ends", "digests")
"""The policy that is held against the modes, chosen by few runs with seeds 1 to 3, which the comparison has not."""

TUNED, FIRST = 1, 101
"""First seeds of tuning, and of the comparison."""

SEEDS = 30
PARTS = ("tuning", "arenas", "robots", "loss")


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

    @property
    def wanted(self) -> TransportTable:
        """What its scenario says, with the settings that hold for all."""
        table: TransportTable = load(self.scenario, self.settings).transport  # type: ignore[attr-defined]
        return table

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of robots that its runs have."""
        return tuple(map(int, self.vary.get("transport.robots", (str(self.wanted.robots),))))

    def without(self, kept: Iterable[TrafficRun]) -> TrafficSweep | None:
        """What is left of it to be run, None: nothing is.

        That is every point with a value of which not all seeds are kept, from the first seed on that is not kept of
        each of them.
        """
        own = [run for run in kept if run.sweep == self.name and 0 <= run.seed - self.first < self.seeds]
        points = prod(map(len, self.vary.values()))
        done = {
            key: {
                value
                for value in values
                if sum(_has(run, key, value) for run in own) >= self.seeds * points // len(values)
            }
            for key, values in self.vary.items()
        }
        vary = {key: [each for each in values if each not in done[key]] for key, values in self.vary.items()}
        if not all(vary.values()):
            return None
        left = [run for run in own if not any(_has(run, key, value) for key in done for value in done[key])]
        found, points = Counter(run.seed for run in left), prod(map(len, vary.values()))
        first = next(seed for seed in range(self.first, self.first + self.seeds) if found[seed] < points)
        return replace(self, vary=vary, first=first, seeds=self.first + self.seeds - first)


def _has(run: TrafficRun, key: str, value: str) -> bool:
    """Whether a setting of a run has a value."""
    found = getattr(run, key.rpartition(".")[2])
    return value == (found if isinstance(found, str) else f"{found:g}")


def refuse_others(kept: Sequence[TrafficRun], planned: Iterable[TrafficSweep]) -> None:
    """Runs of an earlier measurement that is not this one, such as of ``--quick``, do not count as runs of this one.

    Raises:
        OptionError: one has another number of robots than its sweep
    """
    known = {run.sweep for run in kept}
    sizes = {each.name: each.sizes for each in planned if each.name in known}
    for run in kept:
        wanted = sizes.get(run.sweep, (run.robots,))
        if run.robots not in wanted:
            raise OptionError(
                f"--kept: a run of {run.sweep} has {run.robots} robots there, and {wanted[0]} are wanted: a "
                "measurement with --quick and one without do not go on with each other's runs"
            )


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


def page(runs: Iterable[TrafficRun], *, quick: bool = False) -> str:
    """The page, in Markdown, of what there is so far."""
    made_by = (
        f"Made by `{COMMAND}`. `{joined(BEST)}` was chosen by few runs with seeds 1 to 3; tuning has seeds {TUNED} to "
        f"{TUNED + 19}, and the comparison seeds from {FIRST} on."
    )
    if quick:
        made_by += " **This is a quick try with three robots and two items: nothing follows from it.**"
    return "\n".join(traffic_page(runs, ARENAS, joined(BEST), made_by))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, or go on with it; returns the exit status."""
    parser = CommandParser(prog=COMMAND, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where to put runs and page")
    parser.add_argument("--seeds", metavar="N", type=positive, default=SEEDS, help=f"of the arenas ({SEEDS})")
    parser.add_argument("--jobs", metavar="N", type=positive, help="runs at once (default: one per processor)")
    parser.add_argument("--part", choices=PARTS, action="append", help="only that; may be given again (default: all)")
    parser.add_argument("--kept", metavar="FILE", type=Path, help=f"{RUNS} of earlier, to go on with: its runs count")
    parser.add_argument("--quick", action="store_true", help="few robots and a short time, to see that it works")
    given = sys.argv[1:] if arguments is None else arguments
    with protected("transport_traffic"):
        return guarded("transport_traffic", given, partial(_execute, parser.parse_args(given)))


def _execute(options: argparse.Namespace) -> int:
    kept = read_runs(options.kept) if options.kept else []
    seeds = min(options.seeds, 2) if options.quick else options.seeds
    planned = sweeps(seeds, options.part or PARTS, quick=options.quick)
    refuse_others(kept, sweeps(seeds, PARTS, quick=options.quick))
    prepare(options.out)
    show = Display()
    made = [left for each in planned if (left := each.without(kept)) is not None]
    parser = CommandParser(prog="devs-robotics sweep")
    sweep.add_arguments(parser)
    worst = RAN
    for number, each in enumerate(made, 1):
        show(f"sweep {number} of {len(made)}: {each.name}")
        status = sweep.execute(parser.parse_args(each.arguments(options.out, options.jobs)), show)
        if status == INTERRUPTED:
            worst = INTERRUPTED
            break
        worst = max(worst, status) if status in (RAN, FAILED) else status
    new = (run for each in made for run in runs_of(options.out / each.name, each.wanted))
    runs = list({run.what: run for run in (*kept, *new)}.values())
    texts = {PAGE: lambda: page(runs, quick=options.quick), RUNS: lambda: table_of_runs(runs)}
    path, _ = write_texts(options.out, texts)
    show(f"page: {path}")
    return worst


if __name__ == "__main__":
    sys.exit(main())
