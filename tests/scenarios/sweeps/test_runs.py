"""What a run of a sweep costs, which decides who goes first."""

from __future__ import annotations

import pytest

from devs_robotics.scenarios.convoy.case import CASE
from devs_robotics.scenarios.convoy.settings import ConvoyTable
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import RunTable


@pytest.mark.parametrize(
    ("robots", "run", "cost"),
    [
        (10, RunTable(rounds=20), 10 * (20 + 4)),
        (100, RunTable(rounds=20), 100 * (20 + 40)),
        (10, RunTable(duration=48.0), 10 * 20),
        (10, RunTable(rounds=100, duration=48.0), 10 * 20),
        (10, RunTable(rounds=2, duration=48.0), 10 * (2 + 4)),
        (10, RunTable(), 10 * (340 + 4)),
    ],
)
def test_a_run_costs_the_rounds_that_its_robots_complete_together(robots: int, run: RunTable, cost: float) -> None:
    assert CASE.size(Scenario(convoy=ConvoyTable(robots=robots), run=run)) == pytest.approx(cost)
