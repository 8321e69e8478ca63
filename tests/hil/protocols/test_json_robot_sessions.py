"""Sessions of JSON robots: one that has restarted, and two at one address."""

from __future__ import annotations

import json
from functools import partial

import pytest

from devs_robotics import Drive, Fault, Ranges, Touch
from devs_robotics.hil.robot_protocol import LATE_ANSWER
from devs_robotics.hil.testing.driver_bench import FEEL, LOOK, Wish
from tests.hil.protocols.json_peer import JsonPeer
from tests.hil.protocols.test_json_robot import ADDRESS, exactly, motions, sent, table


@pytest.mark.parametrize("leaves_a_will", [True, False])
def test_a_robot_that_restarts_in_mid_move_is_a_fault_since_nobody_knows_how_far_it_got(leaves_a_will: bool) -> None:
    on = table((1.0, Drive(0.0, 0.5)))
    robot = JsonPeer(on)
    on.at(2.0, lambda: robot.die(leaves_a_will=leaves_a_will))
    on.at(3.0, lambda: JsonPeer(on, session="s2"))
    on.run()
    assert on.times(Fault) == [pytest.approx(3.3, abs=0.01)]
    assert "has restarted in the middle of a move, so that nobody knows how far it got" in on.fault


def test_a_robot_that_restarts_at_rest_goes_on() -> None:
    on = table((1.0, Drive(0.0, 0.1)), (5.0, Drive(0.0, 0.2)), (6.0, LOOK))
    robot = JsonPeer(on)
    on.at(3.0, lambda: robot.die(leaves_a_will=False))
    on.at(3.2, lambda: JsonPeer(on, session="s2"))
    on.at(3.4, lambda: on.say(b'{"type":"gone","robot":7,"session":"s1"}'))
    on.run()
    assert motions(on) == [exactly(0.0, 0.1), exactly(0.0, 0.2)]
    assert on.driver.dropped == {"a message of a session that is over": 1}


@pytest.mark.parametrize("wishes", [[], [(1.0, Drive(0.0, 0.5))]])
def test_two_robots_at_one_address_are_a_fault(wishes: list[tuple[float, Wish]]) -> None:
    on = table(*wishes)
    JsonPeer(on)
    on.at(2.02, lambda: JsonPeer(on, session="s2"))
    on.run()
    assert on.times(Fault) == [pytest.approx(2.1, abs=0.11)]
    assert f"robot 7 at {ADDRESS} is two robots that answer in turn: give each robot an address of its own" in on.fault


@pytest.mark.parametrize(
    ("sessions", "two"), [("aba", True), ("abca", True), ("abcdefghia", True), ("abcdefghija", False)]
)
def test_a_session_that_is_over_is_remembered_through_eight_others(sessions: str, two: bool) -> None:
    on = table()
    for at, session in enumerate(sessions):
        state = {"type": "state", "robot": 7, "session": session, "count": 1, "moving": 0, "last": 0}
        on.say(json.dumps({**state, "x": 0.0, "y": 0.0, "heading": 0.0}).encode(), at=0.3 * at)
    on.run(until=6.0)
    assert on.times(Fault) == ([pytest.approx(0.3 * (len(sessions) - 1))] if two else [])
    assert not two or "is two robots that answer in turn" in on.fault


def test_what_was_asked_over_a_link_that_was_lost_is_asked_anew() -> None:
    on = table((1.0, LOOK), (1.0, FEEL))
    robot = JsonPeer(on)
    robot.mute = ["ranges", "ranges"]
    on.cut(1.2, mended=1.6)
    for number in (1, 2):
        on.at(1.61, partial(robot.say, "ranges", id=number, values=[0.5], touching=True))
    on.run()
    assert [question["id"] for question in sent(on, "sense")] == [1, 2, 3, 4]
    assert on.told(Ranges) == [Ranges((0.25,))]
    assert on.told(Touch) == [Touch(False)]
    assert on.driver.dropped == {LATE_ANSWER: 2}


def test_what_a_robot_was_asked_before_it_restarted_is_asked_anew() -> None:
    on = table((3.02, LOOK), (3.02, FEEL))
    robot = JsonPeer(on)
    on.at(3.01, lambda: robot.die(leaves_a_will=False))
    on.at(3.1, lambda: JsonPeer(on, session="s2"))
    on.run()
    assert [question["id"] for question in sent(on, "sense")] == [1, 2, 3, 4]
    assert on.told(Ranges) == [Ranges((0.25,))]
    assert on.told(Touch) == [Touch(False)]
    assert on.driver.dropped == {}


def test_a_robot_at_rest_whose_link_comes_back_is_told_to_stop_and_nothing_else() -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    JsonPeer(on)
    on.cut(5.0, mended=5.5)
    on.run(10.0)
    assert [json.loads(data)["type"] for time, data in on.sent if 5.0 < time < 10.0 and b"heartbeat" not in data] == [
        "stop"
    ]
    assert motions(on) == [exactly(0.0, 0.1)]


def test_the_first_word_of_a_robot_is_heard_and_not_only_the_next_one() -> None:
    on = table((0.5, LOOK))
    state = {"type": "state", "robot": 7, "session": "a", "count": 1, "moving": 0, "last": 0}
    on.say(json.dumps({**state, "x": 0.0, "y": 0.0, "heading": 0.0}).encode(), at=1.0)
    on.run(until=1.2)
    assert [time for time, data in on.sent if b"sense" in data] == [1.0]


def test_a_robot_that_has_restarted_in_mid_move_is_told_nothing_while_it_is_not_known_whether_it_is_two() -> None:
    on = table((1.0, Drive(0.0, 0.5)), (3.15, Drive(0.2, 0.0)))
    robot = JsonPeer(on)
    on.at(2.95, lambda: robot.die(leaves_a_will=False))
    on.at(3.0, lambda: JsonPeer(on, session="s2"))
    on.run()
    assert on.times(Fault) == [pytest.approx(3.3, abs=0.01)]
    assert {json.loads(data)["type"] for time, data in on.sent if 3.0 < time < 3.29} == {"heartbeat"}
