"""What watching sensors costs: ``python -m tests.benchmarks.sensing`` (about five minutes).

The diffusion case, decision models, activities and environment without a frame: simulated robot-seconds per second of
processor time, medians over the repeats, which take turns so that a busy machine slows all alike. Beside them a
program in plain Python that does nothing but add numbers, so that two machines can be compared.
"""

from __future__ import annotations

import argparse
import statistics
import time
from math import sqrt

from devs_robotics import Simulator
from devs_robotics.core.robots.epuck2.body import RADIUS
from devs_robotics.models.environment import Field, Pose
from devs_robotics.models.environment.sensing import StrategyName
from devs_robotics.models.robots import UsualBody, virtual_equipment
from devs_robotics.models.robots.case_system import CaseSystem
from devs_robotics.scenarios.diffusion import Diffusion

AREA = 0.16
"""Of the field per robot (m2), where it is not said otherwise."""

RUNS: list[tuple[str, StrategyName, int, float, float]] = [
    ("10 robots", "predict", 10, AREA, 100.0),
    ("10 robots", "batch", 10, AREA, 100.0),
    ("50 robots", "predict", 50, AREA, 60.0),
    ("50 robots", "batch", 50, AREA, 60.0),
    ("200 robots", "predict", 200, AREA, 30.0),
    ("200 robots", "batch", 200, AREA, 30.0),
    ("1000 robots", "predict", 1000, AREA, 10.0),
    ("1000 robots", "batch", 1000, AREA, 10.0),
    ("200 robots, 2.56 m2 each", "predict", 200, 2.56, 60.0),
    ("200 robots, 0.04 m2 each", "predict", 200, 0.04, 10.0),
    ("50 robots, asked at each point", "polling", 50, AREA, 10.0),
]
"""Name, strategy, number of robots, area per robot (m2), and simulated time (s)."""


def system(strategy: StrategyName, robots: int, area: float) -> CaseSystem:
    """Robots of the diffusion case in a square field, without a frame."""
    side = sqrt(area * robots)
    made = CaseSystem(
        "system",
        Field(side, side),
        UsualBody(RADIUS, 0.14, 5.3, 0.03),
        1,
        lambda robot, kind: virtual_equipment(robot, kind.optics),
    )
    Diffusion(robots=robots).build(made)
    made.strategy = strategy
    made.complete(corrected=False)
    return made


def measure(strategy: StrategyName, robots: int, area: float, seconds: float) -> tuple[float, tuple[Pose, ...]]:
    """Processor time of a run (s) after its first second, and where the robots are in the end."""
    made = system(strategy, robots, area)
    with Simulator(made) as simulator:
        simulator.run(until=1.0)  # lists of neighbours and arrays are made
        start = time.process_time()
        simulator.run(until=1.0 + seconds)
        spent = time.process_time() - start
        return spent, tuple(made.field.pose(body) for body in range(robots))


def additions() -> float:
    """Million additions of two floats in a loop per second of processor time."""
    total, start = 0.0, time.process_time()
    for _ in range(2_000_000):
        total += 0.5
    return 2.0 / (time.process_time() - start)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="runs of each kind (default: 3)")
    options = parser.parse_args()
    spent: list[list[float]] = [[] for _ in RUNS]
    speed: list[float] = []
    ends: dict[tuple[int, float, float], set[tuple[Pose, ...]]] = {}
    for _ in range(options.repeats):
        speed.append(additions())
        for number, (_, strategy, robots, area, seconds) in enumerate(RUNS):
            took, end = measure(strategy, robots, area, seconds)
            spent[number].append(took)
            ends.setdefault((robots, area, seconds), set()).add(end)
    print(f"{'':32}{'strategy':10}{'robot-s per CPU s':>18}{'us per robot-s':>16}")
    for (name, strategy, robots, _, seconds), times in zip(RUNS, spent, strict=True):
        simulated, took = robots * seconds, statistics.median(times)
        print(f"{name:32}{strategy:10}{simulated / took:>18,.0f}{1e6 * took / simulated:>16.1f}")
    same = all(len(each) == 1 for each in ends.values())
    print(f"whatever the strategy, robots {'end' if same else 'do NOT end'} at the same places")
    print(f"this machine adds {statistics.median(speed):.1f} million floats per second of processor time in Python")


if __name__ == "__main__":
    main()
