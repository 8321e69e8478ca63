"""The stand-in of a ROS 2 robot: velocities, its watchdog, what it tells, and its driver with it inside one thread."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Bridge, Drive, Driven, Ranges, Run, Simulator
from devs_robotics.core.realtime.packet_ports import PacketPorts
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.lab.plan_text import PlanError, decode, encode
from devs_robotics.hil.protocols.ros2 import messages
from devs_robotics.hil.protocols.ros2.hazards import bumps
from devs_robotics.hil.protocols.ros2.messages import BaseVelocity
from devs_robotics.hil.protocols.ros2.packets import CMD_VEL, pack, unpack
from devs_robotics.hil.protocols.ros2.robot import Ros2Robot
from devs_robotics.hil.testing import InsideLab
from devs_robotics.hil.testing.driver_bench import LOOK, SETTINGS, DriverWithUser, User
from tests.approximately import near
from tests.hil.lab.small_lab import lab_plan, stand_in


class Told:
    """A stand-in, and what it has said by topic."""

    def __init__(self, **robot: Any) -> None:
        # the newer keys are for the plan of this robot alone
        self.lab = Laboratory(lab_plan(stand_in(7, "ros2", x=1.0, y=1.0, **robot)))
        self.robot: Any = self.lab.robots[7]
        self.body = self.lab.bodies[0]
        self.said: list[tuple[str, bytes]] = []
        self.robot.send = lambda data: self.said.append(unpack(data))
        self.lab.start()

    def drive(self, speed: float, turn_rate: float, aside: float = 0.0) -> None:
        self.robot.receive(pack(CMD_VEL, messages.write_twist(BaseVelocity(speed, turn_rate, aside))))
        self.lab.advance(self.lab.agenda.now)

    def odometry(self) -> messages.OdometryReport:
        return messages.read_odometry([data for topic, data in self.said if topic == "odom"][-1])


@pytest.mark.parametrize(("watchdog", "stops"), [(0.5, True), (inf, False)])
def test_its_watchdog_stops_it_or_it_goes_on_for_ever(watchdog: float, stops: bool) -> None:
    told = Told(acceleration=1.0, watchdog=watchdog)
    told.drive(0.1, 0.0)
    told.lab.advance(0.45)
    assert told.body.speed == near(0.1, 1e-6)
    told.lab.advance(2.0)
    assert told.body.speed == (0.0 if stops else near(0.1, 1e-6))
    if stops:
        assert told.body.x - 1.0 <= 0.1 * 0.5 + 0.1**2 / 2.0 + 1e-6


@settings(max_examples=20, deadline=None)
@given(st.floats(-0.1, 0.1), st.floats(-1.0, 1.0))
def test_its_odometry_is_the_exact_arc_and_where_nothing_slips_the_true_one(speed: float, turn_rate: float) -> None:
    told = Told(acceleration=inf, watchdog=inf)
    told.drive(speed, turn_rate)
    told.lab.advance(2.0)
    said = told.odometry()
    angle = turn_rate * 2.0
    chord = speed * 2.0 * (sin(0.5 * angle) / (0.5 * angle) if abs(angle) > 1e-9 else 1.0)
    assert hypot(said.x - chord * cos(0.5 * angle), said.y - chord * sin(0.5 * angle)) < 1e-6
    assert hypot(told.body.x - 1.0 - said.x, told.body.y - 1.0 - said.y) < 1e-6
    assert (said.speed, said.turn_rate) == (near(speed, 1e-6), near(turn_rate, 1e-6))


@settings(max_examples=20)
@given(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1), st.floats(-1.0, 1.0), st.floats(-pi, pi))
def test_on_mecanum_wheels_it_goes_in_any_direction_on_the_exact_arc_and_says_so(
    ahead: float, left: float, turn_rate: float, heading: float
) -> None:
    told = Told(acceleration=inf, watchdog=inf, dialect="mecanum", heading=heading)
    told.drive(ahead, turn_rate, left)
    told.lab.advance(2.0)
    x = y = 0.0
    for number in range(1000):
        middle = turn_rate * 2e-3 * (number + 0.5)
        x += 2e-3 * (ahead * cos(middle) - left * sin(middle))
        y += 2e-3 * (ahead * sin(middle) + left * cos(middle))
    said = told.odometry()
    assert hypot(said.x - x, said.y - y) < 1e-6
    true = told.body.x - 1.0, told.body.y - 1.0
    assert true == (near(x * cos(heading) - y * sin(heading), 1e-6), near(x * sin(heading) + y * cos(heading), 1e-6))
    assert (said.speed, said.aside, said.turn_rate) == (near(ahead, 1e-9), near(left, 1e-9), near(turn_rate, 1e-9))


@pytest.mark.parametrize("dialect", ["turtlebot3", "mecanum"])
def test_only_mecanum_wheels_know_a_way_aside_and_none_passes_the_largest_speed(dialect: str) -> None:
    told = Told(acceleration=1.0, watchdog=inf, dialect=dialect, stretch=0.05, swerve=0.1)
    told.drive(0.6, 0.0, 0.8)
    told.lab.advance(1.0)
    said = told.odometry()
    assert (said.speed, said.aside) == ((near(0.3), near(0.4)) if dialect == "mecanum" else (near(0.5), 0.0))
    assert told.body.speed == near(0.5, 0.05)


def test_at_a_wall_mecanum_wheels_turn_on_and_the_body_is_outside_of_it() -> None:
    told = Told(acceleration=inf, watchdog=inf, dialect="mecanum")
    told.drive(0.0, 0.1, -0.4)
    told.lab.advance(4.0)
    before = told.body.heading
    told.lab.advance(5.0)
    assert told.body.y == near(told.body.radius, 1e-3)
    assert told.body.heading - before == near(0.1, 1e-3)
    told.drive(0.0, 0.0)
    told.lab.advance(6.0)
    assert told.body.course is None


def test_what_is_no_velocity_command_is_counted() -> None:
    told = Told()
    for data in (b"", b"odom\0", pack(CMD_VEL, b"no"), pack(CMD_VEL, messages.write_twist(BaseVelocity(inf, 0.0)))):
        told.robot.receive(data)
    told.lab.advance(0.1)
    assert told.robot.dropped == 4
    assert told.body.speed == 0.0


@pytest.mark.parametrize(
    ("dialect", "topics"),
    [
        ("turtlebot3", {"odom", "battery", "scan", "tf", "tf_static"}),
        ("create3", {"odom", "battery", "scan", "tf", "tf_static", "hazards"}),
        ("epuck2", {"odom", "battery", "range0", "tf"}),
        ("mecanum", {"odom", "battery", "scan", "tf", "tf_static"}),
    ],
)
def test_each_dialect_tells_what_such_a_robot_tells(dialect: str, topics: set[str]) -> None:
    told = Told(dialect=dialect)
    told.lab.advance(1.0)
    assert {topic for topic, _ in told.said} == topics


def test_its_bumper_tells_what_its_whiskers_touch() -> None:
    """It drives 1 m to the wall at x = 0, and stays there."""
    told = Told(dialect="create3", heading=pi, whisker_reach=0.02, watchdog=inf, acceleration=inf)
    told.drive(0.1, 0.0)
    told.lab.advance(12.0)
    bumped = [bumps(data) for topic, data in told.said if topic == "hazards"]
    assert bumped[0] is False
    assert bumped[-1] is told.body.touching is True


def test_a_driver_moves_it_and_sees_by_it() -> None:
    """Within the tolerances, without slip; and the wall is where it is."""
    lab = InsideLab(lab_plan(stand_in(7, "ros2", x=1.0, y=1.0, acceleration=1.0, latency=0.005, jitter=0.005)))
    driver = Driver("driver", "a stand-in", Ros2Robot(7, SETTINGS))
    user = User([(0.5, Drive(0.0, 0.5)), (9.0, LOOK), (10.0, Drive(0.7, 0.2))])
    bench, bridge = DriverWithUser(driver, user), Bridge()
    lab.ends[7].join(bridge, PacketPorts(bench.outgoing, bench.incoming), driver)
    lab.start()
    with Simulator(bench) as simulator:
        Run(simulator, lab.clock, bridge).until(time=18.0)
    first, seen, second = (message for _, message in user.told)
    assert isinstance(first, Driven)
    assert isinstance(seen, Ranges)
    assert isinstance(second, Driven)
    assert first.distance == near(0.5, 0.006)
    assert (second.turn, second.distance) == (near(0.7, 0.015), near(0.2, 0.006))
    body = lab.laboratory.bodies[0]
    assert body.x == near(1.0 + first.distance + 0.2 * cos(0.7), 0.01)
    assert driver.dropped == {}


def test_a_plan_is_read_as_it_was_written_and_a_watchdog_is_more_than_nothing() -> None:
    plan = lab_plan(stand_in(7, "ros2", watchdog=inf))
    assert decode(encode(plan)) == plan
    with pytest.raises(PlanError, match="robot 7 of the lab has the watchdog 0"):
        decode(encode(lab_plan(stand_in(7, "ros2", watchdog=0.0))))
