"""With the defaults the convoy holds together at the paper's noise, and its error stays bounded.

The shortest line of the paper at all of its noise sets, and the longest at the greatest; ``make test-fresh`` runs the
longest at the others too, and ``python -m tests.benchmarks.formation`` all sizes and more seeds.
"""

from __future__ import annotations

import numpy as np
import pytest

from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.runs import load, run
from tests.conftest import at_length

NOISE_SETS = [(0.04, 0.04), (0.1, 0.08), (0.2, 0.1)]
SEEDS = 5 if at_length() else 3


def runs(robots: int, noise: tuple[float, float], seeds: int) -> list[ConvoyOutcome]:
    settings = [f"convoy.robots={robots}", f"noise.dnf={noise[0]}", f"noise.anf={noise[1]}"]
    return [run(load("convoy", [*settings, f"run.seed={seed}"])) for seed in range(1, seeds + 1)]


SHORT = [(10, noise) for noise in NOISE_SETS]
LONG = [(40, noise) for noise in NOISE_SETS]


@pytest.mark.parametrize(("robots", "noise"), [*SHORT, *(LONG if at_length() else LONG[-1:])])
def test_no_robot_is_lost_and_the_error_does_not_grow(robots: int, noise: tuple[float, float]) -> None:
    outcomes = runs(robots, noise, SEEDS if robots == 10 or at_length() else 2)
    assert {outcome.ended for outcome in outcomes} == {"accepted"}, [each.reason for each in outcomes]
    assert all(outcome.metrics.rounds_completed == 340 for outcome in outcomes)
    growth = [_growth(outcome) for outcome in outcomes]
    mean, error = float(np.mean(growth)), float(np.std(growth, ddof=1) / len(growth) ** 0.5)
    # from the first half to the second: not more than 5 %, or than chance explains
    assert mean < 0.05 + 2.0 * error
    assert all(outcome.metrics.error_at_pose_changes.maximum_over_all < 0.6 for outcome in outcomes)


def _growth(outcome: ConvoyOutcome) -> float:
    """By how much the mean error of the last half exceeds that of the half before, after the transient."""
    times = np.asarray(outcome.formation.times)
    errors = np.asarray(outcome.formation.error_sums)[times > outcome.metrics.transient_end_s]
    first, second = np.array_split(errors, 2)
    return float(second.mean() / first.mean() - 1.0)
