"""Equipment of robots' own that stand-ins play, each by a class that a plan names."""

from __future__ import annotations

import re
from typing import Any

import pytest

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.hil.lab import plan_text
from devs_robotics.hil.robot_protocol import SILENCE, Ask, Busy, State, Told
from tests.hil.lab import played
from tests.hil.lab.small_lab import SmallLab, lab_plan, move, stand_in

PLACE = played.__name__
GRIPPER = {"gripper": f"{PLACE}:Gripper"}
COMPASS = {"compass": f"{PLACE}:Compass"}


def told(lab: SmallLab, robot: int = 1) -> list[tuple[int, Any]]:
    return [(each.id, each.data) for each in lab.reports(Told, robot=robot)]


def test_a_plan_with_equipment_survives_its_text() -> None:
    plan = lab_plan(stand_in(equipment=GRIPPER), settings={"reach": 0.2, "places": [[1.0, 2.0]], "name": None})
    assert plan_text.decode(plan_text.encode(plan)) == plan


def test_it_answers_and_an_id_that_comes_again_is_answered_alike_and_not_carried_out() -> None:
    lab = SmallLab(stand_in(equipment=GRIPPER), stand_in(2, y=2.0, equipment=GRIPPER))
    lab.say(Ask(1, 1, "gripper", {"close": True}))
    lab.say(Ask(1, 2, "gripper", {"close": False}))
    lab.say(Ask(2, 1, "gripper", {"close": True}))
    lab.say(Ask(1, 1, "gripper", {"close": True}))
    assert told(lab) == [(1, {"held": True}), (2, {"held": False}), (1, {"held": True})]
    assert told(lab, 2) == [(1, {"held": True})]


def test_one_object_plays_the_equipment_of_all_robots() -> None:
    lab = SmallLab(stand_in(equipment=GRIPPER), stand_in(2, y=2.0, equipment=GRIPPER))
    lab.say(Ask(1, 1, "gripper", {"close": True}))
    lab.say(Ask(2, 1, "gripper", {"close": True}))
    assert told(lab) == [(1, {"held": True})]
    assert told(lab, 2) == [(1, {"held": False})]


def test_what_takes_its_time_sees_where_the_robot_is_then_and_says_meanwhile_that_it_is_at_it() -> None:
    lab = SmallLab(stand_in(equipment=COMPASS))
    lab.attend(0.1)
    lab.say(move(1, distance=1.0))
    lab.say(Ask(1, 2, "compass", {"text": "where"}))
    lab.attend(0.1)
    lab.say(Ask(1, 2, "compass", {"text": "where"}))
    assert [busy.id for busy in lab.reports(Busy)] == [2]
    lab.attend(0.3)
    answer = {"robot": 1, "pose": pytest.approx([1.125, 1.0, 0.0]), "time": pytest.approx(0.35), "asked": "where"}
    assert told(lab) == [(2, answer)]


def test_what_is_under_way_when_the_host_is_silent_is_given_up_and_begins_anew() -> None:
    lab = SmallLab(stand_in(equipment=COMPASS))
    lab.laboratory.robots[1].surroundings.equipment["compass"]._player.takes = SILENCE + 0.1  # type: ignore[misc]
    lab.attend(0.1)
    lab.say(Ask(1, 1, "compass", {}))
    lab.wait(2.0)
    assert told(lab) == []
    lab.attend(0.1)
    lab.say(Ask(1, 1, "compass", {}))
    lab.attend(SILENCE + 0.2)
    assert [number for number, _ in told(lab)] == [1]


def test_before_anything_happens_it_is_told_the_scene_and_what_it_shares_with_others() -> None:
    """Poses are those of robots that have such equipment, and true at any time."""
    painter, scanner = {"painter": f"{PLACE}:Painter"}, {"scanner": f"{PLACE}:Scanner"}
    lab = SmallLab(stand_in(equipment=painter), stand_in(2, y=2.0, equipment=scanner), settings={"colour": "red"})
    lab.attend(0.1, robot=2)
    lab.say(move(1, distance=1.0, robot=2))
    lab.attend(0.4, robot=2)
    lab.say(Ask(1, 1, "painter", {}))
    lab.say(Ask(2, 2, "scanner", {}))
    ((_, data),) = told(lab, 2)
    assert data == {"colour": "red", "place": 1.0, "there": [2], "x": pytest.approx(1.2)}


def test_a_class_that_cannot_begin_is_told_before_the_lab_begins() -> None:
    with pytest.raises(DevsRoboticsError) as error:
        SmallLab(stand_in(equipment={"claw": f"{PLACE}:Unready"}))
    place = r"\(\S*played\.py, line \d+\)"
    expected = rf"the stand-in '{PLACE}:Unready' cannot begin \(KeyError: 'width' {place}\): mend the class"
    assert re.fullmatch(expected, str(error.value))


def test_its_state_says_what_it_was_asked_if_it_has_any() -> None:
    lab = SmallLab(stand_in(equipment=GRIPPER), stand_in(2, y=2.0))
    lab.say(Ask(1, 44, "gripper", {"close": True}))
    lab.wait(0.1)
    assert [state.asked for state in lab.reports(State)] == [0, 44]
    assert [state.asked for state in lab.reports(State, robot=2)] == [None, None]


def test_what_it_tells_unasked_has_no_id_and_what_is_not_answered_is_over() -> None:
    """A radio: what one robot says is not answered, and the others hear it."""
    radio = {"radio": f"{PLACE}:Radio"}
    lab = SmallLab(stand_in(equipment=radio), stand_in(2, y=2.0, equipment=radio))
    lab.say(Ask(1, 5, "radio", {"text": "hello"}))
    lab.wait(0.5)
    lab.say(Ask(1, 5, "radio", {"text": "hello"}))
    lab.wait(0.5)
    assert told(lab) == [(5, None), (5, None)]
    assert told(lab, 2) == [(0, {"sender": 1, "text": "hello"})]


def test_what_is_no_question_for_it_is_dropped() -> None:
    lab = SmallLab(stand_in(equipment=GRIPPER))
    lab.say(Ask(1, 1, "arm", {}))
    lab.tell(b'{"type":"ask","robot":1,"id":0,"name":"gripper","data":{}}')
    lab.tell(b'{"type":"ask","robot":1,"id":1,"name":"gripper","data":{"close":null}}')
    lab.tell(b'{"type":"ask","robot":2,"id":1,"name":"arm","data":{}}')
    robot: Any = lab.laboratory.robots[1]
    assert robot.dropped == {"for equipment that it does not have": 1, "no command": 2, "another robot's": 1}
    assert told(lab) == []


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        (f"{PLACE}:Claw", f"the stand-in '{PLACE}:Claw' is not there: {PLACE} has no class 'Claw'"),
        ("nowhere:Claw", "the stand-in 'nowhere:Claw' is not there: no module 'nowhere' can be imported"),
        ("claw", "'claw' can name no stand-in: write module:Class"),
        (f"{PLACE}:Nothing", "plays no equipment: derive it from devs_robotics.hil.lab.equipment.EquipmentStandIn"),
        (f"{PLACE}:Unmade", f"the stand-in '{PLACE}:Unmade' cannot be made (OSError: no power ("),
    ],
)
def test_a_class_that_plays_nothing_is_told_before_the_lab_begins(target: str, sentence: str) -> None:
    with pytest.raises(DevsRoboticsError) as error:
        SmallLab(stand_in(equipment={"claw": target}))
    assert sentence in str(error.value)


def test_only_robots_that_speak_json_have_any() -> None:
    with pytest.raises(
        DevsRoboticsError, match="robot 3 of the lab speaks 'epuck-ascii', which carries no gripper: leave"
    ):
        SmallLab(stand_in(3, "epuck-ascii", equipment=GRIPPER))


@pytest.mark.parametrize(
    ("deep", "why"),
    [(True, "it said {'deep': {}}: Expected `bool | int | float | str | array`"), (False, "KeyError: 'nothing'")],
)
def test_a_class_that_fails_ends_the_lab_in_a_sentence(deep: bool, why: str) -> None:
    lab = SmallLab(stand_in(equipment={"claw": f"{PLACE}:Broken"}))
    with pytest.raises(DevsRoboticsError) as error:
        lab.say(Ask(1, 1, "claw", {"deep": deep}))
    assert f"the stand-in {PLACE}:Broken failed for robot 1 ({why}" in str(error.value)
