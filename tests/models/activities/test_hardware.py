"""Real equipment of anybody's: what stands in the place of a virtual activity."""

from __future__ import annotations

import copy
import pickle
from math import inf

import pytest
from msgspec import Struct

from devs_robotics import Answered, Asked, Service
from devs_robotics.core.robots.activity import exchanges_of
from devs_robotics.models.activities import HardwareActivity
from tests.models.play import tell
from tests.models.test_phases import phases_in_code, ports_listed, table


class Grip(Struct, frozen=True):
    close: bool


class Gripped(Struct, frozen=True):
    held: bool


def gripper() -> HardwareActivity:
    return HardwareActivity("gripper", "hand", Grip, Gripped)


def test_it_offers_the_service_and_asks_the_device_by_its_name() -> None:
    model = gripper()
    hand = exchanges_of(model, Service)["hand"]
    assert (hand.ask.p_type, hand.answer.p_type) == (Grip, Gripped)
    assert tell(model, (hand.ask, Grip(True))) == [("device_ask", Asked("gripper", Grip(True)))]
    assert tell(model, (model.device.answer, Answered("gripper", Gripped(True)))) == [("hand_answer", Gripped(True))]
    assert model.sigma == inf


def test_what_other_equipment_of_the_robot_tells_is_not_its_own() -> None:
    model = gripper()
    assert tell(model, (model.device.answer, Answered("arm", Gripped(True)))) == []


def test_questions_and_answers_of_one_instant_are_kept_in_order() -> None:
    model = gripper()
    hand = exchanges_of(model, Service)["hand"]
    told = [(model.device.answer, Answered("gripper", Gripped(held))) for held in (True, False)]
    said = tell(model, (hand.ask, Grip(True)), (hand.ask, Grip(False)), *told)
    assert sorted(said, key=lambda each: each[0]) == [
        ("device_ask", Asked("gripper", Grip(True))),
        ("device_ask", Asked("gripper", Grip(False))),
        ("hand_answer", Gripped(True)),
        ("hand_answer", Gripped(False)),
    ]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_copy_has_the_service_too(copied: object) -> None:
    assert callable(copied)
    model = copied(gripper())
    hand = exchanges_of(model, Service)["hand"]
    assert tell(model, (hand.ask, Grip(True))) == [("device_ask", Asked("gripper", Grip(True)))]
    assert "hand" not in HardwareActivity._declared


def test_its_docstring_says_what_it_does() -> None:
    assert {row["state"] for row in table(HardwareActivity)} == {"waiting", "asked", "answered"}
    assert phases_in_code(HardwareActivity) == set()
    assert ports_listed(HardwareActivity) == set(HardwareActivity._declared)
