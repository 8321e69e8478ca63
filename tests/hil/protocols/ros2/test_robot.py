"""The protocol of ROS 2 robots by hand: silence, resets, what is measured, what is asked, and words of every length."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, pi
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Drive
from devs_robotics.hil.drivers import DriverSettings
from devs_robotics.hil.protocols.events import (
    Blocked,
    Dropped,
    Event,
    Felt,
    Found,
    GivenUp,
    Lost,
    Moved,
    Ranged,
    Stopped,
)
from devs_robotics.hil.protocols.ros2.graph import Matched, write_matched
from devs_robotics.hil.protocols.ros2.hazards import write_hazards
from devs_robotics.hil.protocols.ros2.messages import (
    BaseVelocity,
    BatteryReading,
    LidarScan,
    OdometryReport,
    PlanarTransform,
    RangeReading,
    Stamp,
    read_twist,
    read_twist_stamped,
    write_battery,
    write_odometry,
    write_range,
    write_scan,
    write_transforms,
)
from devs_robotics.hil.protocols.ros2.packets import (
    BATTERY,
    CMD_VEL,
    GRAPH,
    HAZARDS,
    ODOM,
    SCAN,
    TF,
    TF_STATIC,
    pack,
    unpack,
)
from devs_robotics.hil.protocols.ros2.robot import LAST_WORDS, PERIOD, Ros2Robot

SETTINGS = DriverSettings(
    speed=0.2, turn_rate=1.0, radius=0.1, beams=(0.0,), reach=3.0, resolution=0.0, whisker_reach=0.05
)


class ByHand:
    """A protocol, the time, and a robot that says what the test wants."""

    def __init__(self, settings: DriverSettings = SETTINGS) -> None:
        self.protocol = Ros2Robot(1, settings)
        self.said: list[Event] = []
        self.told: list[tuple[float, float]] = []
        self.x = 0.0

    def do(self, outputs: Iterable[Any]) -> list[Event]:
        """What is said; the commands are noted."""
        found: list[Event] = []
        for output in outputs:
            if isinstance(output, bytes):
                topic, data = unpack(output)
                assert topic == CMD_VEL
                velocity = read_twist(data) if len(data) == 52 else read_twist_stamped(data)[0]
                self.told.append((velocity.speed, velocity.turn_rate))
            else:
                found.append(output)
        self.said += found
        return found

    def odometry(self, x: float = 0.0, heading: float = 0.0, speed: float = 0.0, **more: Any) -> list[Event]:
        said = OdometryReport(x=x, y=0.0, heading=heading, speed=speed, turn_rate=0.0, **more)
        return self.do(self.protocol.feed(pack(ODOM, write_odometry(said))))

    def feed(self, topic: str, data: bytes) -> list[Event]:
        return self.do(self.protocol.feed(pack(topic, data)))

    def found(self, **matched: Any) -> None:
        """The robot is there, and at rest."""
        self.do(self.protocol.connect())
        self.feed(GRAPH, write_matched(Matched(**matched)))
        events = self.odometry() + self.odometry()
        assert events == [Found()]
        self.protocol.now.ready = True

    def begin(self, drive: Drive) -> None:
        self.protocol.now.under_way = drive
        self.do(self.protocol.begin(drive))

    def passes(self, time: float) -> list[Event]:
        self.protocol.now.time += time
        return self.do(self.protocol.tick())


def test_it_is_found_when_it_is_at_rest_and_not_before() -> None:
    robot = ByHand()
    robot.do(robot.protocol.connect())
    assert robot.odometry(speed=0.1) == robot.odometry(speed=0.1) == []
    assert robot.odometry() == []
    assert robot.odometry() == [Found()]
    assert robot.told == [(0.0, 0.0)]


def test_a_move_is_driven_on_odometry_and_afterwards_zeros_are_told_for_a_while() -> None:
    robot = ByHand()
    robot.found()
    robot.begin(Drive(0.0, 0.2))
    x, ended = 0.0, None
    for _ in range(200):
        robot.passes(PERIOD)
        speed = robot.told[-1][0]
        x += speed * PERIOD
        for event in robot.odometry(x, speed=speed):
            ended = ended or event
        if ended is not None:
            break
    assert isinstance(ended, Moved)
    assert ended.distance == pytest.approx(0.2, abs=0.006)
    assert ended.distance == pytest.approx(x)
    robot.protocol.now.under_way = None
    before = len(robot.told)
    for _ in range(40):
        robot.passes(PERIOD)
        robot.odometry(x)
    assert robot.told[before:] == [(0.0, 0.0)] * 10, "and then others may command it"


def test_silence_of_odometry_loses_it_and_a_jump_in_the_middle_of_a_move_is_a_fault() -> None:
    robot = ByHand()
    robot.found()
    assert robot.passes(0.29) == []
    assert robot.passes(0.02) == [Lost("its odometry has been silent for 0.3 s")]
    robot = ByHand()
    robot.found()
    robot.begin(Drive(0.0, 1.0))
    robot.passes(0.05)
    (fault,) = robot.odometry(1.0)
    assert isinstance(fault, GivenUp)
    assert "jumped by 1.00 m and 0.00 rad in the middle of a move" in fault.why


@pytest.mark.parametrize("how", ["silent", "cut"])
def test_a_robot_that_was_lost_in_a_move_is_told_to_stand_and_nothing_else_until_it_is_found(how: str) -> None:
    """Neither on stale odometry, nor when it is heard again; then it says how far it got."""
    robot = ByHand()
    robot.found()
    robot.begin(Drive(0.0, 1.0))
    robot.protocol.now.time += 0.3
    robot.odometry(0.02, speed=0.1)
    assert robot.passes(PERIOD) == []
    assert robot.told[-1][0] > 0.0
    before = len(robot.told)
    if how == "cut":
        robot.protocol.now.ready = False
        robot.do(robot.protocol.connect())
    else:
        assert [type(event) for _ in range(8) for event in robot.passes(PERIOD)][:1] == [Lost]
        robot.protocol.now.ready = False
        before = len(robot.told)
    for _ in range(10):
        robot.passes(PERIOD)
    events = [event for x in (0.05, 0.06, 0.06, 0.06) for event in (*robot.odometry(x), *robot.passes(PERIOD))]
    assert events[:1] == [Stopped(0.0, pytest.approx(0.06, abs=0.011))]  # type: ignore[arg-type]
    assert Found() in events
    assert set(robot.told[before:]) == {(0.0, 0.0)}


def test_a_jump_at_rest_is_nobodys_loss_and_headings_go_on_beyond_a_half_turn() -> None:
    robot = ByHand()
    robot.found()
    robot.protocol.now.time += 0.05
    assert robot.odometry(5.0, heading=pi - 0.1) == []
    for heading in (pi - 0.05, -pi + 0.05):
        robot.protocol.now.time += 0.05
        robot.odometry(5.0, heading=heading)
    state = robot.protocol._state
    assert state is not None
    assert state.heading == pytest.approx(pi + 0.05)


def test_halting_says_how_far_it_got_once_it_stands() -> None:
    robot = ByHand()
    robot.found()
    robot.begin(Drive(0.0, 1.0))
    robot.protocol.now.time += 0.5
    robot.odometry(0.05, speed=0.2)
    robot.do(robot.protocol.halt())
    assert robot.told[-1] == (0.0, 0.0)
    robot.protocol.now.time += 0.05
    assert robot.odometry(0.055, speed=0.05) == []
    assert robot.odometry(0.06) == []
    (stopped,) = robot.odometry(0.06)
    assert stopped == Stopped(0.0, pytest.approx(0.06))  # type: ignore[arg-type]


def test_it_is_blocked_where_it_does_not_come_on() -> None:
    robot = ByHand()
    robot.found()
    robot.begin(Drive(0.0, 1.0))
    events: list[Event] = []
    while not events and robot.protocol.now.time < 5.0:
        robot.passes(PERIOD)
        events = robot.odometry()
    (blocked,) = events
    assert blocked == Blocked(0.0, 0.0)
    assert 2.0 < robot.protocol.now.time < 2.3, "nobody had seen it obey before"


def test_it_takes_what_it_is_told_to_take() -> None:
    robot = ByHand()
    robot.found(stamped=True, stamps=True, delay=0.25)
    assert robot.protocol.delay == 0.25
    (message,) = {unpack(each)[1] for each in robot.protocol.stop_message()}
    assert read_twist_stamped(message) == (BaseVelocity(0.0, 0.0), Stamp())
    assert len(robot.protocol.stop_message()) == LAST_WORDS


def test_the_delay_is_measured_unless_the_address_says_it() -> None:
    robot = ByHand()
    robot.found()
    robot.begin(Drive(0.0, 1.0))
    robot.protocol.now.time += 0.3
    robot.odometry(0.01, speed=0.1)
    assert robot.protocol.delay == pytest.approx(0.35)


def test_a_question_is_answered_by_the_first_scan_that_begins_after_it() -> None:
    robot = ByHand()
    robot.found()
    scan = LidarScan(
        first=0.0, step=pi / 180, turn_time=0.2, nearest=0.1, farthest=3.5, ranges=np.full(360, 1.0, np.float32)
    )
    robot.protocol.now.time = 10.0
    robot.do(robot.protocol.sense())
    robot.do(robot.protocol.feel())
    robot.protocol.now.time = 10.1
    assert robot.feed(SCAN, write_scan(scan)) == [], "it began before"
    robot.do(robot.protocol.sense())
    robot.protocol.now.time = 10.25
    assert robot.feed(SCAN, write_scan(scan)) == [Felt(False), Ranged((pytest.approx(0.9),))]  # type: ignore[arg-type]
    near = np.full(360, 1.0, np.float32)
    near[10] = 0.12
    robot.protocol.now.time = 10.4
    scan = LidarScan(first=0.0, step=pi / 180, nearest=0.1, farthest=3.5, ranges=near)
    assert robot.feed(SCAN, write_scan(scan)) == [Felt(True)]


def test_a_lidar_looks_where_static_transforms_say_that_it_looks() -> None:
    """A TurtleBot 4's to the left; without a word of it, ahead."""
    values = np.full(360, 1.0, np.float32)
    values[0], values[270] = 0.5, 0.7
    seen = LidarScan(frame="turtle1/rplidar", first=0.0, step=pi / 180.0, nearest=0.1, farthest=9.0, ranges=values)
    robot = ByHand()
    robot.found()
    robot.odometry(child_frame="turtle1/base_link")

    def looks() -> tuple[float, ...]:
        robot.do(robot.protocol.sense())
        (ranged,) = [each for each in robot.feed(SCAN, write_scan(seen)) if isinstance(each, Ranged)]
        return ranged.values

    assert looks() == pytest.approx((0.4,))
    chain = [
        PlanarTransform(parent="turtle1/base_link", child="turtle1/shell", x=0.0, y=0.0, heading=0.0),
        PlanarTransform(parent="turtle1/shell", child="turtle1/rplidar", x=0.0, y=0.0, heading=0.5 * pi),
    ]
    for each in chain:
        assert robot.feed(TF_STATIC, write_transforms([each])) == []
    assert looks() == pytest.approx((0.6,))
    assert [type(each) for each in robot.feed(TF_STATIC, b"no")] == [Dropped]


def test_a_bumper_is_what_whiskers_feel_and_then_the_scan_is_not() -> None:
    near = np.full(360, 0.11, np.float32)
    scan = write_scan(LidarScan(first=0.0, step=pi / 180.0, nearest=0.1, farthest=9.0, ranges=near))
    robot = ByHand()
    robot.found()
    assert robot.feed(SCAN, scan) == [Felt(True)]
    robot.protocol.now.touching = True
    assert robot.feed(HAZARDS, write_hazards([2, 5])) == [Felt(False)], "a cliff is no bump"
    robot.protocol.now.touching = False
    assert robot.feed(SCAN, scan) == []
    assert robot.feed(HAZARDS, write_hazards([])) == []
    assert robot.feed(HAZARDS, write_hazards([2, 1])) == [Felt(True)]
    robot.protocol.now.touching = True
    robot.do(robot.protocol.feel())
    assert robot.feed(SCAN, scan) == []
    assert robot.feed(HAZARDS, write_hazards([1])) == [Felt(True)], "it was asked"
    assert [type(each) for each in robot.feed(HAZARDS, b"no")] == [Dropped]


def test_single_sensors_answer_when_all_have_told() -> None:
    settings = DriverSettings(speed=0.2, turn_rate=1.0, radius=0.1, beams=(0.5, -0.5), reach=3.0, resolution=0.0)
    robot = ByHand(settings)
    robot.found(ranges=2)
    robot.do(robot.protocol.sense())
    assert robot.feed("range1", write_range(RangeReading(nearest=0.0, farthest=1.0, range=inf))) == []
    assert robot.feed("range0", write_range(RangeReading(nearest=0.0, farthest=1.0, range=0.5))) == [Ranged((0.5, inf))]
    (fault,) = ByHand(settings).feed(GRAPH, write_matched(Matched(ranges=1)))
    assert isinstance(fault, GivenUp)
    assert "has 1 range sensors by its address, and 2 are wanted" in fault.why


def test_what_was_refused_and_what_is_blind_are_told_and_a_low_battery_with_every_fault() -> None:
    robot = ByHand()
    assert robot.feed(GRAPH, write_matched(Matched(refusal="is two robots"))) == [GivenUp("is two robots")]
    robot = ByHand()
    robot.found(blind="nobody publishes /scan")
    assert robot.do(robot.protocol.sense()) == []
    (fault,) = robot.do(robot.protocol.sense())
    assert isinstance(fault, GivenUp)
    assert "nobody publishes /scan" in fault.why
    assert robot.protocol.remark == ""
    robot.feed(BATTERY, write_battery(BatteryReading(voltage=11.0, charge=0.1)))
    assert robot.protocol.remark == "its battery is at 10 %"


@given(st.sampled_from((ODOM, SCAN, BATTERY, GRAPH, TF, "range0", "rangex", "", "no")), st.binary(max_size=120))
def test_whatever_bytes_come_nothing_is_raised(topic: str, data: bytes) -> None:
    robot = ByHand()
    for event in (*robot.feed(topic, data), *robot.do(robot.protocol.feed(data))):
        assert isinstance(event, Dropped | Felt)
