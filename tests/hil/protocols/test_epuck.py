"""The drivers of e-pucks, against robots that were written from the facts about their protocols."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import partial
from math import inf, pi

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import DevsRoboticsError, Drive, Driven, Fault, Packet, Ranges, Touch
from devs_robotics.hil.drivers import Driver, DriverSettings, driver_for
from devs_robotics.hil.testing.driver_bench import FEEL, LOOK, SETTINGS, DriverBench, Wish
from tests.approximately import near
from tests.hil.protocols.epuck_peer import AsciiPeer, BinaryPeer, EpuckPeer, WifiPeer

STEP = pi * 0.041 / 1000.0
AXLE = 0.053
PEERS: dict[str, Callable[[DriverBench], EpuckPeer]] = {
    "epuck-ascii": AsciiPeer,
    "epuck-binary": BinaryPeer,
    "epuck2-wifi": WifiPeer,
}

every_protocol = pytest.mark.parametrize("protocol", PEERS)


def driver(protocol: str, settings: DriverSettings = SETTINGS) -> Driver:
    return driver_for(protocol)("driver", 3, "serial:///dev/robot", settings)


def bench(protocol: str, *wishes: tuple[float, Wish]) -> tuple[DriverBench, EpuckPeer]:
    on = DriverBench(driver(protocol), *wishes)
    return on, PEERS[protocol](on)


def lit(distance: float) -> int:
    """What a proximity sensor of a real e-puck2 reads (Stolfi and Danoy, eq. (1))."""
    return round(4095.0 * (197.8633 * distance**2 - 30.47182 * distance + 1.011635))


def odometry(robot: EpuckPeer) -> tuple[float, float]:
    """What the wheels have made of the robot's way so far, in whole steps."""
    left, right = map(round, robot.steps)
    return (right - left) * STEP / AXLE, 0.5 * (left + right) * STEP


def motion(on: DriverBench) -> tuple[float, float]:
    """The sum of what was reported."""
    return sum(driven.turn for driven in on.told(Driven)), sum(driven.distance for driven in on.told(Driven))


def same(motion: tuple[float, float]) -> object:
    return pytest.approx(motion, abs=1e-9)


@every_protocol
@pytest.mark.parametrize("latency", [0.0, 0.015])
@pytest.mark.parametrize("faster", [1.0, 0.9, 1.1])
@pytest.mark.parametrize("drive", [Drive(0.5, 0.2), Drive(-3.0, 0.0), Drive(0.0, -0.15), Drive(0.02, 0.003)], ids=str)
def test_a_move_ends_within_a_step_or_two_and_is_reported_as_counted(
    protocol: str, latency: float, faster: float, drive: Drive
) -> None:
    on, robot = bench(protocol, (1.0, drive))
    robot.latency, robot.faster = latency, faster
    on.run()
    assert len(on.told(Driven)) == 1
    assert motion(on) == same(odometry(robot))
    turn, distance = motion(on)
    assert turn == pytest.approx(drive.turn, abs=4.0 * STEP / AXLE)
    assert distance == pytest.approx(drive.distance, abs=2.5 * STEP)
    assert robot.speeds == (0, 0)


@every_protocol
def test_a_move_of_an_ideal_robot_takes_little_longer_than_it_must(protocol: str) -> None:
    on, _ = bench(protocol, (1.0, Drive(0.5, 0.2)))
    on.run()
    assert on.times(Driven)[0] < 1.0 + 0.5 + 2.0 + 1.0


@every_protocol
def test_a_move_of_less_than_a_step_is_done_when_the_robot_is_next_read(protocol: str) -> None:
    on, robot = bench(protocol, (1.01, Drive(0.001, 0.00001)))
    assert on.run() == [(near(1.05, 0.03), Driven(0.0, 0.0))]
    assert robot.steps == [0.0, 0.0]


@every_protocol
def test_wheels_that_stall_are_blocked(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.5, 0.2)))
    robot.wall = 700.0
    on.run()
    (driven,) = on.told(Driven)
    assert driven.blocked
    assert (driven.turn, driven.distance) == same(odometry(robot))
    assert driven.distance == pytest.approx(700.0 * STEP, abs=STEP)
    assert robot.speeds == (0, 0)


@every_protocol
def test_a_new_drive_cuts_the_old_one_off(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.5)), (2.0, Drive(-0.3, 0.0)))
    robot.latency = 0.01
    on.run()
    first, second = on.told(Driven)
    assert first.distance == pytest.approx(0.1, abs=0.01)
    assert second.turn == pytest.approx(-0.3, abs=0.01)
    assert motion(on) == same(odometry(robot))


@every_protocol
def test_the_robot_is_told_to_stop_first_and_last_and_when_a_lost_link_is_back(protocol: str) -> None:
    on, robot = bench(protocol)
    on.cut(2.0, mended=4.0)
    on.run(until=6.0)
    assert robot.stops[0] == 0.0
    assert 4.0 in robot.stops
    assert on.sent[-1] == (6.0, *on.driver.stop_message())


@every_protocol
def test_after_a_lost_link_what_is_left_of_the_move_is_made(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.5)))
    robot.latency = 0.01
    on.cut(2.0, mended=4.0)
    on.run()
    assert len(on.told(Driven)) == 1
    assert motion(on) == same(odometry(robot))
    assert motion(on)[1] == pytest.approx(0.5, abs=3.0 * STEP)


@every_protocol
def test_a_robot_that_went_on_without_its_link_is_not_driven_back(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.2)))
    on.cut(2.0, mended=6.0)
    on.run()
    assert len(on.told(Driven)) == 1
    assert motion(on) == same(odometry(robot))
    assert motion(on)[1] == pytest.approx(0.5, abs=0.01)


@every_protocol
def test_a_link_that_is_never_mended_is_a_fault(protocol: str) -> None:
    on, _ = bench(protocol, (1.0, Drive(0.0, 0.2)))
    on.cut(2.0)
    on.run()
    assert on.times(Fault) == [7.0]
    assert "robot 3 at serial:///dev/robot was lost and did not come back within 5 s (the link was cut)" in on.fault
    assert "its selector" in on.fault


@every_protocol
def test_a_robot_that_does_not_answer_is_a_fault(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.2)))
    robot.deaf = True
    on.run()
    assert "was not found within 5 s (there is a link, but the robot does not answer)" in on.fault


@every_protocol
def test_a_robot_that_falls_silent_is_waited_for_and_then_a_fault(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.2)), (1.5, LOOK))
    on.at(2.0, lambda: setattr(robot, "deaf", True))
    on.run()
    assert on.times(Fault) == [pytest.approx(8.0, abs=0.2)]
    assert "(it does not answer)" in on.fault


@every_protocol
def test_a_robot_that_was_deaf_for_a_while_goes_on(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.5)), (3.0, LOOK))
    on.at(2.0, lambda: setattr(robot, "deaf", True))
    on.at(5.0, lambda: setattr(robot, "deaf", False))
    on.run()
    assert len(on.told(Ranges)) == len(on.told(Driven)) == 1
    assert motion(on) == same(odometry(robot))


@every_protocol
def test_a_robot_that_restarts_in_mid_move_is_a_fault(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.5)))
    on.cut(4.0, mended=5.0)
    on.at(4.5, robot.restart)
    on.run()
    assert "has restarted in the middle of a move" in on.fault


@every_protocol
def test_a_robot_that_restarts_at_rest_goes_on(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.2)), (8.0, Drive(0.0, 0.1)))
    on.at(6.0, robot.restart)
    on.run()
    assert [driven.distance for driven in on.told(Driven)] == [
        pytest.approx(0.2, abs=0.001),
        pytest.approx(0.1, abs=0.001),
    ]
    assert on.driver.dropped == {"step counters that jump": 3}


@pytest.mark.parametrize("protocol", ["epuck-binary", "epuck2-wifi"])
def test_time_of_flight_is_the_range_ahead(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, LOOK), (2.0, LOOK), (3.0, LOOK))
    for time, ahead in ((0.5, 123), (1.5, 601), (2.5, 650)):
        on.at(time, partial(setattr, robot, "ahead", ahead))
    on.run()
    assert on.told(Ranges) == [Ranges((0.12,)), Ranges((0.6,)), Ranges((inf,))]


def test_a_robot_without_time_of_flight_sees_with_its_proximity_sensors() -> None:
    for peer in (AsciiPeer, BinaryPeer):
        on = DriverBench(driver("epuck-binary" if peer is BinaryPeer else "epuck-ascii"), (2.0, LOOK), (3.0, LOOK))
        robot = peer(on)
        if isinstance(robot, BinaryPeer):
            robot.old = True
        robot.proximity = [lit(0.04), 0, 4000, 0, 0, 0, 0, 5]
        on.at(2.5, partial(setattr, robot, "proximity", [10] * 8))
        on.run()
        assert on.told(Ranges) == [Ranges((0.04,)), Ranges((inf,))]
        assert on.driver.dropped == {}


@pytest.mark.parametrize("protocol", ["epuck-binary", "epuck2-wifi"])
def test_a_reading_is_newer_than_its_question(protocol: str) -> None:
    """Each millisecond the wall is a centimetre further away."""
    on, robot = bench(protocol, *((1.0 + 0.0137 * number, LOOK) for number in range(20)))
    robot.latency = 0.02
    asked = [time for time, _ in on.user.wishes]
    on.driver.protocol.settings = msgspec.structs.replace(SETTINGS, reach=10.0, resolution=0.0)
    for step in range(2000):
        on.at(0.9 + 0.001 * step, partial(setattr, robot, "ahead", step))
    on.run()
    seen = [0.9 + ranges.values[0] for ranges in on.told(Ranges)]
    assert len(seen) == 20
    assert all(time >= at - 0.0011 for time, at in zip(seen, asked, strict=True))


@every_protocol
def test_front_proximity_is_the_whiskers(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, FEEL), (3.0, FEEL))
    on.at(2.0, lambda: setattr(robot, "proximity", [lit(0.015)] + [0] * 7))
    on.at(4.0, lambda: setattr(robot, "proximity", [0, 0, 4000, 0, 0, 4000, 0, 0]))
    on.run(until=6.0)
    assert on.told(Touch) == [Touch(False), Touch(True), Touch(True), Touch(False)]
    assert on.times(Touch) == [pytest.approx(at, abs=0.06) for at in (1.0, 2.0, 3.0, 4.0)]


@every_protocol
@pytest.mark.parametrize("sensor", [0, 1, 6, 7])
def test_whiskers_that_touch_let_go_a_little_further_away(protocol: str, sensor: int) -> None:
    on, robot = bench(protocol, (0.5, FEEL))
    for at, distance in ((1.0, 0.0225), (2.0, 0.0195), (3.0, 0.0235), (4.0, 0.0245), (5.0, 0.0225), (6.0, 0.019)):
        on.at(at, partial(robot.proximity.__setitem__, sensor, lit(distance)))
    on.run(until=8.0)
    assert on.told(Touch) == [Touch(False), Touch(True), Touch(False), Touch(True)]
    assert on.times(Touch)[1:] == [pytest.approx(at, abs=0.06) for at in (2.0, 4.0, 6.0)]


@every_protocol
def test_the_brightest_reading_counts_too(protocol: str) -> None:
    on, robot = bench(protocol, (1.0, FEEL))
    robot.proximity = [4095] * 8
    on.run(until=2.0)
    assert on.told(Touch) == [Touch(True), Touch(True)]


@pytest.mark.parametrize(("ahead", "seen"), [(1999, 1.999), (2000, inf), (8190, inf)])
@pytest.mark.parametrize("protocol", ["epuck-binary", "epuck2-wifi"])
def test_beyond_two_metres_there_is_nothing_for_time_of_flight(protocol: str, ahead: int, seen: float) -> None:
    on, robot = bench(protocol, (1.0, LOOK))
    on.driver.protocol.settings = msgspec.structs.replace(SETTINGS, reach=9.0, resolution=0.0)
    robot.ahead = ahead
    on.run(until=2.0)
    assert on.told(Ranges) == [Ranges((near(seen),))]


@pytest.mark.parametrize("sensor", range(8))
def test_only_the_foremost_proximity_sensors_look_ahead(sensor: int) -> None:
    on, robot = bench("epuck-ascii", (1.0, LOOK))
    robot.proximity[sensor] = lit(0.03)
    on.run(until=2.0)
    assert on.told(Ranges) == [Ranges((near(0.03) if sensor in (0, 7) else inf,))]


@every_protocol
def test_more_beams_than_one_are_refused(protocol: str) -> None:
    with pytest.raises(DevsRoboticsError, match=r"robot 3 is an e-puck, .* 2 beams at 20, -20 degrees are wanted: let"):
        driver(protocol, msgspec.structs.replace(SETTINGS, beams=(pi / 9.0, -pi / 9.0)))


@every_protocol
@settings(max_examples=25, deadline=None)
@given(chunks=st.lists(st.integers(1, 40), max_size=60))
def test_a_stream_may_come_in_any_pieces(protocol: str, chunks: list[int]) -> None:
    def outcome(chunks: list[int]) -> object:
        on, robot = bench(protocol, (1.0, Drive(0.2, 0.05)), (2.0, LOOK))
        robot.chunks = chunks
        for at in (1.2, 1.7):
            on.at(at, partial(robot._send, b"\x02rubbish\r\nq,1,\xff"))
        return on.run(until=5.0), on.driver.dropped

    assert outcome(chunks) == outcome([])


@every_protocol
@pytest.mark.parametrize("kind", ["noise", "almost"])
def test_ten_thousand_pieces_of_garbage_are_counted_and_the_next_message_understood(protocol: str, kind: str) -> None:
    on, robot = bench(protocol, (1.0, Drive(0.0, 0.05)), (6.0, Drive(0.2, 0.05)), (6.0, LOOK))
    chance = random.Random(1)
    almost = [
        b"q,99999,1\r\n",
        b"n,1,2,3,4,5,6,7,9999\r\n",
        b"q,1\r",
        b"\x02" + b"\xff" * 104,
        b"\x02" * 105,
        b"n" * 999,
    ]
    for _ in range(10_000):
        data = chance.randbytes(chance.randrange(1, 60)) if kind == "noise" else chance.choice(almost)
        on.say(data, at=4.0 + 0.5 * chance.random())
    on.run()
    assert not on.told(Fault)
    assert len(on.told(Driven)) == 2
    assert len(on.told(Ranges)) == 1
    assert motion(on) == same(odometry(robot))
    assert sum(on.driver.dropped.values()) > 1_000


@every_protocol
def test_a_copy_of_a_driver_in_mid_move_is_like_it(protocol: str) -> None:
    on, _ = bench(protocol, (1.0, Drive(0.3, 0.2)), (2.0, LOOK))
    on.run(until=2.01)
    copied = copy.deepcopy(on.driver)
    data = WifiPeer(on).packet() + b"q,900,900\r\nn,0,0,0,0,0,0,0,0\r\n" + bytes(26)
    for one in (on.driver, copied):
        one.arrived(Packet(data))
        one.due("tick", one.time)
        one.lambdaf()
    assert [list(port.values) for port in copied.output.values()] == [
        list(port.values) for port in on.driver.output.values()
    ]
    assert copied.dropped == on.driver.dropped
