"""Virtual activities: what they pass on, round, and drop."""

from __future__ import annotations

import re
from math import inf

import pytest
from msgspec import Struct

from devs_robotics import Drive, Driven, ModelError, Ranges, Sense, Sensor, Service, Touch
from devs_robotics.models.activities import (
    VirtualActivity,
    VirtualInfrared,
    VirtualMotor,
    VirtualRadio,
    VirtualWhiskers,
)
from devs_robotics.models.environment import Cast, Contact, Distances, Feel, Heard, Motion, MotionEnded, Say
from tests.approximately import near
from tests.models.play import tell


def test_a_motor_passes_a_command_on_and_reports_its_end() -> None:
    motor = VirtualMotor("motor", 3)
    assert tell(motor, (motor.drive.ask, Drive(0.5, 0.2))) == [("world_ask", Motion(3, 0.5, 0.2))]
    assert tell(motor, (motor.world.answer, MotionEnded(3, 0.5, 0.1, True))) == [
        ("drive_answer", Driven(0.5, 0.1, True))
    ]


def test_an_override_is_reported_to_the_one_who_gave_it() -> None:
    motor = VirtualMotor("motor", 3)
    assert tell(motor, (motor.override.ask, Drive(0.0, -0.1))) == [("world_ask", Motion(3, 0.0, -0.1))]
    assert tell(motor, (motor.world.answer, MotionEnded(3, 0.0, -0.1, False))) == [
        ("override_answer", Driven(0.0, -0.1))
    ]


def test_an_override_suppresses_the_layer_below_from_the_same_instant_until_it_ends() -> None:
    motor = VirtualMotor("motor", 3)
    below, above = (motor.drive.ask, Drive(1.0, 0.0)), (motor.override.ask, Drive(0.0, -0.1))
    assert tell(motor, below, above) == [("world_ask", Motion(3, 0.0, -0.1))]
    assert tell(motor, below) == []
    tell(motor, (motor.world.answer, MotionEnded(3, 0.0, -0.1, False)))
    assert tell(motor, below) == [("world_ask", Motion(3, 1.0, 0.0))]


def test_a_command_under_way_that_is_overridden_is_never_reported_as_done() -> None:
    motor = VirtualMotor("motor", 3)
    tell(motor, (motor.drive.ask, Drive(0.0, 1.0)))
    tell(motor, (motor.override.ask, Drive(0.0, -0.1)))
    assert tell(motor, (motor.world.answer, MotionEnded(3, 0.0, 0.4, False))) == []
    assert tell(motor, (motor.world.answer, MotionEnded(3, 0.0, -0.1, False))) == [
        ("override_answer", Driven(0.0, -0.1))
    ]


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
    assert tell(whiskers, (whiskers.world.answer, Contact(2, True))) == [("touch_answer", Touch(True))]
    assert tell(whiskers, (whiskers.touch.ask, Sense())) == [("world_ask", Feel(2))]


class Scent(Struct, frozen=True):
    strength: float


class Nose(VirtualActivity):
    """Tells a scent as ranges, and nothing of a weak one."""

    smell = Service(Sense, Ranges)
    world = Sensor(Feel, Scent)

    def ask(self, question: Sense) -> Feel:
        return Feel(self.robot)

    def answer(self, answer: Scent) -> Ranges | None:
        return Ranges((answer.strength,)) if answer.strength > 0.5 else None


def test_equipment_of_ones_own_asks_the_world_in_its_own_words_and_answers_in_those_of_the_decision_model() -> None:
    nose = Nose("nose")
    nose.robot = 3
    assert tell(nose, (nose.smell.ask, Sense())) == [("world_ask", Feel(3, sensor="nose"))]
    assert tell(nose, (nose.world.answer, Scent(0.7))) == [("smell_answer", Ranges((0.7,)))]
    assert tell(nose, (nose.world.answer, Scent(0.3))) == []
    assert nose.ta() == inf


def test_without_words_of_its_own_it_passes_on_what_comes_each_once_and_in_order() -> None:
    radio = VirtualRadio("radio")
    words = [Say("a"), Say("b"), Say("a")]
    heard = Heard(2, "c", (), 1.0)
    said = tell(radio, *((radio.channel.ask, word) for word in words), (radio.world.answer, heard))
    assert said == [("channel_answer", heard), *(("world_ask", word) for word in words)]
    assert tell(radio, (radio.world.answer, heard)) == [("channel_answer", heard)]


class Empty(VirtualActivity):
    """Declares nothing."""


class Both(Nose):
    """Asks the world in two ways."""

    other = Sensor(Sense, Scent)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Empty, "Empty must declare one Service and has none: write Service(Sense, Smell)"),
        (Both, "Both must declare one Sensor and has world, other: write Sensor(Sniff, Scent)"),
    ],
)
def test_equipment_that_is_declared_otherwise_is_refused_with_what_to_write(
    kind: type[VirtualActivity], sentence: str
) -> None:
    with pytest.raises(ModelError, match=f"^{re.escape(sentence)}$"):
        kind("nose")
