"""How fast the convoy runs: ``python -m tests.benchmarks.convoy`` (about four minutes).

Processor time of whole runs in fast mode, frame included: medians over the repeats, which take turns so that a busy
machine slows all sizes alike. A robot move is a round that a robot has completed: predict and turn, move, adjust,
inform.
"""

from __future__ import annotations

import argparse
import statistics
import time

from msgspec import Struct

from devs_robotics import Simulator
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.setup.setup import set_up

SIZES = {10: 340, 30: 340, 100: 340, 1000: 10}
"""Rounds by number of robots. The leader of 1000 is far ahead when the last robot completes its tenth."""


class Measured(Struct, frozen=True):
    """One run: robot moves, transitions, and processor time for set-up and run (s)."""

    moves: int
    transitions: int
    setup_s: float
    run_s: float

    @property
    def per_move_us(self) -> float:
        """Processor time a robot move (us)."""
        return 1e6 * self.run_s / self.moves


def measure(robots: int, rounds: int) -> Measured:
    """Run a convoy once, with the defaults and the paper's second noise set."""
    scenario = load("convoy", [f"convoy.robots={robots}", f"run.rounds={rounds}"])
    start = time.process_time()
    model = experiment(set_up(scenario))
    simulator = Simulator(model)
    ready = time.process_time()
    simulator.run(stop=model.verdict)
    end = time.process_time()
    return Measured(len(model.frame.formation.rows), simulator.transitions, ready - start, end - ready)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="runs of each size (default: 3)")
    options = parser.parse_args()
    runs: dict[int, list[Measured]] = {robots: [] for robots in SIZES}
    for _ in range(options.repeats):
        for robots, rounds in SIZES.items():
            runs[robots].append(measure(robots, rounds))
    reference = statistics.median(run.per_move_us for run in runs[30])
    print("robots  rounds  robot moves  set-up s   run s  moves/CPU s  us/move  to 30 robots  transitions/s")
    for robots, measured in runs.items():
        per_move = statistics.median(run.per_move_us for run in measured)
        seconds = statistics.median(run.run_s for run in measured)
        setup = statistics.median(run.setup_s for run in measured)
        first = measured[0]
        print(
            f"{robots:6}  {SIZES[robots]:6}  {first.moves:11,}  {setup:8.2f}  {seconds:6.2f}  {1e6 / per_move:11,.0f}"
            f"  {per_move:7.1f}  {per_move / reference:12.2f}  {first.transitions / seconds:13,.0f}"
        )


if __name__ == "__main__":
    main()
