"""What is told of the runs of a level."""

from __future__ import annotations

from math import pi

import pytest
from msgspec.structs import replace

from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.conformance.large_level import large
from devs_robotics.scenarios.convoy.conformance.runs import MEASURES, LevelRuns, measured, patience, why_it_ended
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.runs import run
from devs_robotics.scenarios.convoy.settings import (
    ConvoyRobotTable,
    ConvoyRunTable,
    ConvoyScenario,
    ConvoyTable,
    LeaderTable,
)
from devs_robotics.scenarios.running.outcome import RobotReport

STAND_IN = RobotReport("a stand-in", "json", "loop", "real", "virtual", {}, 0)


@pytest.fixture(scope="module")
def outcome() -> ConvoyOutcome:
    return run(resolve(ConvoyScenario(convoy=ConvoyTable(robots=3), run=ConvoyRunTable(rounds=2))))


@pytest.mark.parametrize(
    ("ended", "rate", "robots", "slower"),
    [
        ("broken off", 8.0, True, "--rate 2 "),
        ("broken off", 1.5, True, "--rate 1 "),
        ("broken off", 1.0, True, ""),
        ("broken off", 8.0, False, ""),
        ("failed", 8.0, True, ""),
    ],
)
def test_stand_ins_that_are_too_slow_are_to_live_slower(
    outcome: ConvoyOutcome, ended: str, rate: float, robots: bool, slower: str
) -> None:
    changed = replace(outcome, ended=ended, rate=rate, reason="late", robots={2: STAND_IN} if robots else {})
    said = why_it_ended(changed)
    if slower:
        assert said.startswith(f"broken off at rate {rate:g}, at which stand-ins may answer too late")
        assert f"{slower}(late)" in said
    else:
        assert said == "late"


def test_measurements_are_in_centimetres_and_what_is_not_there_is_a_dash(outcome: ConvoyOutcome) -> None:
    metrics = outcome.metrics
    cells = dict(zip(MEASURES, measured(outcome), strict=True))
    assert cells["largest (cm)"] == f"{100.0 * metrics.largest_error_m:.1f}"
    assert cells["speed (cm/s)"] == f"{100.0 * metrics.convoy_speed_m_per_s:.2f}"
    empty = replace(outcome, metrics=replace(metrics, convoy_speed_m_per_s=float("nan"), largest_error_m=-1e-9))
    cells = dict(zip(MEASURES, measured(empty), strict=True))
    assert (cells["speed (cm/s)"], cells["largest (cm)"]) == (
        "-",
        "0.0",
    )


def test_a_team_has_time_for_twenty_of_its_longest_moves_with_a_turn() -> None:
    robot = ConvoyRobotTable(speed=0.5, turn_rate=pi)
    assert patience(ConvoyScenario(robot=robot)) == pytest.approx(20.0 * (2.0 + 2.0))
    path = LeaderTable(path=((0.0, 0.2), (0.0, -3.0)))
    assert patience(ConvoyScenario(robot=robot, leader=path)) == pytest.approx(20.0 * (6.0 + 2.0))


def test_six_robots_are_a_large_team_and_five_are_not() -> None:
    few = ConvoyScenario(convoy=ConvoyTable(robots=5))
    with pytest.raises(Exception, match=r"the level large is for 6 robots or more, and the scenario has 5"):
        large(few, LevelRuns())
    six = ConvoyScenario(convoy=ConvoyTable(robots=6), run=ConvoyRunTable(rounds=2))
    assert large(six, LevelRuns(rounds=2)).subject == "6 robots, stage fast"
