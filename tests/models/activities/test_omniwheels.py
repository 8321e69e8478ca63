"""Omniwheels in a world: when they arrive, what stops them, and what a command on the way does."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Actuator, Atomic, DevsRoboticsError, Drive, Driven, Glide, Glided, In, ModelError
from devs_robotics.core.testing.simulations import Simulate
from devs_robotics.models.activities import VirtualOmniwheels
from devs_robotics.models.activities.omniwheels import ROTATION, WAY
from devs_robotics.models.environment.motion.jerk_limited import MotionLimits, braking, duration, rest_to_rest
from devs_robotics.models.environment.motion.profile import Profile
from devs_robotics.study import CaseStudy, CaseSystem, Frame, Length, PoseChange, robots, run

RADIUS = 0.125
"""Of the robots (m)."""

Commands = list[tuple[float, Glide]]


class Diary(Atomic):
    """Commands omniwheels at times that are given, and notes what they report, and when."""

    wheels = Actuator(Glide, Glided)

    def __init__(self, name: str, commands: Commands) -> None:
        super().__init__(name)
        self.commands = commands

    def initialize(self) -> None:
        """Wait for the first one."""
        self.now, self.left = 0.0, list(self.commands)
        self.heard: list[tuple[float, Glided]] = []
        self.wait()

    def wait(self) -> None:
        """Until the next one."""
        self.hold_in("waiting", self.left[0][0] - self.now if self.left else inf)

    def lambdaf(self) -> None:
        """Command."""
        self.wheels.ask.add(self.left[0][1])

    def deltint(self) -> None:
        """Wait for the next one."""
        self.now = self.left.pop(0)[0]
        self.wait()

    def deltext(self, e: float) -> None:
        """Note a report."""
        self.now += e
        self.heard += [(self.now, report) for report in self.wheels.answer.values]
        self.wait()


class Gliding(CaseStudy):
    """Robots on omniwheels in an empty field."""

    across: Length = 10.0
    told: ClassVar[dict[int, Commands]] = {}
    poses: ClassVar[dict[int, tuple[float, float, float]]] = {}
    diaries: ClassVar[list[Diary]] = []
    places: ClassVar[list[PoseChange]] = []

    def build(self, system: CaseSystem) -> None:
        """A robot for each list of commands."""
        self.diaries.clear()
        self.places.clear()
        for number, commands in self.told.items():
            robot = system.add_robot(self.poses[number], robots.round_differential(radius=RADIUS))
            robot.equip(VirtualOmniwheels("omniwheels"))
            self.diaries.append(robot.decide(Diary("diary", commands)))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Where robots stand after each change."""
        frame.couple(system.pose_change, frame.add(Places("places", self.places)).pose_change)


class Places(Atomic):
    """Notes changes of poses."""

    pose_change = In(PoseChange)

    def __init__(self, name: str, places: list[PoseChange]) -> None:
        super().__init__(name)
        self.places = places

    def deltext(self, e: float) -> None:
        """Note them."""
        self.places += self.pose_change.values
        self.passivate()


def glide(told: dict[int, Commands], poses: dict[int, tuple[float, float, float]], until: float = 30.0) -> Any:
    """What each robot hears, and where it stands at last."""
    Gliding.told, Gliding.poses = told, poses
    run(Gliding(), duration=until, field={"width": 10.0, "height": 10.0, "obstacles": []})
    last = {place.robot: place for place in Gliding.places}
    return [diary.heard for diary in Gliding.diaries], last


angles = st.floats(-pi, pi)


@settings(max_examples=12)
@given(angles, angles, st.floats(-3.0, 3.0), st.floats(0.05, 3.0), st.sampled_from([0.3, 0.5, 2.0, inf]))
def test_it_arrives_when_the_closed_form_says(
    heading: float, direction: float, turn: float, distance: float, speed: float
) -> None:
    ((heard,), last) = glide({1: [(1.0, Glide(direction, distance, turn, speed))]}, {1: (5.0, 5.0, heading)})
    way = MotionLimits(min(speed, WAY.speed), WAY.acceleration, WAY.jerk)
    lasts = max(duration(rest_to_rest(distance, way)), duration(rest_to_rest(turn, ROTATION)))
    ((time, report),) = heard
    assert time == pytest.approx(1.0 + lasts, abs=1e-9)
    assert (report.distance, report.turn, report.blocked) == (pytest.approx(distance), pytest.approx(turn), False)
    assert last[1].x == pytest.approx(5.0 + distance * cos(heading + direction), abs=1e-9)
    assert last[1].y == pytest.approx(5.0 + distance * sin(heading + direction), abs=1e-9)
    assert cos(last[1].heading - heading - turn) == pytest.approx(1.0, abs=1e-12)


def test_a_command_on_the_way_comes_after_braking_at_the_limits() -> None:
    commands = [(0.0, Glide(0.0, 4.0, 2.0)), (0.5, Glide(1.0, 9.0)), (0.6, Glide(pi / 2.0, 1.0))]
    ((heard,), last) = glide({1: commands}, {1: (5.0, 5.0, 0.0)})
    line = Profile(0.0, 0.0, 0.0, 0.0, rest_to_rest(4.0, WAY))
    turning = Profile(0.0, 0.0, 0.0, 0.0, rest_to_rest(2.0, ROTATION))
    states = [(each.speed_at(0.5), each.acceleration_at(0.5)) for each in (line, turning)]
    stops = [braking(*state, limits) for state, limits in zip(states, (WAY, ROTATION), strict=True)]
    gone, turned = (
        each.distance(0.5) + Profile(0.0, 0.0, 0.0, 0.0, pieces, *state).distance(9.0)
        for each, pieces, state in zip((line, turning), stops, states, strict=True)
    )
    stands = 0.5 + max(map(duration, stops))
    assert [report.distance for _, report in heard] == pytest.approx([gone, 0.0, 1.0])
    assert [report.turn for _, report in heard] == pytest.approx([turned, 0.0, 0.0])
    assert [time for time, _ in heard] == pytest.approx([stands, stands, stands + duration(rest_to_rest(1.0, WAY))])
    assert last[1].x == pytest.approx(5.0 + gone + cos(turned + pi / 2.0))
    assert last[1].y == pytest.approx(5.0 + sin(turned + pi / 2.0))


def test_a_command_without_a_way_brakes() -> None:
    ((heard,), _) = glide({1: [(0.0, Glide(0.0, 4.0, speed=0.5)), (2.0, Glide())]}, {1: (3.0, 5.0, 0.0)})
    assert heard[0][0] == pytest.approx(2.35, abs=1e-9)
    assert heard[1][0] == pytest.approx(2.35, abs=1e-9)
    line = Profile(0.0, 0.0, 0.0, 0.0, rest_to_rest(4.0, MotionLimits(0.5, 2.0, 20.0)))
    assert heard[0][1].distance == pytest.approx(line.distance(2.0) + 0.0875)


def test_contacts_are_where_and_when_the_profiles_meet() -> None:
    """Two robots head-on, one later and slower than the other; each is held where they touch."""
    size = 2.0 * RADIUS
    first = Profile(0.0, 0.0, 0.0, 0.0, rest_to_rest(4.0, MotionLimits(0.5, 2.0, 20.0)))
    second = Profile(1.0, 0.0, 0.0, 0.0, rest_to_rest(4.0, MotionLimits(0.3, 2.0, 20.0)))

    def gap(time: float) -> float:
        return 3.0 - first.distance(time) - second.distance(time) - size

    meets, later = 1.0, 9.0
    while later - meets > 1e-12:
        half = (meets + later) / 2.0
        meets, later = (half, later) if gap(half) > 0.0 else (meets, half)
    told = {1: [(0.0, Glide(0.0, 4.0, speed=0.5))], 2: [(1.0, Glide(pi / 2.0, 4.0, speed=0.3))]}
    ((one, other), last) = glide(told, {1: (3.0, 5.0, 0.0), 2: (6.0, 5.0, pi / 2.0)})
    for (time, report), profile in ((one[0], first), (other[0], second)):
        assert report.blocked
        assert time == pytest.approx(meets, abs=1e-5)
        assert report.distance == pytest.approx(profile.distance(meets), abs=1e-5)
    assert hypot(last[1].x - last[2].x, last[1].y - last[2].y) == pytest.approx(size, abs=1e-5)


def test_a_wall_stops_it_and_it_leaves_the_wall_again() -> None:
    ((heard,), last) = glide({1: [(0.0, Glide(0.0, 3.0)), (9.0, Glide(pi, 1.0))]}, {1: (9.0, 5.0, 0.0)})
    assert [report.blocked for _, report in heard] == [True, False]
    assert heard[0][1].distance == pytest.approx(1.0 - RADIUS, abs=1e-5)
    assert last[1].x == pytest.approx(9.0 - RADIUS, abs=1e-5)


@pytest.mark.parametrize("wrong", [Glide(distance=-1.0), Glide(distance=inf), Glide(speed=0.0), Glide(turn=inf)])
def test_commands_that_mean_nothing_are_refused(simulate: Simulate, wrong: Glide) -> None:
    with pytest.raises(ModelError, match=r"robot 0 is told Glide.* must send finite angles"):
        simulate(VirtualOmniwheels("omniwheels"), until=1.0, inputs={"wheels_ask": [(0.5, wrong)]})


def test_what_drives_a_real_robot_is_real_and_has_a_stand_in() -> None:
    Gliding.told, Gliding.poses = {1: []}, {1: (5.0, 5.0, 0.0)}
    with pytest.raises(DevsRoboticsError, match="no stand-in can play the omniwheels of robot 1"):
        run(Gliding(), duration=1.0, stage="real")
    Gliding.told, Gliding.poses = {1: [], 2: []}, {1: (5.0, 5.0, 0.0), 2: (3.0, 3.0, 0.0)}
    with pytest.raises(DevsRoboticsError, match="driven by its omniwheels, which are modelled: say that it has some"):
        run(Gliding(), duration=1.0, stage="loop")


def test_a_motion_of_another_kind_ends_a_glide_which_is_told() -> None:
    class Both(Gliding):
        """Robot 1 is told to drive while it glides."""

        def build(self, system: CaseSystem) -> None:
            """The same, with a motor that is told."""
            super().build(system)
            system.robots[0].decide(DriveOnce("drive_once"))

    Gliding.told, Gliding.poses = {1: [(0.0, Glide(0.0, 4.0, speed=0.5))]}, {1: (3.0, 5.0, 0.0)}
    run(Both(), duration=20.0, field={"width": 10.0, "height": 10.0, "obstacles": []})
    ((time, report),) = Gliding.diaries[0].heard
    line = Profile(0.0, 0.0, 0.0, 0.0, rest_to_rest(4.0, MotionLimits(0.5, 2.0, 20.0)))
    assert report.blocked
    assert report.distance == pytest.approx(line.distance(time))
    assert 2.0 < time < 8.0


class DriveOnce(Atomic):
    """Tells the motor to go 0.2 m after 2 s."""

    motor = Actuator(Drive, Driven)

    def initialize(self) -> None:
        """Wait."""
        self.hold_in("waiting", 2.0)

    def lambdaf(self) -> None:
        """Drive."""
        self.motor.ask.add(Drive(distance=0.2))

    def deltint(self) -> None:
        """Rest."""
        self.passivate()

    def deltext(self, e: float) -> None:
        """It has driven."""
        self.continuef(e)
