"""What a run of a sweep costs, which decides who goes first."""

from __future__ import annotations

import pytest

from devs_robotics.scenarios.convoy.case import CASE
from devs_robotics.scenarios.convoy.settings import ConvoyRunTable, ConvoyScenario, ConvoyTable


@pytest.mark.parametrize(
    ("robots", "run", "cost"),
    [
        (10, ConvoyRunTable(rounds=20), 10 * (20 + 4)),
        (100, ConvoyRunTable(rounds=20), 100 * (20 + 40)),
        (10, ConvoyRunTable(duration=48.0), 10 * 20),
        (10, ConvoyRunTable(rounds=100, duration=48.0), 10 * 20),
        (10, ConvoyRunTable(rounds=2, duration=48.0), 10 * (2 + 4)),
        (10, ConvoyRunTable(), 10 * (340 + 4)),
    ],
)
def test_a_run_costs_the_rounds_that_its_robots_complete_together(
    robots: int, run: ConvoyRunTable, cost: float
) -> None:
    assert CASE.size(ConvoyScenario(convoy=ConvoyTable(robots=robots), run=run)) == pytest.approx(cost)
