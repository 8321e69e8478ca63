"""Answers of e-pucks on a serial line: what is one, what is none, and how the next one is found after that."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest

from devs_robotics import Drive, Fault, Ranges
from devs_robotics.hil.testing.driver_bench import LOOK, DriverBench, Wish
from tests.approximately import near
from tests.hil.protocols.epuck_peer import BinaryPeer, EpuckPeer
from tests.hil.protocols.test_epuck import bench, driver, every_protocol, lit, motion, odometry, same

ASK, ASK_OLD = b"\xaf\xb2\xaf\xf3\x00", b"\xaf\xb2\xaf\x00"
STOP = bytes(4) + b"\xbc\0\0\0\0\0"


def binary(*wishes: tuple[float, Wish]) -> tuple[DriverBench, BinaryPeer]:
    on, robot = bench("epuck-binary", *wishes)
    assert isinstance(robot, BinaryPeer)
    return on, robot


def cut_short(robot: EpuckPeer, size: int) -> None:
    """Have its next answer end after so many bytes."""
    say = robot.say

    def once(data: bytes) -> None:
        robot.say = say  # type: ignore[method-assign]
        say(data[:size])

    robot.say = once  # type: ignore[method-assign]


def times(on: DriverBench, said: bytes) -> list[float]:
    return [time for time, data in on.sent if data == said]


def test_a_robot_is_asked_twenty_times_per_second() -> None:
    for protocol, asks in (("epuck-binary", ASK), ("epuck-ascii", b"Q\rN\r")):
        on, _ = bench(protocol)
        on.run(until=1.52)
        assert times(on, asks) == [near(0.05 * number) for number in range(31)]


def test_a_question_is_asked_at_once() -> None:
    for protocol in ("epuck-binary", "epuck-ascii"):
        on, _ = bench(protocol, (1.01, LOOK), (1.07, "feel"))
        on.run(until=2.0)
        assert [time for time, _ in on.user.told] == [1.01, 1.07]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4])
def test_the_stop_message_stops_a_robot_though_a_command_was_cut_off(size: int) -> None:
    (stop,) = driver("epuck-binary").stop_message()
    assert stop == STOP
    _, robot = binary()
    robot.set_speeds(100, 100)
    robot.hear(b"\xbc\x22\x22\x22\x22"[:size] if size < 5 else b"")
    robot.hear(stop)
    assert robot.speeds == (0, 0)


def test_bytes_that_nobody_asked_for_are_counted() -> None:
    on, _ = binary((3.0, LOOK))
    on.say(bytes(7), at=2.01)
    on.run(until=4.0)
    assert on.driver.dropped == {"bytes that nobody asked for": 7}
    assert on.told(Ranges)


@pytest.mark.parametrize("size", [1, 10, 24, 25])
def test_a_part_of_an_answer_is_dropped_when_no_more_has_come_for_half_a_second(size: int) -> None:
    """As it is known by then that the robot sees ahead, 24 bytes are a part too."""
    on, robot = binary((4.0, LOOK))
    robot.ahead = 300
    on.at(2.01, partial(cut_short, robot, size))
    on.run(until=5.0)
    assert on.driver.dropped == {"part of an answer": size}
    asked = [time for time in times(on, ASK) if time > 2.01]
    assert asked[:2] == [near(2.05), near(2.55, 0.051)]
    assert on.told(Ranges) == [Ranges((near(0.3),))]


@pytest.mark.parametrize("size", [10, 25])
def test_a_first_answer_that_is_cut_short_says_nothing_of_what_the_robot_has(size: int) -> None:
    on, robot = binary((2.0, LOOK))
    robot.ahead = 300
    cut_short(robot, size)
    on.run(until=3.0)
    assert on.driver.dropped == {"part of an answer": size}
    assert on.told(Ranges) == [Ranges((near(0.3),))]


def test_a_robot_that_does_not_see_ahead_is_known_after_its_first_answer() -> None:
    on, robot = binary((0.5, LOOK))
    robot.old = True
    robot.proximity[0] = lit(0.04)
    assert driver("epuck-binary").protocol.patience == 1.0
    assert driver("epuck-ascii").protocol.patience == driver("epuck2-wifi").protocol.patience == 0.5
    on.run(until=2.02)
    assert on.times(Ranges) == [pytest.approx(0.55, abs=0.01)]
    assert times(on, ASK) == [0.0]
    old = times(on, ASK_OLD)
    assert old[0] == pytest.approx(0.5, abs=0.051)
    later = [time for time in old if time > 0.6]
    assert [after - before for before, after in pairwise(later)] == [near(0.05)] * 27
    assert on.driver.dropped == {}
    assert on.driver.protocol.patience == near(0.5)


def test_bytes_that_are_out_of_step_are_waited_out_and_then_it_goes_on_as_before() -> None:
    on, robot = binary((1.0, Drive(0.0, 0.1)), (6.0, LOOK))
    on.at(4.01, partial(setattr, robot, "drift", 300))
    on.at(4.06, partial(setattr, robot, "drift", 0))
    for at in (4.08, 4.12, 4.16):
        on.say(bytes(3), at=at)
    on.run(until=7.0)
    assert on.driver.dropped == {"part of an answer": 26, "bytes that nobody asked for": 9}
    asked = [time for time in times(on, ASK) if time > 4.01]
    assert asked[0] == near(4.05)
    assert asked[1] == pytest.approx(4.3, abs=0.051)
    assert asked[3] - asked[2] == asked[2] - asked[1] == near(0.05)
    assert on.told(Ranges)
    assert motion(on) == same(odometry(robot))


@pytest.mark.parametrize(("brightest", "valid"), [(4095, True), (4096, False)])
@pytest.mark.parametrize("sensor", [0, 7])
def test_no_proximity_is_brighter_than_4095(sensor: int, brightest: int, valid: bool) -> None:
    for protocol, complaint in (("epuck-ascii", "no answer"), ("epuck-binary", "part of an answer")):
        on, robot = bench(protocol, (2.0, LOOK))
        on.at(1.01, partial(robot.proximity.__setitem__, sensor, brightest))
        on.at(1.06, partial(robot.proximity.__setitem__, sensor, 0))
        on.run(until=3.0)
        assert on.driver.dropped == ({} if valid else {complaint: 26 if protocol == "epuck-binary" else 1})
        assert on.told(Ranges)


def test_lines_that_nobody_asked_for_are_told_from_those_that_mean_nothing() -> None:
    on, _ = bench("epuck-ascii", (4.0, LOOK))
    on.say(b"q,5,5\r\n", at=2.01)
    on.say(b"n,0,0,0,0,0,0,0,0\r\n", at=2.02)
    on.say(b"z,Command not found\r\nn,0,0\r\nd\r\ns\r\n", at=2.03)
    on.run(until=5.0)
    assert on.driver.dropped == {"an answer to no question": 2, "no answer": 2}
    assert on.told(Ranges)


HALF = {
    "epuck-ascii": b"q,1,1\r\nn,0,0",
    "epuck-binary": bytes(20),
    "epuck2-wifi": b"\x02" + bytes(50),
}


@every_protocol
def test_what_was_half_said_when_a_link_was_lost_is_forgotten(protocol: str) -> None:
    on, robot = bench(protocol, (4.0, LOOK))
    robot.latency = 0.015
    on.say(HALF[protocol], at=2.012)
    on.cut(2.014, mended=2.4)
    on.run(until=5.0)
    assert on.driver.dropped == {}
    assert on.told(Ranges)
    assert not on.told(Fault)


def test_counters_of_a_link_that_was_lost_are_of_no_answer_on_the_next_one() -> None:
    on, robot = bench("epuck-ascii", (4.0, LOOK))
    robot.latency = 0.015
    on.say(b"q,1,1\r\n", at=2.012)
    on.cut(2.014, mended=2.4)
    on.say(b"n,0,0,0,0,0,0,0,0\r\n", at=2.41)
    on.run(until=5.0)
    assert on.driver.dropped == {"no answer": 1}
