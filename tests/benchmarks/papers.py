"""What ``make papers`` costs, without waiting for all of it: ``python -m tests.benchmarks.papers`` (some ten minutes).

Each part is measured by a few of its runs in full length, in this process, by processor time. What the part takes as a
whole is the mean of these times the number of its runs. It prints the table of docs/papers.md.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from devs_robotics.experimental_frames.epuck2.costs.measuring import FULL as WHOLE_COSTS
from devs_robotics.experimental_frames.epuck2.costs.measuring import Effort
from devs_robotics.experimental_frames.epuck2.published import SIZES as EPUCK2_SIZES
from devs_robotics.experimental_frames.transport.published import MODES
from devs_robotics.scenarios import (
    epuck2_figures,
    logistics_figures,
    logistics_paper,
    transport_figures,
    transport_paper,
)
from devs_robotics.scenarios.convoy import paper_figures
from devs_robotics.scenarios.paper_experiments import Experimenting
from devs_robotics.scenarios.pera import experiments
from devs_robotics.scenarios.pera.walks import FULL, walk

LAW = 600.0
"""Of a run of the encounter law that is measured (s); in whole it takes an hour of the model's time."""

WHOLE_LAW = 3600.0


class PartCost(Struct, frozen=True):
    """What a part of a paper takes.

    Attributes:
        paper: the name of its case
        what: is made
        spent: processor time of each run that was measured (s)
        whole: runs of the part in whole
        waits: time on the wall of the part in whole, where it waits for clocks (s)
    """

    paper: str
    what: str
    spent: tuple[float, ...]
    whole: float
    waits: float | None = None

    def row(self) -> str:
        """A row of the table."""
        mean = statistics.fmean(self.spent)
        wall = "" if self.waits is None else f", in {self.waits / 60.0:.1f} min on the wall"
        return (
            f"| `{self.paper}` | {self.what} | {mean:.2g} s ({len(self.spent)} measured) | {self.whole:g} | "
            f"{mean * self.whole / 60.0:.1f} min{wall} |"
        )


def spent(task: Callable[[], object]) -> float:
    """Processor time of a task, and of processes that it has started and waited for (s)."""
    before = _used()
    task()
    return _used() - before


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime


def convoy(seeds: Sequence[int]) -> Iterator[PartCost]:
    """Runs of the convoy, by the number of robots."""
    jobs = paper_figures.jobs(1)
    for robots in sorted({job[1] for job in jobs}):
        mine = [(noise, size, seed) for noise, size, _ in jobs if size == robots for seed in seeds]
        times = [spent(partial(paper_figures.measure, job, paper_figures.ROUNDS, ())) for job in mine]
        whole = sum(size == robots for _, size, _ in jobs) * paper_figures.SEEDS
        yield PartCost("convoy", f"runs of {robots} robots", tuple(times), whole)


def epuck2(seeds: Sequence[int]) -> Iterator[PartCost]:
    """Costs of sensors: a repeat less than is measured warms up."""
    repeats = len(seeds)
    effort = Effort(repeats, WHOLE_COSTS.robot_seconds)
    time_of_all = spent(lambda: epuck2_figures.measure(effort, EPUCK2_SIZES))
    each = time_of_all / (repeats + 1)
    yield PartCost("epuck2", "repeats of all costs", (each,) * (repeats + 1), WHOLE_COSTS.repeats + 1)


def pera(seeds: Sequence[int]) -> Iterator[PartCost]:
    """Walks of experiment 1; the others wait for a broker and for clocks."""
    times = [spent(partial(walk, *job, FULL.duration)) for job in FULL.jobs() if job[-1] in seeds]
    yield PartCost("pera", "walks of experiment 1", tuple(times), len(FULL.jobs()))
    for number in experiments.NUMBERS[1:]:
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            wanted = Experimenting((number,), Path(folder))
            used = spent(partial(experiments.run, wanted, _nothing))
            wall = time.monotonic() - began
        yield PartCost("pera", f"experiment {number}", (used,), 1, wall)


def _nothing(said: str) -> None:
    """Nobody is told how far it is."""


def transport(seeds: Sequence[int]) -> Iterator[PartCost]:
    """Runs of the three modes, and those of the encounter law."""
    for mode in MODES:
        times = [
            spent(partial(transport_figures.outcome, f"run.seed={seed}", f"transport.mode={mode}")) for seed in seeds
        ]
        yield PartCost("transport", f"runs of mode {mode}", tuple(times), len(transport_paper.SEEDS))
    used = spent(lambda: transport_figures.law(transport_figures.SIZES, LAW, seeds[0]))
    yield PartCost("transport", "the encounter law, per ten minutes of its hour", (used,), WHOLE_LAW / LAW)


def logistics(seeds: Sequence[int]) -> Iterator[PartCost]:
    """Runs with measured sensing, and with that of the simulator."""
    for what, settings in (("measured", ()), ("the simulator's", logistics_figures.SIMULATOR)):
        times = [spent(partial(logistics_figures.outcome, f"run.seed={seed}", *settings)) for seed in seeds]
        yield PartCost("logistics", f"runs with {what} sensing", tuple(times), len(logistics_paper.SEEDS))


PAPERS = {"convoy": convoy, "logistics": logistics, "transport": transport, "pera": pera, "epuck2": epuck2}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2, help="runs of each kind (default: 2)")
    parser.add_argument("--only", default=",".join(PAPERS), help="some of them (default: %(default)s)")
    options = parser.parse_args()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start", flush=True)
    print("| paper | part | per run (CPU) | runs | in all (CPU) |\n|---|---|---|---|---|", flush=True)
    for name in options.only.split(","):
        for part in PAPERS[name](range(1, options.seeds + 1)):
            print(part.row(), flush=True)


if __name__ == "__main__":
    main()
