"""Equipment of a robot's own that is real: what is put in its place, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct

from devs_robotics import Activity, Actuator, Atomic, ModelError, Service
from devs_robotics.models.activities import HardwareActivity, LoopMotor, VirtualActivity
from devs_robotics.models.batteries import AskCharge, Battery, Charge, SimpleDischarge
from devs_robotics.models.environment.time_manager import Pace
from devs_robotics.models.robots import Kinds, Optics, OwnEquipment, Robot, RobotKind, equipment, own_equipment
from tests.models.activities.robot_in_a_box import Box


class Grip(Struct, frozen=True):
    close: bool


class Gripped(Struct, frozen=True):
    held: bool


class Deep(Struct, frozen=True):
    grip: Grip


class Gripper(VirtualActivity):
    hand = Service(Grip, Gripped)
    world = Actuator(Grip, Gripped)


class Deeper(VirtualActivity):
    hand = Service(Deep, Gripped)
    world = Actuator(Deep, Gripped)


class Misnamed(Activity):
    device = Service(Grip, Gripped)


class TwoHands(Activity):
    left = Service(Grip, Gripped)
    right = Service(Grip, Gripped)


class Decide(Atomic):
    hand = Actuator(Grip, Gripped)


class Carrier(Box):
    """Carries a gripper."""

    def carries(self, name: str, asks: type[Struct], answers: type[Struct]) -> bool:
        return (name, asks, answers) == ("gripper", Grip, Gripped)


def robot(*own: str, device: Box | None = None, modelled: bool = True) -> Robot:
    kinds = Kinds("loop", "real", "virtual", own=own)
    parts = equipment(2, Optics((0.0,), 1.0, 0.0), kinds, device or Carrier(2))
    return Robot("robot2", 2, (0.0, 0.0, 0.0), RobotKind(), parts, modelled=modelled)


def test_a_battery_in_the_loop_hears_of_the_wheels_by_what_the_robot_is_told() -> None:
    made = robot()
    battery = made.equip(Battery("battery", SimpleDischarge()))
    made.follow_wheels(Pace(0.2, 1.0), 0.1)
    motor = made.equipment.motor
    assert isinstance(motor, LoopMotor)
    assert made.turning_wheels.command in made.ic[motor.device.ask]
    assert all(made.turning_wheels.driven in made.ic[service.answer] for service in (motor.drive, motor.override))
    assert own_equipment(battery) == OwnEquipment("battery", "power", AskCharge, Charge, charge=1.0), "it can be real"


@pytest.mark.parametrize("modelled", [True, False])
def test_what_is_real_takes_the_place_of_what_is_virtual_and_no_decision_model_learns_of_it(modelled: bool) -> None:
    made = robot("gripper", modelled=modelled)
    gripper = made.equip(Gripper("gripper"))
    assert isinstance(gripper, HardwareActivity)
    assert made.gripper is gripper
    decide = Decide("decide")
    made.decide(decide)
    made.open_to_the_world()
    assert "gripper_world" not in made.worlds
    device = made.equipment.device
    assert device is not None
    assert device.carried == {"gripper": (Grip, Gripped)}
    assert decide.hand.ask in made.ic
    assert gripper.hand.ask in made.ic[decide.hand.ask]
    assert device.own.ask in made.ic[gripper.device.ask]
    assert gripper.device.answer in made.ic[device.own.answer]


def test_what_is_not_named_is_virtual() -> None:
    made = robot("arm")
    assert type(made.equip(Gripper("gripper"))) is Gripper
    made.open_to_the_world()
    assert "gripper_world" in made.worlds


@pytest.mark.parametrize(
    ("own", "device", "activity", "sentence"),
    [
        ("gripper", Box(2), Gripper("gripper"), "its device carries no gripper .Grip to Gripped.: let it be virtual"),
        ("arm", None, Gripper("arm"), "robot2's arm is to be real, and its device carries no arm"),
        ("hand", None, Deeper("hand"), "robot2's hand cannot be real: Deep.grip is neither a truth value"),
        ("hand", None, Misnamed("hand"), "its service may not be called 'device'"),
        ("hands", None, TwoHands("hands"), "robot2's hands cannot be real: it offers 2 services"),
    ],
)
def test_what_cannot_be_real_is_refused_with_the_remedy(
    own: str, device: Box | None, activity: Any, sentence: str
) -> None:
    with pytest.raises(ModelError, match=sentence):
        robot(own, device=device).equip(activity)


def test_where_models_are_not_allowed_what_is_not_real_is_refused() -> None:
    with pytest.raises(ModelError, match="robot2 is real in this stage, and its gripper is a model: run in the stage"):
        robot(modelled=False).equip(Gripper("gripper"))


def test_what_is_known_of_it_is_told_before_anything_is_real() -> None:
    found = own_equipment(Gripper("gripper"))
    assert (found.name, found.service, found.asks, found.answers, found.never_real) == (
        "gripper",
        "hand",
        Grip,
        Gripped,
        "",
    )
    made = robot()
    made.equip(Gripper("gripper"))
    assert [own.name for own in made.own] == ["gripper"]
