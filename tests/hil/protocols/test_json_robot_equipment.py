"""Equipment of a JSON robot's own: what is asked is carried out once, and told."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import MsgspecError, Struct, structs
from msgspec import json as msgspec_json

from devs_robotics import Answered, Asked, Drive, Driven, Fault
from devs_robotics.hil.protocols.json_robot import JsonRobot
from devs_robotics.hil.robot_protocol import LARGEST, LATE_ANSWER, Ask, Report, State, Told
from devs_robotics.hil.testing.driver_bench import LOOK, SETTINGS, DriverBench
from tests.approximately import near
from tests.hil.protocols.json_peer import JsonPeer
from tests.hil.protocols.test_json_robot import ADDRESS, motions, sent, table


class Grip(Struct, frozen=True):
    close: bool


class Gripped(Struct, frozen=True):
    held: bool


class Ping(Struct, frozen=True):
    path: tuple[float, ...] = ()
    text: str = ""


CLOSE, OPEN = Asked("gripper", Grip(True)), Asked("gripper", Grip(False))
HELD, FREE = Answered("gripper", Gripped(True)), Answered("gripper", Gripped(False))


def bench(*wishes: tuple[float, Any], knows: bool = True) -> tuple[DriverBench, JsonPeer]:
    on = table(*wishes)
    on.driver.carried |= {"gripper": (Grip, Gripped), "sonar": (Ping, Ping)}
    peer = JsonPeer(on)
    if knows:
        peer.hands = {"gripper": lambda data: {"held": data["close"]}, "sonar": lambda data: data}
    return on, peer


def test_what_is_wanted_is_carried_whatever_its_name() -> None:
    assert table().driver.carries("gripper", Grip, Gripped)


def test_an_action_is_asked_for_and_told() -> None:
    on, peer = bench((1.0, CLOSE), (2.0, OPEN))
    assert on.run(until=4.0) == [(1.0, HELD), (2.0, FREE)]
    assert sent(on, "ask") == [
        {"type": "ask", "robot": 7, "id": 1, "name": "gripper", "data": {"close": True}},
        {"type": "ask", "robot": 7, "id": 2, "name": "gripper", "data": {"close": False}},
    ]
    assert peer.done == [("gripper", {"close": True}), ("gripper", {"close": False})]
    assert on.driver.dropped == {}


def test_moves_questions_and_requests_share_one_row_of_numbers() -> None:
    on, _ = bench((1.0, Drive(0.0, 0.1)), (1.1, CLOSE), (1.2, LOOK), (1.3, Asked("sonar", Ping((1.0, 2.0), "é"))))
    on.run(until=4.0)
    assert [message["id"] for kind in ("move", "ask", "sense") for message in sent(on, kind)] == [1, 2, 4, 3]
    assert motions(on) == [pytest.approx((0.0, 0.1))]
    assert on.told(Answered) == [HELD, Answered("sonar", Ping((1.0, 2.0), "é"))]


@pytest.mark.parametrize("lost", ["deaf", "mute"])
def test_a_question_or_an_answer_that_is_lost_is_asked_again_and_carried_out_once(lost: str) -> None:
    on, peer = bench((1.0, CLOSE))
    getattr(peer, lost).append("ask" if lost == "deaf" else "told")
    assert on.run(until=4.0) == [(1.5, HELD)]
    assert [ask["id"] for ask in sent(on, "ask")] == [1, 1]
    assert peer.done == [("gripper", {"close": True})]


def test_an_action_that_takes_long_is_waited_for() -> None:
    on, peer = bench((1.0, CLOSE), (1.5, OPEN))
    peer.takes = 3.25
    assert on.run(until=12.0) == [(4.25, HELD), (7.5, FREE)]
    assert len(peer.done) == 2
    assert not on.told(Fault)


def test_after_a_lost_link_the_same_is_asked_by_the_same_number() -> None:
    on, peer = bench((1.0, CLOSE))
    peer.mute = ["told"]
    on.cut(1.2, mended=3.0)
    assert on.run(until=6.0) == [(near(3.1, within=0.11), HELD)]
    assert {ask["id"] for ask in sent(on, "ask")} == {1}
    assert peer.done == [("gripper", {"close": True})]


def test_what_is_under_way_when_the_host_is_silent_is_given_up_and_begins_anew() -> None:
    on, peer = bench((1.0, CLOSE))
    peer.takes = 1.0
    on.cut(1.2, mended=3.0)
    ((at, told),) = on.run(until=6.0)
    assert (told, at > 4.0) == (HELD, True)
    assert peer.done == [("gripper", {"close": True})]


def test_a_robot_that_was_asked_before_gets_numbers_that_it_does_not_know() -> None:
    on, peer = bench((1.0, CLOSE))
    peer._asked = 44
    peer._answers = {number: {"held": False} for number in range(45)}
    assert on.run(until=3.0) == [(1.0, HELD)]
    assert [ask["id"] for ask in sent(on, "ask")] == [45]


@pytest.mark.parametrize(("asked", "id_"), [(2**52, 2**52 + 1), (2**52 + 1, None)])
def test_a_number_above_which_none_would_be_left_is_dropped(asked: int, id_: int | None) -> None:
    on, peer = bench((1.0, CLOSE))
    peer._asked = asked
    on.run()
    assert [ask["id"] for ask in sent(on, "ask")] == ([] if id_ is None else [id_])
    assert bool(on.told(Fault)) == (id_ is None)


def test_a_robot_that_knows_no_ask_is_told_of_in_a_sentence_at_once() -> None:
    on, _ = bench((1.0, CLOSE), knows=False)
    on.run()
    assert on.times(Fault) == [1.0]
    assert on.fault == (
        f"robot 7 at {ADDRESS} does not know the message `ask`, and its gripper is to be real: teach its program the "
        "messages ask and told (docs/robot-protocol.md), or let its gripper be virtual"
    )


def test_a_robot_without_such_equipment_is_used_as_before() -> None:
    on, _ = bench((1.0, Drive(0.0, 0.1)), knows=False)
    assert [type(message) for _, message in on.run(until=3.0)] == [Driven]


def test_equipment_that_the_robot_has_not_ends_the_run_in_a_sentence_that_names_it() -> None:
    on, peer = bench((1.0, Asked("sonar", Ping())))
    del peer.hands["sonar"]
    on.run()
    assert "does not answer: its sonar was asked 3 times, 0.5 s apart" in on.fault


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"held": 1}, "no valid Gripped of its gripper: Expected `bool`, got `int` - at `$.held`"),
        ({"held": True, "colour": "red"}, "no valid Gripped of its gripper: it has fields that are not known"),
        ({"held": {"deep": True}}, "no message of the JSON robot protocol"),
        ({"held": "x" * 65}, "no message of the JSON robot protocol"),
        ({str(number): 1 for number in range(17)}, "no message of the JSON robot protocol"),
        ({"path": [0.0] * 33}, "no message of the JSON robot protocol"),
        ({"x" * 33: 1}, "no message of the JSON robot protocol"),
    ],
)
def test_an_answer_that_does_not_fit_is_dropped_counted_and_told_of(answer: Any, why: str) -> None:
    on, peer = bench((1.0, CLOSE))
    peer.hands["gripper"] = lambda data: answer
    on.run()
    assert on.driver.dropped == {why: 3}
    assert f"its gripper was asked 3 times (what came last was dropped: {why})" in on.fault
    assert [ask["id"] for ask in sent(on, "ask")] == [1, 1, 1]
    assert len(peer.done) == 1
    assert not on.told(Answered)


@pytest.mark.parametrize(
    ("question", "why"),
    [
        (Ping((nan,)), "Expected `float` >= -1e+300"),
        (Ping((0.0, inf)), "Expected `float` <= 1e+300"),
        (Ping((0.0,) * 33), "Expected `array` of length <= 32"),
        (Ping(text="x" * 65), "Expected `str` of length <= 64"),
    ],
)
def test_a_question_that_cannot_be_said_ends_the_run_in_a_sentence(question: Ping, why: str) -> None:
    on, peer = bench((1.0, Asked("sonar", question)))
    on.run()
    assert f"cannot be asked what its sonar is asked ({why}" in on.fault
    assert "): keep to what docs/robot-protocol.md allows" in on.fault
    assert not peer.done


def test_what_is_told_unasked_is_passed_on_while_something_is_asked() -> None:
    on, peer = bench((1.0, CLOSE))
    peer.takes = 1.0
    for at in (0.5, 1.5):
        on.at(at, lambda: peer.say("told", id=0, name="gripper", data={"held": False}))
    assert on.run(until=4.0) == [(0.5, FREE), (1.5, FREE), (2.0, HELD)]


def test_late_and_double_answers_are_dropped() -> None:
    on, peer = bench((1.0, CLOSE), (2.0, OPEN))
    for at, number in ((1.5, 1), (2.5, 1), (2.6, 2)):
        on.at(at, lambda number=number: peer.say("told", id=number, name="gripper", data={"held": True}))  # type: ignore[misc]
    on.at(2.7, lambda: peer.say("told", id=2, name="sonar", data={}))
    assert on.run(until=4.0) == [(1.0, HELD), (2.0, FREE)]
    assert on.driver.dropped == {"an answer to no question": 2, LATE_ANSWER: 2}


def test_a_robot_that_restarts_before_it_has_answered_ends_the_run() -> None:
    on, peer = bench((1.0, CLOSE))
    peer.takes = 5.0
    on.at(2.0, peer.die)
    on.at(2.2, lambda: restarted(on))
    on.run()
    assert (
        "has restarted before its gripper answered, so that nobody knows whether it did what it was asked: look"
        in on.fault
    )
    assert not on.told(Answered)


def test_a_robot_that_restarts_when_all_is_answered_is_used_again() -> None:
    on, peer = bench((1.0, CLOSE), (4.0, OPEN))
    on.at(2.0, peer.die)
    on.at(2.2, lambda: restarted(on))
    assert on.run(until=6.0) == [(1.0, HELD), (4.0, FREE)]


def restarted(on: DriverBench) -> None:
    peer = JsonPeer(on, session="s2")
    peer.hands = {"gripper": lambda data: {"held": data["close"]}}


def test_what_somebody_else_asks_ends_the_run() -> None:
    on, peer = bench((1.0, CLOSE))
    strange = {"type": "ask", "robot": 7, "id": 9, "name": "gripper", "data": {"close": False}}
    on.at(1.5, lambda: peer.hear(json.dumps(strange).encode()))
    on.run()
    assert (
        "was asked something (id 9) that nobody here asked: somebody else commands it; end the other program"
        in on.fault
    )


def test_answers_to_what_was_never_asked_end_the_run() -> None:
    on, peer = bench()
    for at in (1.0, 1.1, 1.2):
        on.at(at, lambda: peer.say("told", id=77, name="gripper", data={"held": True}))
    on.run()
    assert "answers questions that it was never asked: somebody else commands it" in on.fault


def test_a_run_that_ends_leaves_nothing_under_way() -> None:
    on, peer = bench((1.0, CLOSE))
    peer.takes = 2.0
    on.run(until=1.5)
    assert peer.done == []
    assert json.loads(on.sent[-1][1])["type"] == "stop"


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=32)
numbers = st.floats(-1e300, 1e300)
values = st.one_of(
    st.booleans(),
    st.integers(-(2**53), 2**53),
    numbers,
    st.text(st.characters(codec="utf-8"), max_size=64),
    st.lists(numbers, max_size=32),
)
datas = st.dictionaries(names, values, max_size=16)
DECODE_ASK, DECODE = msgspec_json.Decoder(Ask).decode, msgspec_json.Decoder(Report).decode


@given(st.integers(1, 2**53), names, datas)
def test_whatever_the_bounds_allow_survives_the_wire(number: int, name: str, data: dict[str, Any]) -> None:
    ask, told = Ask(7, number, name, data), Told(7, "s", number, name, data)
    assert DECODE_ASK(msgspec_json.encode(ask)) == ask
    assert DECODE(msgspec_json.encode(told)) == told
    assert json.loads(msgspec_json.encode(told))["data"] == data


too_much = st.one_of(
    st.none(),
    st.integers(2**53 + 1, 2**70),
    st.just(1e301),
    st.text(min_size=65, max_size=70),
    st.lists(numbers, min_size=33, max_size=40),
    st.lists(st.booleans(), min_size=1),
    st.dictionaries(names, values),
)


@given(names, datas, too_much, st.data())
def test_anything_else_is_dropped_and_counted(name: str, data: dict[str, Any], wrong: Any, draw: st.DataObject) -> None:
    data = dict(list(data.items())[:15]) | {draw.draw(names): wrong}
    message = {"type": "told", "robot": 7, "session": "s", "id": 0, "name": name, "data": data}
    robot = JsonRobot(7, SETTINGS)
    (output,) = robot.feed(json.dumps(message).encode())
    assert str(output).startswith("Dropped(why=")


@given(st.binary(max_size=200))
def test_bytes_that_follow_a_valid_beginning_raise_nothing(tail: bytes) -> None:
    robot = JsonRobot(7, SETTINGS)
    list(robot.feed(b'{"type":"told","robot":7,"session":"s","id":0,"name":"gripper","data":' + tail))


def test_old_robots_say_the_same_state_as_before() -> None:
    state = State(7, "s", 1, 0, 0, 0.0, 0.0, 0.0)
    assert b"asked" not in msgspec_json.encode(state)
    assert b'"asked":0' in msgspec_json.encode(structs.replace(state, asked=0))


def test_a_request_has_an_id_above_zero_and_no_message_is_too_long() -> None:
    with pytest.raises(MsgspecError):
        DECODE_ASK(b'{"type":"ask","robot":7,"id":0,"name":"a","data":{}}')
    robot = JsonRobot(7, SETTINGS)
    list(robot.feed(msgspec_json.encode(State(7, "s", 1, 0, 0, 0.0, 0.0, 0.0, 0))))
    (output,) = robot.ask("sonar", {f"k{n}": [0.1234567890123456] * 32 for n in range(16)}, again=False)
    assert f"it is longer than {LARGEST} bytes" in str(output)
