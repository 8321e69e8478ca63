"""Virtual activities: what they pass on, round, and drop."""

from __future__ import annotations

from math import inf

import pytest

from devs_robotics import Drive, Driven, Ranges, Sense, Touch
from devs_robotics.models.activities import VirtualInfrared, VirtualMotor, VirtualWhiskers
from devs_robotics.models.environment import Cast, Distances, Feel, Felt, Motion, Moved
from tests.approximately import near
from tests.models.play import tell


def test_a_motor_passes_a_command_on_and_reports_its_end() -> None:
    motor = VirtualMotor("motor", 3)
    assert tell(motor, (motor.drive.ask, Drive(0.5, 0.2))) == [("world_ask", Motion(3, 0.5, 0.2))]
    assert tell(motor, (motor.world.answer, Moved(3, 0.5, 0.1, True))) == [("drive_answer", Driven(0.5, 0.1, True))]


def test_an_override_is_reported_to_the_one_who_gave_it() -> None:
    motor = VirtualMotor("motor", 3)
    assert tell(motor, (motor.override.ask, Drive(0.0, -0.1))) == [("world_ask", Motion(3, 0.0, -0.1))]
    assert tell(motor, (motor.world.answer, Moved(3, 0.0, -0.1, False))) == [("override_answer", Driven(0.0, -0.1))]


def test_an_override_suppresses_the_layer_below_from_the_same_instant_until_it_ends() -> None:
    motor = VirtualMotor("motor", 3)
    below, above = (motor.drive.ask, Drive(1.0, 0.0)), (motor.override.ask, Drive(0.0, -0.1))
    assert tell(motor, below, above) == [("world_ask", Motion(3, 0.0, -0.1))]
    assert tell(motor, below) == []
    tell(motor, (motor.world.answer, Moved(3, 0.0, -0.1, False)))
    assert tell(motor, below) == [("world_ask", Motion(3, 1.0, 0.0))]


def test_a_command_under_way_that_is_overridden_is_never_reported_as_done() -> None:
    motor = VirtualMotor("motor", 3)
    tell(motor, (motor.drive.ask, Drive(0.0, 1.0)))
    tell(motor, (motor.override.ask, Drive(0.0, -0.1)))
    assert tell(motor, (motor.world.answer, Moved(3, 0.0, 0.4, False))) == []
    assert tell(motor, (motor.world.answer, Moved(3, 0.0, -0.1, False))) == [("override_answer", Driven(0.0, -0.1))]


@pytest.mark.parametrize(
    ("resolution", "exact", "read"),
    [(0.01, 0.404, 0.4), (0.01, 0.396, 0.4), (0.05, 0.38, 0.4), (0.0, 0.404, 0.404), (0.01, inf, inf)],
)
def test_infrared_readings_are_rounded_to_their_resolution(resolution: float, exact: float, read: float) -> None:
    infrared = VirtualInfrared("infrared", 2, (0.5, 0.0), 0.6, resolution)
    assert tell(infrared, (infrared.ranging.ask, Sense())) == [("world_ask", Cast(2, (0.5, 0.0), 0.6))]
    answer = tell(infrared, (infrared.world.answer, Distances(2, (exact, 0.2))))
    assert answer == [("ranging_answer", Ranges((near(read), near(0.2))))]


def test_whiskers_pass_contacts_on_unasked_and_questions_too() -> None:
    whiskers = VirtualWhiskers("whiskers", 2)
    assert tell(whiskers, (whiskers.world.answer, Felt(2, True))) == [("touch_answer", Touch(True))]
    assert tell(whiskers, (whiskers.touch.ask, Sense())) == [("world_ask", Feel(2))]
