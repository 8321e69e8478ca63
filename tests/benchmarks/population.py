"""What a team costs as ordinary models and in arrays: ``python -m tests.benchmarks.population`` (about five minutes).

The diffusion case, decision models, activities and environment without a frame: simulated robot-seconds per second of
processor time, medians over the repeats, which take turns so that a busy machine slows both alike. Both end at the same
places, which is checked.
"""

from __future__ import annotations

import argparse
import statistics
import time
from math import sqrt

from devs_robotics import Simulator
from devs_robotics.core.robots.epuck2.body import RADIUS
from devs_robotics.models.environment import Field, Pose
from devs_robotics.models.robots import PopulationChoice, virtual_equipment
from devs_robotics.models.robots.case_system import CaseSystem, UsualBody
from devs_robotics.scenarios.diffusion import Diffusion

AREA = 0.16
"""Of the field per robot (m2)."""

RUNS = [(10, 60.0), (50, 40.0), (200, 20.0), (500, 10.0), (1000, 10.0)]
"""Number of robots, and simulated time (s)."""

WAYS: tuple[PopulationChoice, ...] = ("models", "arrays")


def measure(population: PopulationChoice, robots: int, seconds: float) -> tuple[float, float, tuple[Pose, ...]]:
    """Processor time of the set-up, and of a run after its first second (s), and where the robots are in the end."""
    start = time.process_time()
    side = sqrt(AREA * robots)
    made = CaseSystem(
        "system",
        Field(side, side),
        UsualBody(RADIUS, 0.14, 5.3, 0.03),
        1,
        lambda robot, kind: virtual_equipment(robot, kind.optics),
    )
    made.strategy, made.population = "batch", population
    Diffusion(robots=robots).build(made)
    made.complete(corrected=False)
    with Simulator(made) as simulator:
        set_up = time.process_time() - start
        simulator.run(until=1.0)  # lists of neighbours and arrays are made
        start = time.process_time()
        simulator.run(until=1.0 + seconds)
        return set_up, time.process_time() - start, tuple(made.field.pose(body) for body in range(robots))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="runs of each kind (default: 3)")
    options = parser.parse_args()
    print("| robots | models | arrays | ratio | set-up, models (s) | set-up, arrays (s) |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for robots, seconds in RUNS:
        found: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
        ends = set()
        for _ in range(options.repeats):
            for way in WAYS:
                set_up, took, end = measure(way, robots, seconds)
                found[way].append((set_up, took))
                ends.add(end)
        if len(ends) > 1:
            raise SystemExit(f"{robots} robots do NOT end at the same places")
        sets, runs = ([statistics.median(each[index] for each in found[way]) for way in WAYS] for index in (0, 1))
        speeds = [robots * seconds / took for took in runs]
        ratio = statistics.median(one[1] / other[1] for one, other in zip(*found.values(), strict=True))
        print(
            f"| {robots:,} | {speeds[0]:,.0f} | {speeds[1]:,.0f} | {ratio:.2f} | {sets[0]:.2f} | {sets[1]:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
