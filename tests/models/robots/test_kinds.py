"""Kinds of robot are data: what is left open is as the scenario says."""

from __future__ import annotations

from math import degrees, radians

from devs_robotics.models.robots import Optics, RobotKind, round_differential
from devs_robotics.models.robots.kinds import EPUCK_PROXIMITY
from tests.models.robots.small_world import small_system


def test_a_round_robot_with_two_wheels_is_a_kind_with_nothing_left_out() -> None:
    beams = (radians(45.0), 0.0)
    kind = round_differential(
        beams=beams, reach=0.5, resolution=0.01, radius=0.035, speed=0.1, turn_rate=2.0, called="an e-puck"
    )
    assert kind == RobotKind(beams, 0.5, 0.01, 0.035, 0.1, 2.0, "an e-puck")
    assert kind.optics == Optics(beams, 0.5, 0.01)
    assert round_differential() == RobotKind()


def test_what_a_kind_leaves_open_is_as_the_scenario_says() -> None:
    system = small_system()
    assert system.radius_of(RobotKind()) == 0.1
    assert system.radius_of(RobotKind(radius=0.3)) == 0.3


def test_the_proximity_sensors_of_an_e_puck_go_from_left_to_right_and_are_the_same_on_both_sides() -> None:
    assert list(EPUCK_PROXIMITY) == sorted(EPUCK_PROXIMITY, reverse=True)
    pairs = zip(EPUCK_PROXIMITY, reversed(EPUCK_PROXIMITY), strict=True)
    assert {round(degrees(left + right), 9) for left, right in pairs} == {0.0}
