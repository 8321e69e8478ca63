"""How late events are handled at rate 1 with thirty virtual robots and two stand-ins in the loop.

``python -m tests.benchmarks.lateness [SECONDS]`` prints one table; it measures for a minute by default, twice.
"""

from __future__ import annotations

import sys

from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load

ROBOTS = 32


def main(seconds: float) -> None:
    scenario = load("convoy", [f"convoy.robots={ROBOTS}", f"run.duration={seconds}", "run.rounds=10000"])
    print("| stage | virtual robots | in the loop | events | p50 (ms) | p95 (ms) | p99 (ms) | largest (ms) | CPU |")
    print("|---|---|---|---|---|---|---|---|---|")
    for stage, real in (("realtime", 0), ("loop", 2)):
        outcome = run(scenario, Means(stage=stage, rate=1.0))  # type: ignore[arg-type]
        late = outcome.lateness
        assert late is not None, "the run was not measured"
        figures = " | ".join(f"{1000.0 * value:.2f}" for value in (late.p50, late.p95, late.p99, late.maximum))
        share = outcome.cpu_s / outcome.wall_s
        print(f"| {stage} | {ROBOTS - real} | {real} | {late.events:,} | {figures} | {share:.0%} |", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
