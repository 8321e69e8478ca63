"""The driver of JSON robots, against a robot that was written from the protocol's document."""

from __future__ import annotations

import json
from functools import partial
from math import inf
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, Fault, Ranges, Touch
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.protocols.json_robot import JsonRobot
from devs_robotics.hil.protocols.settings import DriverSettings
from devs_robotics.hil.robot_protocol import LATE_ANSWER
from devs_robotics.hil.testing.driver_bench import FEEL, LOOK, SETTINGS, DriverBench, Wish
from tests.hil.protocols.json_peer import JsonPeer

ADDRESS = "mqtt://broker/robot/7"


def table(*wishes: tuple[float, Wish], settings: DriverSettings = SETTINGS) -> DriverBench:
    return DriverBench(Driver("driver", ADDRESS, JsonRobot(7, settings)), *wishes)


def sent(on: DriverBench, kind: str) -> list[dict[str, Any]]:
    messages = [json.loads(data) for _, data in on.sent]
    return [message for message in messages if message["type"] == kind]


def exactly(*motion: float) -> object:
    return pytest.approx(motion, abs=1e-9)


def motions(on: DriverBench) -> list[tuple[float, float]]:
    return [(driven.turn, driven.distance) for driven in on.told(Driven)]


def test_a_move_tells_the_robot_all_it_needs_and_is_done_when_the_robot_says_so() -> None:
    on = table((1.0, Drive(0.5, 0.2)))
    JsonPeer(on)
    on.run()
    assert on.told(Driven) == [Driven(0.5, 0.2)]
    assert on.times(Driven) == [pytest.approx(3.5)]
    (move,) = sent(on, "move")
    assert move == {
        "type": "move",
        "robot": 7,
        "id": 1,
        "turn": 0.5,
        "distance": 0.2,
        "speed": 0.1,
        "turn_rate": 1.0,
        "deadline": pytest.approx(4.75),
    }


def test_the_robot_is_told_that_the_host_is_there_ten_times_a_second() -> None:
    on = table()
    JsonPeer(on)
    on.run(until=2.0)
    beats = [(time, json.loads(data)) for time, data in on.sent if b"heartbeat" in data]
    assert [beat["count"] for _, beat in beats] == list(range(1, len(beats) + 1))
    assert [time for time, _ in beats] == [pytest.approx(0.1 * number) for number in range(len(beats))]


def test_a_robot_that_was_driven_before_gets_numbers_it_does_not_know() -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    robot = JsonPeer(on)
    robot._last = 41
    robot._over = {number: {"id": number, "turn": 0.0, "distance": 9.0, "ended": "done"} for number in range(42)}
    on.run()
    assert motions(on) == [exactly(0.0, 0.1)]
    assert robot.begun == [42]


@pytest.mark.parametrize("last", [2**52 - 1, 2**52, 2**52 + 1, 2**53])
def test_numbers_above_which_no_valid_ones_would_be_left_are_dropped(last: int) -> None:
    on = table((1.0, Drive(0.0, 0.1)), (3.0, Drive(0.0, 0.1)))
    robot = JsonPeer(on)
    robot._last = last
    robot._over = {last: {"id": last, "turn": 0.0, "distance": 9.0, "ended": "done"}}
    on.run()
    if last <= 2**52:
        assert robot.begun == [last + 1, last + 2]
        assert on.driver.dropped == {}
    else:
        assert robot.begun == []
        assert on.driver.dropped.keys() == {f"an id above {2**52} that the host has not used"}
        (fault,) = on.told(Fault)
        assert f"was not found within 5 s (it mentions an id above {2**52}, and has to be restarted)" in fault.reason


def test_a_new_drive_cuts_the_old_one_off() -> None:
    on = table((1.0, Drive(0.5, 0.2)), (2.5, Drive(-0.3, 0.0)))
    JsonPeer(on)
    on.run()
    assert motions(on) == [exactly(0.5, 0.1), exactly(-0.3, 0.0)]
    assert on.times(Driven) == [2.5, pytest.approx(2.8)]


def test_a_blocked_robot_says_how_far_it_got() -> None:
    on = table((1.0, Drive(0.0, 0.2)))
    JsonPeer(on).wall = 0.05
    on.run()
    assert motions(on) == [exactly(0.0, 0.05)]
    assert on.told(Driven)[0].blocked


def test_ranges_are_those_of_the_beams_and_null_is_nothing() -> None:
    on = table((1.0, LOOK), settings=msgspec.structs.replace(SETTINGS, beams=(0.5, 0.0, -0.5)))
    JsonPeer(on).values = [0.3, None, 0.0]
    assert on.run() == [(1.0, Ranges((0.3, inf, 0.0)))]


def test_another_number_of_ranges_than_beams_is_a_fault_in_the_end() -> None:
    on = table((1.0, LOOK))
    JsonPeer(on).values = [0.3, 0.2]
    on.run()
    assert "tells ranges of 2 beams, and the scenario and its certificate are for 1" in on.fault


def test_whiskers_are_told_unasked_and_when_asked() -> None:
    on = table((1.0, FEEL), (3.0, FEEL), (3.0, LOOK))
    robot = JsonPeer(on)
    on.at(2.0, lambda: robot.touch(True))
    on.run()
    assert on.told(Touch) == [Touch(False), Touch(True), Touch(True)]
    assert on.told(Ranges) == [Ranges((0.25,))]
    assert on.driver.dropped == {}
    assert [question["id"] for question in sent(on, "sense")] == [1, 2, 3]


@pytest.mark.parametrize("lost", [1, 2])
def test_a_move_that_was_not_heard_is_sent_again(lost: int) -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    robot = JsonPeer(on)
    robot.deaf = ["move"] * lost
    on.run()
    assert motions(on) == [exactly(0.0, 0.1)]
    assert robot.begun == [1]
    assert robot.gone == pytest.approx(0.1)


def test_a_move_that_is_never_heard_is_a_fault() -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    JsonPeer(on).deaf = ["move"] * 9
    on.run()
    assert "was told to move 3 times, 0.5 s apart, and does not answer" in on.fault
    assert len(sent(on, "move")) == 3


@pytest.mark.parametrize("lost", [1, 2])
def test_an_end_that_was_not_heard_is_asked_for_and_moves_nothing_twice(lost: int) -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    robot = JsonPeer(on)
    robot.mute = ["moved"] * lost
    on.run()
    assert motions(on) == [exactly(0.0, 0.1)]
    assert robot.gone == pytest.approx(0.1)


def test_a_stop_or_its_answer_that_is_lost_is_repeated() -> None:
    for messages in (["stop"], []):
        on = table((1.0, Drive(0.0, 0.5)), (2.0, Drive(0.2, 0.0)))
        robot = JsonPeer(on)
        on.at(1.5, partial(robot.deaf.extend, messages))
        robot.mute = [] if messages else ["moved"]
        on.run()
        assert [sum(part) for part in zip(*motions(on), strict=True)] == [
            pytest.approx(robot.turned),
            pytest.approx(robot.gone),
        ]
        assert len(motions(on)) == 2


@pytest.mark.parametrize("delay", [0.3, 0.6, 0.9])
def test_a_move_that_is_cut_off_while_it_is_still_on_its_way_is_not_forgotten(delay: float) -> None:
    on = table((1.0, Drive(0.0, 0.5)), (1.2, Drive(0.2, 0.0)))
    robot = JsonPeer(on)
    robot.delay = delay
    on.run()
    assert len(motions(on)) == 2
    assert tuple(map(sum, zip(*motions(on), strict=True))) == exactly(robot.turned, robot.gone)
    assert robot.gone > 0.01


def test_a_question_that_was_not_heard_is_asked_again_under_its_number() -> None:
    on = table((1.0, LOOK), (4.0, LOOK))
    JsonPeer(on).deaf = ["sense", "sense"]
    on.run()
    assert on.times(Ranges) == [2.0, 4.0]
    assert [question["id"] for question in sent(on, "sense")] == [1, 1, 1, 2]


def test_double_late_and_unknown_answers_are_counted() -> None:
    on = table((1.0, LOOK), (2.0, Drive(0.0, 0.1)))
    robot = JsonPeer(on)
    robot.answers = 2
    on.at(5.0, lambda: robot.say("ranges", id=1, values=[0.1], touching=False))
    on.at(5.1, lambda: robot.say("ranges", id=0, values=[0.1], touching=False))
    for number, at in ((0, 0.5), (1, 5.2), (2, 5.2), (0, 5.2)):
        on.at(at, partial(robot.say, "moved", id=number, turn=0.0, distance=9.0, ended="done"))
    on.run()
    assert len(on.user.told) == 2
    assert on.driver.dropped == {
        LATE_ANSWER: 2,
        "an answer to no question": 1,
        "the end of a move that was not under way": 4,
    }


@pytest.mark.parametrize("away", [0.05, 0.3, 1.0, 4.0])
def test_after_a_cut_link_the_rest_of_the_move_is_made_and_only_later(away: float) -> None:
    on = table((1.0, Drive(0.5, 0.2)))
    robot = JsonPeer(on)
    on.cut(2.0, mended=2.0 + away)
    on.run()
    assert motions(on) == [exactly(0.5, 0.2)]
    assert (robot.turned, robot.gone) == exactly(0.5, 0.2)
    assert on.times(Driven)[0] < 4.0 + away
    first = next(json.loads(data)["type"] for time, data in on.sent if time >= 2.0 + away)
    assert first == "stop"


def test_a_command_that_was_lost_with_the_link_is_given_again() -> None:
    on = table((2.0, Drive(0.5, 0.2)))
    robot = JsonPeer(on)
    robot.deaf = ["move"]
    on.cut(2.05, mended=2.3)
    on.run()
    assert motions(on) == [exactly(0.5, 0.2)]
    assert len(robot.begun) == 1


def test_a_link_that_is_never_mended_is_a_fault() -> None:
    on = table((1.0, Drive(0.5, 0.2)))
    JsonPeer(on)
    on.cut(2.0)
    on.run()
    assert on.times(Fault) == [7.0]
    assert f"robot 7 at {ADDRESS} was lost and did not come back within 5 s (the link was cut)" in on.fault


def test_a_robot_that_is_not_there_is_a_fault() -> None:
    on = table((1.0, Drive(0.5, 0.2)))
    on.run()
    assert on.times(Fault) == [5.0]
    assert "was not found within 5 s (there is a link, but the robot does not answer)" in on.fault


def test_a_silent_robot_is_waited_for_and_goes_on() -> None:
    on = table((1.0, Drive(0.0, 0.5)), (4.0, LOOK))
    robot = JsonPeer(on)
    on.at(2.0, lambda: setattr(robot, "silent", True))
    on.at(5.0, lambda: setattr(robot, "silent", False))
    on.run()
    assert motions(on) == [exactly(0.0, 0.5)]
    assert on.times(Ranges) == [pytest.approx(5.0, abs=0.2)]


def test_a_robot_that_falls_silent_for_good_is_a_fault() -> None:
    on = table((1.0, Drive(0.0, 0.5)))
    robot = JsonPeer(on)
    on.at(2.0, lambda: setattr(robot, "silent", True))
    on.run()
    assert on.times(Fault) == [pytest.approx(7.5, abs=0.11)]
    assert "(it has been silent for 0.5 s)" in on.fault


def test_another_robots_messages_are_counted_and_dropped() -> None:
    on = table((1.0, Drive(0.0, 0.1)), (1.0, LOOK))
    other = JsonPeer(on, robot=8, session="s8")
    JsonPeer(on)
    other.touching = True
    on.run(until=5.0)
    assert motions(on) == [exactly(0.0, 0.1)]
    assert on.driver.dropped == {"another robot's": pytest.approx(50, abs=2)}


def test_a_slow_robot_that_gives_up_at_its_deadline_goes_on() -> None:
    on = table((1.0, Drive(0.0, 0.4)))
    robot = JsonPeer(on)
    robot.faster = 0.4
    on.run(until=40.0)
    assert motions(on) == [exactly(0.0, 0.4)]
    assert len(robot.begun) == 3


STATE = {"type": "state", "robot": 7, "session": "s1", "count": 1, "moving": 0, "last": 0, "x": 0, "y": 0, "heading": 0}
MOVED = {"type": "moved", "robot": 7, "session": "s1", "id": 1, "turn": 0.0, "distance": 0.1, "ended": "done"}
SEEN = {"type": "ranges", "robot": 7, "session": "s1", "id": 1, "values": [0.1], "touching": False}
WRONG = [
    b"",
    b"\xff\xfe",
    b"[" * 4000,
    b'{"a":' * 800,
    b'"' + b"x" * 5000 + b'"',
    b"null",
    b"[]",
    *(
        json.dumps({**MOVED, **change}).encode()
        for change in (
            {"turn": float("nan")},
            {"distance": inf},
            {"distance": 1e300},
            {"distance": "0.1"},
            {"distance": None},
            {"id": -1},
            {"id": 2**70},
            {"id": 1.5},
            {"ended": "well"},
            {"session": "x" * 33},
            {"robot": "7"},
            {"more": 1},
            {"type": "move"},
        )
    ),
    json.dumps({**SEEN, "values": [-0.1]}).encode(),
    json.dumps({**SEEN, "values": [0.1] * 65}).encode(),
    json.dumps({"type": "touch", "robot": 7, "session": "s1", "touching": 1}).encode(),
    json.dumps({**MOVED, "distance": 1}).replace('"distance": 1', '"distance": 1e999').encode(),
    json.dumps(STATE)[:-1].encode(),
]


@pytest.mark.parametrize("data", WRONG, ids=lambda data: repr(data[:60]))
def test_what_is_no_message_is_counted_and_nothing_else(data: bytes) -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    JsonPeer(on)
    on.say(data, at=1.5)
    on.run(until=4.0)
    assert motions(on) == [exactly(0.0, 0.1)]
    assert sum(on.driver.dropped.values()) == 1


@given(st.lists(st.binary(max_size=200) | st.sampled_from(WRONG), min_size=1, max_size=50))
def test_garbage_is_counted_and_the_next_message_understood(garbage: list[bytes]) -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    JsonPeer(on)
    for data in garbage:
        on.say(data, at=1.5)
    on.run(until=4.0)
    assert motions(on) == [exactly(0.0, 0.1)]
    assert sum(on.driver.dropped.values()) == len(garbage)


def test_ten_thousand_pieces_of_garbage_are_counted() -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    JsonPeer(on)
    for number in range(10_000):
        on.say(WRONG[number % len(WRONG)], at=1.5)
    on.run(until=4.0)
    assert motions(on) == [exactly(0.0, 0.1)]
    assert sum(on.driver.dropped.values()) == 10_000


def test_a_robot_that_says_that_it_went_where_it_was_never_told_to_is_not_believed() -> None:
    on = table((1.0, Drive(0.0, 0.2)))
    robot = JsonPeer(on)
    robot.mute = ["moved"] * 50
    for tenth in range(20, 60):
        far = {"type": "moved", "robot": 7, "session": "s1", "id": 1, "turn": 0.0, "distance": 900.0, "ended": "done"}
        on.say(json.dumps(far).encode(), at=tenth / 10.0)
    on.run()
    assert on.told(Driven) == []
    assert on.driver.dropped["more motion than it was told to make"] > 10
    assert "robot 7" in on.fault
