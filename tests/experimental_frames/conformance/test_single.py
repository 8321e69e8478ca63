"""The real decision models, each alone on the test bench."""

from __future__ import annotations

from functools import partial

import pytest

from experimental_frames.conformance.single import RobotResults, check_robot
from models.convoy.member import Member
from scenarios.conformance.parts import decisions, part_of, player_of
from scenarios.loading import load
from scenarios.schema import Scenario


def small(*settings: str) -> Scenario:
    """Three robots, and scans that are soon over."""
    of = ["convoy.robots=3", "follower.scan_limit=12 deg", "follower.recoveries=1", "leader.turn=60 deg", *settings]
    return load("convoy", of)


def checked(scenario: Scenario, robot: int) -> RobotResults:
    return check_robot(
        f"robot {robot}", part_of(scenario, robot), partial(decisions, scenario, robot), player_of(scenario, robot)
    )


@pytest.mark.parametrize("robot", [1, 2, 3])
@pytest.mark.parametrize(
    ("settings", "beyond"),
    [
        ((), set()),
        (("follower.scan_step=12 deg", "follower.recoveries=0"), {"go on"}),
        (("robot.radius=5 cm", "follower.scan_step=45 deg", "follower.scan_limit=45 deg"), {"turn"}),
        (("convoy.distance=60 cm", "follower.nearest=30 cm", "follower.farthest=75 cm", "leader.swing=0 deg"), set()),
        (("leader.path=[[0.1, 0.2], [0.0, 0.3]]",), set()),
    ],
)  # fmt: skip
def test_every_transition_and_everything_out_of_protocol_goes_as_the_protocol_says(
    robot: int, settings: tuple[str, ...], beyond: set[str]
) -> None:
    """`beyond`: what a follower with these settings never has to do."""
    tested = checked(small(*settings), robot)
    assert {rule.does for rule in tested.beyond} == (beyond if robot > 1 else set())
    assert [str(result.violations) for result in tested.results if result.violations] == []
    assert [result.case.title for result in tested.results if result.verdict != "conforms"] == []


def test_a_robot_that_raises_an_error_does_not_conform() -> None:
    of = small()

    def fragile() -> Member:
        model = decisions(of, 2)
        model._odometry = None  # type: ignore[assignment]  # whatever moves it breaks it
        return model

    tested = check_robot("robot 2", part_of(of, 2), fragile, player_of(of, 2))
    broken = [result for result in tested.results if result.verdict == "does not"]
    assert broken
    assert "failed" in broken[0].violations[0].sentence


def test_each_test_finds_the_model_as_it_is_before_the_start() -> None:
    of = small()
    first, second = ([(result.case.title, result.verdict) for result in checked(of, 2).results] for _ in range(2))
    assert first == second
