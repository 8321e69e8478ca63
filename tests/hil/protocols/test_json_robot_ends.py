"""How moves of JSON robots end by themselves, and what is at a bound of what is heard."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from devs_robotics import Drive, Driven, Fault, Touch
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.protocols.json_robot import JsonRobot
from devs_robotics.hil.testing.driver_bench import FEEL, SETTINGS, DriverBench
from tests.hil.protocols.json_peer import JsonPeer
from tests.hil.protocols.test_json_robot import ADDRESS, SEEN, STATE, exactly, motions, sent, table

MOVED = {"type": "moved", "robot": 7, "session": "s1", "turn": 0.0, "distance": 0.1, "ended": "done"}


class Tireless(JsonPeer):
    """Has no deadline of its own."""

    def _begin(self, move: dict[str, Any]) -> None:
        super()._begin({**move, "deadline": 99.0})


def state(session: str = "s1", **fields: int) -> bytes:
    return json.dumps({**STATE, "session": session, **fields}).encode()


def test_a_new_driver_has_had_no_number() -> None:
    on = table()
    on.say(state(count=1), at=1.0)
    on.say(json.dumps({**MOVED, "id": 1}).encode(), at=1.05)
    on.run(until=1.2)
    assert "has made a move 1 that it was never told" in on.fault


def test_a_move_that_the_robot_gives_up_at_its_deadline_three_times_ends_the_run() -> None:
    on = table((1.0, Drive(0.0, 1.0)))
    robot = JsonPeer(on)
    for at in (2.0, 3.0, 4.0):
        on.at(at, partial(robot.end, "deadline"))
    on.run(until=6.0)
    assert on.times(Fault) == [4.0]
    assert "ran out of time 3 times in one move" in on.fault
    assert robot.begun == [1, 2, 3]


@pytest.mark.parametrize("ended", ["silence", "stopped"])
def test_a_move_that_the_robot_gives_up_for_another_reason_may_go_on_more_often(ended: str) -> None:
    on = table((1.0, Drive(0.0, 0.5)))
    robot = JsonPeer(on)
    for at in (2.0, 3.0, 4.0, 5.0):
        on.at(at, partial(robot.end, ended))
    on.run()
    assert motions(on) == [exactly(0.0, 0.5)]
    assert on.times(Driven) == [pytest.approx(6.0)]


@pytest.mark.parametrize("ended", ["deadline", "stopped"])
def test_a_deadline_that_the_host_has_noticed_first_is_counted_once(ended: str) -> None:
    """The robot makes 16 cm of 1 m within 16 s; it ends its move a little later than the host has told it to stop."""
    on = table((1.0, Drive(0.0, 1.0)))
    robot = Tireless(on)
    robot.faster = 0.1
    robot.deaf = ["stop"] * 3  # of which the first is for a robot that is found
    on.at(17.1, partial(robot.end, ended))
    second = 17.1 + 1.5 * 10.0 * (1.0 - 0.161) + 1.0
    on.at(second + 0.1, partial(robot.end, ended))
    on.run(until=second + 5.0)
    assert [time for time, data in on.sent if b'"stop"' in data][1:-1] == [17.0, pytest.approx(second)]
    assert not on.told(Fault)
    assert robot.begun == [1, 3, 5]


def test_a_robot_that_the_broker_has_lost_is_lost_at_once() -> None:
    on = table((1.0, Drive(0.0, 0.5)))
    robot = JsonPeer(on)
    on.at(2.05, robot.die)
    on.run()
    assert on.times(Fault) == [pytest.approx(7.05)]
    assert "was lost and did not come back within 5 s (the broker has lost it)" in on.fault


def test_a_robot_that_is_silent_for_less_than_half_a_second_is_not_lost() -> None:
    """Its last heartbeat is at 2.0 s, the next one at 2.4 s."""
    on = table((1.0, Drive(0.0, 0.5)))
    robot = JsonPeer(on)
    on.at(2.05, partial(setattr, robot, "silent", True))
    on.at(2.35, partial(setattr, robot, "silent", False))
    on.run()
    assert on.times(Driven) == [pytest.approx(6.0)]
    assert len(sent(on, "stop")) == 2


@pytest.mark.parametrize(("length", "heard"), [(4096, True), (4097, False)])
def test_a_message_may_have_4096_bytes(length: int, heard: bool) -> None:
    on = table((1.0, FEEL))
    JsonPeer(on)
    touch = json.dumps({"type": "touch", "robot": 7, "session": "s1", "touching": True}).encode()
    on.say(touch.ljust(length), at=2.0)
    on.run(until=3.0)
    assert on.told(Touch) == [Touch(False), Touch(True)][: 2 if heard else 1]
    assert on.driver.dropped == ({} if heard else {"too long": 1})


def test_what_is_dropped_says_why() -> None:
    on = table()
    JsonPeer(on)
    on.say(b"{}", at=2.0)
    on.say(state(robot=8), at=2.0)
    on.run(until=3.0)
    assert on.driver.dropped == {"no message of the JSON robot protocol": 1, "another robot's": 1}


TOO_FAR = f"an id above {2**52} that the host has not used"


def test_a_number_that_is_too_large_of_a_session_that_is_not_known_is_dropped_and_nothing_else() -> None:
    on = table((3.0, Drive(0.0, 0.1)))
    JsonPeer(on)
    on.say(state("s2", last=2**53), at=2.0)
    on.run(until=5.0)
    assert on.driver.dropped == {TOO_FAR: 1}
    assert motions(on) == [exactly(0.0, 0.1)]


def test_a_number_that_is_too_large_of_a_robot_that_was_lost_is_why_it_does_not_come_back() -> None:
    on = table()
    robot = JsonPeer(on)
    on.at(2.05, partial(setattr, robot, "silent", True))
    on.say(state(count=90, last=2**53), at=4.0)
    on.run()
    assert on.times(Fault) == [pytest.approx(7.6, abs=0.11)]
    assert f"was lost and did not come back within 5 s (it mentions an id above {2**52}, and has to be" in on.fault


def test_a_heartbeat_counts_once_and_from_one() -> None:
    on = table()
    for number, at in ((0, 1.0), (1, 1.1), (1, 1.2), (2, 1.3), (2, 1.4), (1, 1.5)):
        on.say(state(count=number), at=at)
    on.run(until=1.6)
    assert on.driver.dropped == {"a heartbeat that came after a later one": 4}


def test_a_robot_that_has_stopped_itself_is_asked_again_how_far_it_got_and_not_told_to_go_on() -> None:
    """Its last word before it stood was lost; the host learns from a heartbeat that it stands."""
    on = table((1.0, Drive(0.0, 0.5)), (2.05, Drive(0.2, 0.0)))
    robot = JsonPeer(on)
    robot.mute = ["moved"]
    on.run()
    assert motions(on) == [exactly(0.0, 0.105), exactly(0.2, 0.0)]
    assert [move["id"] for move in sent(on, "move")] == [1, 1, 4]
    assert on.driver.dropped == {}


def test_the_answer_to_a_question_of_a_link_that_was_lost_is_late() -> None:
    """The question that goes with a stop, too."""
    on = DriverBench(Driver("driver", ADDRESS, JsonRobot(7, SETTINGS)), (1.0, Drive(0.0, 0.5)), (2.0, Drive(0.2, 0.0)))
    robot = JsonPeer(on)
    on.at(1.9, lambda: robot.mute.append("ranges"))
    on.cut(4.0, mended=4.2)
    on.at(4.3, partial(robot.say, "ranges", id=2, values=[0.5], touching=False))
    on.run(until=6.0)
    assert on.driver.dropped == {"a late or double answer": 1}


def test_word_that_a_former_session_is_over_does_not_disturb_a_move() -> None:
    on = table((1.0, Drive(0.0, 0.5)))
    robot = JsonPeer(on)
    on.say(b'{"type":"gone","robot":7,"session":"s0"}', at=2.05)
    on.run()
    assert on.times(Driven) == [pytest.approx(6.0)]
    assert robot.begun == [1]
    assert len(sent(on, "stop")) == 2  # first and last
    assert on.driver.dropped == {"a message of a session that is over": 1}


def test_an_answer_without_a_number_is_of_nobody_elses_question() -> None:
    on = table()
    for number in range(4):
        on.say(json.dumps({**SEEN, "id": 0}).encode(), at=1.0 + 0.1 * number)
    on.run(until=2.0)
    assert on.driver.dropped == {"an answer to no question": 4}
    assert not on.told(Fault)
