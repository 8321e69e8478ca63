"""What a sweep costs: ``python -m tests.benchmarks.sweeping`` (about five minutes).

Two questions, each answered by the command ``devs-robotics sweep`` in processes of its own. How much faster is a sweep
with two jobs than with one? Wall time counts here, so the machine must have two processors with nothing else to do; the
sweeps take turns, and the ratio is that of the medians. And what does a round of one robot cost, by the number of
robots? That is processor time, as the sweep's own table gives it.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from msgspec import Struct

RUNS = ["--replicates", "40", "--set", "convoy.robots=30", "--set", "run.rounds=150"]
"""Of the sweeps that are timed: as long as a sweep is that one would rather not wait for."""

SIZES = ["--replicates", "3", "--vary", "convoy.robots=30,100,300,1000", "--set", "run.rounds=20", "--jobs", "1"]
"""The leader of 1000 robots is far ahead when the last one completes its first round: 20 rounds say as much as 100."""


class Taken(Struct, frozen=True):
    """What a sweep took: time on the wall, and of processors, its start and its workers' included (s)."""

    wall_s: float
    cpu_s: float


def sweep(arguments: list[str], out: Path) -> Taken:
    """Sweep the convoy once."""
    before, start = _children_s(), time.perf_counter()
    command = [sys.executable, "-m", "devs_robotics", "sweep", "convoy", *arguments, "--out", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return Taken(time.perf_counter() - start, _children_s() - before)


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def jobs_table(repeats: int) -> list[str]:
    """One job and two, in turns."""
    taken: dict[int, list[Taken]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder:
        for repeat in range(repeats):
            for jobs, each in taken.items():
                each.append(sweep([*RUNS, "--jobs", str(jobs)], Path(folder) / f"{jobs}-{repeat}"))
    one = statistics.median(each.wall_s for each in taken[1])
    lines = ["| jobs | wall (s) | CPU (s) | times as fast as one |", "|---|---|---|---|"]
    for jobs, each in taken.items():
        wall, cpu = statistics.median(t.wall_s for t in each), statistics.median(t.cpu_s for t in each)
        lines.append(f"| {jobs} | {wall:.1f} | {cpu:.1f} | {one / wall:.2f} |")
    return lines


def sizes_table() -> list[str]:
    """What a round of one robot costs."""
    costs: dict[int, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        sweep(SIZES, Path(folder) / "sizes")
        with (Path(folder) / "sizes" / "runs.csv").open(newline="") as file:
            for row in csv.DictReader(file):
                costs[int(row["convoy.robots"])].append(float(row["cpu_per_robot_round_s"]))
    first = statistics.median(costs[30])
    lines = ["| robots | CPU a robot and round (us) | to 30 robots |", "|---|---|---|"]
    for robots, values in costs.items():
        cost = statistics.median(values)
        lines.append(f"| {robots} | {1e6 * cost:.0f} | {cost / first:.2f} |")
    return lines


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="sweeps with each number of jobs (default: 3)")
    options = parser.parse_args()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start")
    print(*jobs_table(options.repeats), "", *sizes_table(), sep="\n", flush=True)


if __name__ == "__main__":
    main()
