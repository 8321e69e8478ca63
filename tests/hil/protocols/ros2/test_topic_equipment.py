"""Equipment of a robot's own over two topics: what is asked, once, and what is made of what comes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.hil.lab.equipment import EquipmentStandIn
from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.protocols.events import Busy, Dropped, GivenUp, Told
from devs_robotics.hil.protocols.ros2.messages import Stamp
from devs_robotics.hil.protocols.ros2.packets import ASK, TOLD, pack, unpack
from devs_robotics.hil.protocols.ros2.topic_equipment import TopicEquipment, read_text, write_text
from devs_robotics.hil.protocols.ros2.type_store import MessageError
from tests.hil.lab.small_lab import lab_plan, stand_in


def asked(outputs: Iterable[Any]) -> list[dict[str, Any]]:
    """What is asked, as it leaves."""
    packets = [unpack(each) for each in outputs]
    assert {topic for topic, _ in packets} <= {ASK}
    return [json.loads(read_text(data)) for _, data in packets]


def told(**fields: Any) -> bytes:
    """A message of the robot."""
    message = {"type": "told", "robot": 7, "session": "one", "id": 0, "name": "gripper", "data": {"held": True}}
    return write_text(json.dumps(message | fields).encode())


def ask(equipment: TopicEquipment, again: bool = False, there: bool = True, **question: Any) -> list[Any]:
    return list(equipment.ask("gripper", question or {"close": True}, again, Stamp(5), there))


def test_a_request_keeps_its_number_and_a_later_run_begins_above_it() -> None:
    equipment = TopicEquipment(7)
    (first,) = asked(ask(equipment))
    assert first == {"type": "ask", "robot": 7, "id": 5001, "name": "gripper", "data": {"close": True}}
    assert asked(ask(equipment, again=True)) == [first]
    assert asked(ask(equipment, close=False))[0]["id"] == 5002
    later = TopicEquipment(7)
    assert asked(later.ask("gripper", {}, False, Stamp(6), True))[0]["id"] > 5002


def test_answers_are_told_apart_from_what_is_told_by_itself_and_from_what_nobody_waits_for() -> None:
    equipment = TopicEquipment(7)
    (request,) = asked(ask(equipment))
    busy = {"type": "busy", "robot": 7, "session": "one", "id": request["id"], "name": "gripper"}
    for message, event in (
        (told(), Told("gripper", {"held": True}, unasked=True)),
        (write_text(json.dumps(busy).encode()), Busy("gripper")),
        (told(id=request["id"] + 1), Dropped("a late or double answer")),
        (told(robot=8), Dropped("another robot's")),
        (write_text(b"{}"), Dropped("no message of equipment")),
        (told(id=request["id"]), Told("gripper", {"held": True})),
    ):
        assert list(equipment.told(message)) == [event]


def test_a_program_that_restarts_before_it_has_answered_is_given_up() -> None:
    equipment = TopicEquipment(7)
    (request,) = asked(ask(equipment))
    assert list(equipment.told(told())) == [Told("gripper", {"held": True}, unasked=True)]
    (event,) = equipment.told(told(session="two", id=request["id"]))
    assert isinstance(event, GivenUp)
    assert "has restarted what plays its gripper before it answered" in event.why


def test_what_is_asked_before_a_program_is_there_waits_and_is_a_fault_if_none_comes() -> None:
    equipment = TopicEquipment(7)
    assert ask(equipment, there=False) == []
    (request,) = asked(equipment.found())
    assert request["name"] == "gripper"
    assert list(equipment.found()) == []
    (event,) = ask(equipment, again=True, there=False)
    assert isinstance(event, GivenUp)
    assert "no program on it subscribes to equipment/ask and publishes equipment/told" in event.why


@given(st.binary(max_size=60))
def test_garbage_is_counted_and_raises_nothing_but_that(data: bytes) -> None:
    """Of the middleware, as bytes that are no message; and as a text that is none of the protocol."""
    equipment = TopicEquipment(7)
    try:
        events = list(equipment.told(data))
    except MessageError:
        return
    assert events == [Dropped("no message of equipment")]


def test_a_text_longer_than_any_message_is_none() -> None:
    with pytest.raises(MessageError, match="more than 4096 letters"):
        read_text(write_text(b"a" * 5000))


class PlayedBell(EquipmentStandIn):
    """Rings after a second, and counts."""

    takes = 1.0

    def answer(self, robot: int, question: dict[str, Any], pose: Any, time: float) -> dict[str, Any]:
        self.count = getattr(self, "count", 0) + 1
        return {"count": self.count, "at": time}

    def unasked(self, robot: int, pose: Any, time: float) -> dict[str, Any] | None:
        return {"count": -1, "at": time} if time > 1.95 else None


def test_a_stand_in_carries_out_once_what_it_is_asked_says_that_it_is_at_it_and_tells_by_itself() -> None:
    bell = {"bell": f"{PlayedBell.__module__}:PlayedBell"}
    lab = Laboratory(lab_plan(stand_in(7, "ros2", equipment=bell)))
    robot: Any = lab.robots[7]
    said: list[Any] = []

    def send(packet: bytes) -> None:
        topic, data = unpack(packet)
        if topic == TOLD:
            message = json.loads(read_text(data))
            assert message.pop("robot") == 7
            assert message.pop("session")
            said.append(message)

    robot.send = send
    lab.start()
    request = {"type": "ask", "robot": 7, "id": 3, "name": "bell", "data": {}}
    for time in (0.0, 0.5, 1.5):
        lab.advance(time)
        robot.receive(pack(ASK, write_text(json.dumps(request).encode())))
    lab.advance(1.9)
    answer = {"type": "told", "id": 3, "name": "bell", "data": {"count": 1, "at": 1.0}}
    assert said == [{"type": "busy", "id": 3, "name": "bell"}, answer, answer]
    lab.advance(2.05)
    assert said[3:] == [{"type": "told", "id": 0, "name": "bell", "data": {"count": -1, "at": pytest.approx(2.0)}}]
    for wrong in (b"{}", json.dumps(request | {"robot": 8}).encode(), json.dumps(request | {"name": "arm"}).encode()):
        robot.receive(pack(ASK, write_text(wrong)))
    robot.receive(pack(ASK, b"no message"))
    lab.advance(2.06)
    assert robot.dropped == 4


@given(st.text(st.characters(codec="ascii", exclude_characters="\0"), max_size=20))
def test_a_text_is_read_as_it_was_written_and_as_dds_fills_it_up(text: str) -> None:
    """To a whole number of four bytes."""
    said = write_text(text.encode())
    assert read_text(said) == read_text(said + bytes(-len(said) % 4)) == text.encode()
