"""How late events are handled with many robots in the loop: ``python -m tests.benchmarks.real_robots`` (six minutes).

Stand-ins play all robots but the leader, at rate 1, over a mosquitto with default settings; the second robot has
virtual infrared, since it follows a model, and the others their own. Host, stand-ins and broker share the machine, so
what each takes of a processor is told too, and so is the memory that the host has gained from a third of the run on.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from math import nan
from pathlib import Path

from msgspec import Struct

from devs_robotics import Simulator
from devs_robotics.core.realtime.lateness import LatenessDistribution
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from tests.real_components import Mosquitto

SIZES = (2, 10, 40, 100, 200)

PERIOD = 0.5
"""Between two looks at the processes (s)."""


class Measured(Struct, frozen=True):
    """One run.

    Attributes:
        ended: how the run did
        late: lateness of its events (s)
        shares: processor time per simulated second of host, stand-ins and broker, from a third of the run on
        gained: memory of the host at the end, more than at a third of the run (MiB)
    """

    ended: str
    late: LatenessDistribution
    shares: tuple[float, float, float]
    gained: float


class Sample(Struct, frozen=True):
    """What was used up to a simulated time (s): processor time (s) by process, and memory of the host (MiB)."""

    time: float
    used: tuple[float, float, float]
    resident: float


class Usage:
    """Looks at the processes now and then, from a third of the run on."""

    def __init__(self, broker: int, since: float) -> None:
        self.samples: list[Sample] = []
        self._broker = broker
        self._since = since
        self._due = 0.0

    def look(self, experiment: CaseExperiment, simulator: Simulator) -> None:
        """Called by the run at each step."""
        if simulator.time < self._since or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + PERIOD
        stand_ins = sum(used(child) for child in children() if child != self._broker)
        resident = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20
        self.samples.append(Sample(simulator.time, (time.process_time(), stand_ins, used(self._broker)), resident))

    def measured(self, ended: str, late: LatenessDistribution) -> Measured:
        """What comes of it."""
        first, last = self.samples[0], self.samples[-1]
        passed = last.time - first.time or nan
        host, stand_ins, broker = ((end - begin) / passed for begin, end in zip(first.used, last.used, strict=True))
        return Measured(ended, late, (host, stand_ins, broker), last.resident - first.resident)


def children() -> list[int]:
    """The processes that this thread has started."""
    return [int(child) for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def used(process: int) -> float:
    """Processor time of a process (s)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def settings(robots: int, seconds: float) -> list[str]:
    """A leader that is a model, and so many real robots behind it."""
    infrared = {robot: "virtual" if robot == 2 else "real" for robot in range(2, robots + 2)}
    return [
        f"convoy.robots={robots + 1}",
        f"run.duration={seconds}",
        "run.rounds=1000000",
        *(f"real.{robot}.infrared={kind}" for robot, kind in infrared.items()),
    ]


def measure(robots: int, seconds: float, rate: float) -> Measured:
    scenario = load("convoy", settings(robots, seconds))
    with Mosquitto() as broker:
        (pid,) = children()
        watch = Usage(pid, seconds / 3.0)
        outcome = run(scenario, Means(stage="loop", rate=rate, broker=broker.address), Hooks(report=watch.look))
    assert outcome.lateness is not None, "the run was not measured"
    return watch.measured(f"{outcome.ended}, {outcome.reason}", outcome.lateness)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="robots (default: 2 10 40 100 200)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each run (default: 60)")
    parser.add_argument("--rate", type=float, default=1.0, help="simulated seconds per real second (default: 1)")
    options = parser.parse_args()
    print(
        "| robots | events | p50 (ms) | p95 (ms) | p99 (ms) | largest (ms) | host | stand-ins | broker | gained (MiB) |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for robots in options.sizes:
        found = measure(robots, options.seconds, options.rate)
        late = found.late
        times = " | ".join(f"{1000.0 * value:.2f}" for value in (late.p50, late.p95, late.p99, late.maximum))
        shares = " | ".join(f"{share:.0%}" for share in found.shares)
        print(f"| {robots} | {late.events:,} | {times} | {shares} | {found.gained:.1f} |", flush=True)
        if not found.ended.startswith("accepted"):
            print(f"  {robots} robots: {found.ended}", flush=True)


if __name__ == "__main__":
    main()
