"""Kinds of robot are data: what is left open is as the scenario says."""

from __future__ import annotations

from math import pi, radians

import pytest

from devs_robotics.models.robots import Optics, RobotKind, epuck2, round_differential
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
    axles = [system.axle_of(kind) for kind in (RobotKind(), RobotKind(radius=0.035), round_differential(axle=0.1))]
    assert axles == [pytest.approx(0.2 * 53.0 / 70.0), pytest.approx(0.053), 0.1]


def test_an_e_puck2_is_small_and_looks_ahead() -> None:
    kind = epuck2()
    assert kind.beams == (0.0,)
    assert kind.speed is not None
    assert kind.turn_rate is not None
    wheel = 1100 * pi * 0.041 / 1000  # at 1100 of 1000 steps per turn and second
    assert kind.speed == pytest.approx(wheel, rel=1e-3)
    assert kind.axle == 0.053
    assert kind.turn_rate == pytest.approx(2.0 * wheel / kind.axle, rel=1e-3)
