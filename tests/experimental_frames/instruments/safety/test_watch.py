"""What the safety gate finds, against closed forms, and against looking at very many instants."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf, pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Glide, Wheels
from devs_robotics.experimental_frames.instruments.safety import (
    Allowance,
    Engagement,
    SafetyJudgement,
    SafetyLimits,
    SafetyWatch,
)
from devs_robotics.models.environment import BodyMotion, Circle, Shape, box
from devs_robotics.models.environment.messages import GlideMotion
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.carried import Carried
from devs_robotics.models.environment.motion.jerk_limited import MotionLimits, rest_to_rest
from devs_robotics.models.environment.motion.trajectory import Trajectory
from tests.approximately import near
from tests.models.play import tell

WIDTH, HEIGHT, RADIUS = 8.0, 6.0, 0.125
LIMITS = SafetyLimits()

Told = tuple[float, int, Trajectory]
"""From when on (s), which robot, how it moves."""


def judged(
    poses: Sequence[tuple[float, float, float]],
    told: Sequence[Told],
    end: float,
    *,
    allowances: Sequence[Allowance] = (),
    obstacles: Sequence[Shape] = (),
    walled: bool = True,
    speed: float = 0.2,
    engagements: Sequence[Engagement] = (),
) -> SafetyJudgement:
    robots = len(poses)
    watch = SafetyWatch(
        "safety",
        WIDTH,
        HEIGHT,
        obstacles,
        [RADIUS] * robots,
        [speed] * robots,
        poses,
        LIMITS,
        allowances,
        walled=walled,
    )
    before = 0.0
    for time, robot, trajectory in told:
        motion = BodyMotion(robot, trajectory, RADIUS, carried=isinstance(trajectory, Carried))
        tell(watch, (watch.body_motion, motion), e=time - before)
        before = time
    return watch.judge(end, engagements)


def counted(found: SafetyJudgement) -> dict[str, int]:
    return {each.kind: each.count for each in found.violations}


@pytest.mark.parametrize(
    ("robot", "thing", "begin", "end", "allowed"),
    [
        (1, "robot 2", 0.0, inf, True),
        (1, "robot 2", 5.0, 10.0, True),
        (1, "robot 2", 5.1, 10.0, False),  # on its way it did not deal with it yet
        (1, "robot 2", 5.0, 9.0, False),  # and there it does not any more
        (1, "robot 3", 0.0, inf, False),
        (2, "robot 2", 0.0, inf, False),
    ],
)
def test_what_is_allowed_while_a_robot_deals_with_a_thing_is_so_with_that_thing_and_then_only(
    robot: int, thing: str, begin: float, end: float, *, allowed: bool
) -> None:
    way = 1.0 - 2.0 * RADIUS - 0.02
    told: list[Told] = [
        (5.0, 1, Arc(5.0, 3.0, 3.0, 0.0, 0.2)),
        (5.0 + way / 0.2, 1, Arc(5.0 + way / 0.2, 3.0 + way, 3.0, 0.0)),
    ]
    found = judged(
        [(3.0, 3.0, 0.0), (4.0, 3.0, pi)],
        told,
        10.0,
        allowances=[Allowance(("too near", "fast approach", "not stoppable"), "it docks", engaged=True)],
        engagements=[Engagement(robot, thing, begin, end)],
    )
    assert {each.kind for each in found.violations} == {"too near", "fast approach", "not stoppable"}
    assert all(each.allowed for each in found.violations) == allowed
    assert bool(found.trouble) != allowed


@pytest.mark.parametrize("gap", [0.8, 0.3, 0.05, 0.02])
def test_a_head_on_pair_at_half_a_metre_per_second_is_reported_at_its_distance(gap: float) -> None:
    apart, closing = 2.0 - 2.0 * RADIUS, 0.5
    stop = (apart - gap) / closing
    told: list[Told] = [
        (0.0, 1, Arc(0.0, 3.0, 3.0, 0.0, 0.25)),
        (0.0, 2, Arc(0.0, 5.0, 3.0, pi, 0.25)),
        (stop, 1, Arc(stop, 3.0 + 0.25 * stop, 3.0, 0.0)),
        (stop, 2, Arc(stop, 5.0 - 0.25 * stop, 3.0, pi)),
    ]
    found = judged([(3.0, 3.0, 0.0), (5.0, 3.0, pi)], told, stop + 3.0)
    assert found.clearance.value == near(gap)
    assert found.time_to_contact.value == near(gap / closing)
    assert found.room_to_stop.value == near(gap - (0.06 + 2 * 0.028125))
    worst = found.time_to_contact
    assert (worst.robot, worst.other) == (1, "robot 2")
    assert (worst.time, worst.closing_speed, worst.clearance) == (near(stop), near(closing), near(gap))
    assert (worst.x, worst.y) == (near(3.0 + 0.25 * stop), 3.0)
    assert found.speed.value == 0.25
    expected = {"too near": gap < 0.03, "not stoppable": gap < 0.11625, "fast approach": gap < 0.25}
    assert counted(found) == {kind: 1 for kind, is_one in expected.items() if is_one}


def test_who_runs_into_a_wall_has_touched_it_and_could_not_stop() -> None:
    told: list[Told] = [(0.0, 1, Arc(0.0, 2.0, 3.0, pi, 0.2)), (9.375, 1, Arc(9.375, RADIUS, 3.0, pi))]
    found = judged([(2.0, 3.0, pi)], told, 20.0)
    assert counted(found) == {"too near": 1, "contact": 1, "not stoppable": 1, "fast approach": 1}
    assert found.clearance.other == "the wall at x = 0 m"
    assert found.clearance.time == near(9.375)


def test_a_pass_is_judged_where_it_is_worst_and_not_only_where_it_is_nearest() -> None:
    """On a line past a standing body, c / u has its least value where D^3 - 2 b^2 D + R b^2 = 0."""
    beside, speed = 0.4, 0.6
    found = judged([(1.0, 3.0, 0.0), (4.0, 3.0 + beside, 0.0)], [(0.0, 1, Arc(0.0, 1.0, 3.0, 0.0, speed))], 10.0)
    reach = 2.0 * RADIUS
    roots = np.roots([1.0, 0.0, -2.0 * beside**2, reach * beside**2])
    apart = max(root.real for root in roots if abs(root.imag) < 1e-12)
    ahead = (apart**2 - beside**2) ** 0.5
    assert found.time_to_contact.value == near((apart - reach) * apart / (speed * ahead))
    assert found.time_to_contact.time == near((3.0 - ahead) / speed, 1e-4)
    assert found.clearance.value == near(beside - reach)
    assert found.clearance.time == near(5.0, 1e-4)


def test_a_motion_as_a_whole_was_on_its_way_before_it_ended() -> None:
    """The environment moves a robot with a timed motor when its motion ends; it was driving for 2 m / 0.2 m/s."""
    found = judged([(2.0, 3.0, 0.0), (6.0, 3.0, 0.0)], [(15.0, 1, Arc(15.0, 4.0, 3.0, 0.0))], 20.0)
    assert found.clearance.value == near(2.0 - 2.0 * RADIUS)
    assert found.speed.value == near(0.2)
    assert found.speed.time == near(5.0)
    assert found.time_to_contact.value == near((2.0 - 2.0 * RADIUS) / 0.2)
    assert found.time_to_contact.time == near(15.0)


def test_robots_that_cross_each_others_way_at_different_times_do_not_meet() -> None:
    told: list[Told] = [(10.0, 1, Arc(10.0, 4.0, 3.0, 0.0)), (20.0, 2, Arc(20.0, 3.0, 4.0, 0.0))]
    crossing = judged([(2.0, 3.0, 0.0), (3.0, 2.0, 0.0)], told, 25.0)
    assert crossing.clearance.value == near(1.0 - 2.0 * RADIUS)


@pytest.mark.parametrize(
    ("obstacle", "clearance"),
    [(Circle(4.0, 3.5, 0.2), 0.3 - RADIUS), (box(4.0, 3.6, 1.0, 0.4), 0.4 - RADIUS)],
)
def test_obstacles_are_judged_too(obstacle: Shape, clearance: float) -> None:
    found = judged([(1.0, 3.0, 0.0)], [(0.0, 1, Arc(0.0, 1.0, 3.0, 0.0, 0.2))], 20.0, obstacles=[obstacle])
    assert found.clearance.value == near(clearance)
    assert found.clearance.other == "obstacle 1"


def test_what_is_carried_touches_nothing_and_is_told_of() -> None:
    carrier = Arc(0.0, 2.0, 3.0, 0.0, 0.1)
    poses = [(2.0, 3.0, 0.0), (2.0, 3.0, 0.0)]
    found = judged(poses, [(0.0, 1, carrier), (0.0, 2, Carried(carrier, 0.0, 0.0))], 5.0)
    assert found.violations == ()
    assert found.unjudged == (2,)


def test_other_bodies_are_judged_while_they_are_there_and_not_carried() -> None:
    """A leg that stands 2 cm from a robot: it joins at 2 s, rides on the robot from 4 s to 6 s, and leaves at 8 s."""
    robot, radius = (2.0, 3.0, 0.0), 0.018
    stands = Arc(0.0, 2.0 + RADIUS + radius + 0.02, 3.0, 0.0)
    rides = Arc(4.0, 2.0, 3.0, 0.0)
    allowed = Allowance(("too near",), "it docks", things=("leg",))

    def found(*told: tuple[float, Trajectory | None, bool], allowances: Sequence[Allowance] = ()) -> SafetyJudgement:
        watch = SafetyWatch("safety", WIDTH, HEIGHT, [], [RADIUS], [0.2], [robot], LIMITS, allowances)
        before = 0.0
        for time, trajectory, carried in told:
            tell(watch, (watch.body_motion, BodyMotion(2, trajectory, radius, "leg", carried)), e=time - before)
            before = time
        return watch.judge(20.0)

    life = ((2.0, stands, False), (4.0, rides, True), (6.0, stands, False), (8.0, None, False))
    assert counted(found(*life)) == {"too near": 2}
    assert found(*life).clearance.other == "leg 2"
    assert found(*life).clearance.value == near(0.02)
    assert found(life[1]).violations == ()
    assert found(*life, allowances=[allowed]).trouble == ()
    assert counted(found(*life[:1])) == {"too near": 1}


def test_commands_that_wheels_cannot_carry_out_are_violations() -> None:
    poses = [(2.0, 3.0, 0.0)]
    watch = SafetyWatch("safety", WIDTH, HEIGHT, [], [RADIUS], [0.2], poses, LIMITS)
    port, gliding = watch.hear_commands(1, Wheels, 0.13), watch.hear_commands(1, Glide, 0.5)
    for left, right in ((0.13, -0.13), (0.1, 0.2), (-0.2, 0.0)):
        tell(watch, (port, Wheels(left, right)), e=1.0)
    for speed in (inf, 0.5, 0.6):
        tell(watch, (gliding, Glide(distance=1.0, speed=speed)), e=1.0)
    (violation,) = watch.judge(9.0).violations
    assert (violation.kind, violation.count) == ("over the limit", 3)
    assert violation.what == "robot 1 was told to drive at 0.2 m/s, faster than it can, at 2.000 s"


def test_an_allowance_up_to_a_speed_leaves_what_is_faster() -> None:
    why = "they dock"
    docking = Allowance(("too near", "contact", "not stoppable", "fast approach"), why, up_to=0.2)
    for speed, allowed in ((0.19, True), (0.21, False)):
        stop = 1.0 / speed
        told: list[Told] = [
            (0.0, 1, Arc(0.0, 2.0, 3.0, 0.0, speed)),
            (stop, 1, Arc(stop, 3.0, 3.0, 0.0)),
        ]
        poses = [(2.0, 3.0, 0.0), (3.0 + 2.0 * RADIUS, 3.0, 0.0)]
        found = judged(poses, told, stop, allowances=[docking])
        assert {each.kind for each in found.violations} == {"too near", "contact", "not stoppable", "fast approach"}
        assert bool(found.trouble) != allowed
        assert all(each.allowed == why for each in found.violations) or not allowed


def test_a_violation_that_goes_on_is_one_and_one_that_comes_back_is_another() -> None:
    """At 10 cm/s from 22 cm to 2 cm, 4 s there with turns in place, away, and the same again."""
    told: list[Told] = []
    for start in (0.0, 8.0):
        told += [
            (start, 1, Arc(start, 3.0, 3.0, 0.0, 0.1)),
            (start + 2.0, 1, Arc(start + 2.0, 3.2, 3.0, 0.0, 0.0, 1.0)),
            (start + 4.0, 1, Arc(start + 4.0, 3.2, 3.0, 0.0)),
            (start + 6.0, 1, Arc(start + 6.0, 3.2, 3.0, 0.0, -0.1)),
        ]
    found = judged([(3.0, 3.0, 0.0), (3.22 + 2.0 * RADIUS, 3.0, 0.0)], told, 14.0)
    assert counted(found) == {"too near": 2}


GLIDES = MotionLimits(0.5, 2.0, 20.0)

places = st.tuples(st.floats(1.0, 7.0), st.floats(1.0, 5.0), st.floats(-pi, pi))


def motions(pose: tuple[float, float, float], kind: int, size: float, bend: float) -> Trajectory:
    """A motion from a pose: straight, on an arc, or a glide."""
    if kind == 0:
        return Arc(0.0, *pose, size)
    if kind == 1:
        return Arc(0.0, *pose, size, bend)
    pieces, rotation = rest_to_rest(4.0 * abs(size), GLIDES), rest_to_rest(bend, GLIDES)
    return GlideMotion(1, bend, pieces, rotation=rotation).path(0.0, *pose)


moving = st.tuples(places, st.integers(0, 2), st.floats(-0.5, 0.5), st.floats(0.2, 2.0))


@settings(max_examples=20)
@given(st.lists(moving, min_size=2, max_size=3))
def test_the_extremes_are_those_of_very_many_instants_or_worse_by_less_than_these_may_miss(
    robots: list[tuple[tuple[float, float, float], int, float, float]],
) -> None:
    end, obstacles = 4.0, [Circle(4.0, 3.0, 0.3)]
    trajectories = [motions(*robot) for robot in robots]
    told: list[Told] = [(0.0, number, each) for number, each in enumerate(trajectories, 1)]
    found = judged([pose for pose, *_ in robots], told, end, obstacles=obstacles, walled=False)
    step = 1e-3
    times = np.arange(0.0, end + step / 2.0, step)
    ways = [np.array([each.pose(time)[:2] for time in times]) for each in trajectories]
    pairs = [(ways[i], ways[j], 2.0 * RADIUS) for i in range(len(ways)) for j in range(i)]
    pairs += [(way, np.tile([4.0, 3.0], (len(times), 1)), RADIUS + 0.3) for way in ways]
    nearest, soonest = inf, inf
    for way, other, reach in pairs:
        clearance = np.hypot(*(way - other).T) - reach
        if clearance.min() < -0.2:  # one inside the other: nothing of the kind happens where contacts stop bodies
            return
        closing = -np.gradient(clearance, step)[1:-1]
        fast = closing > LIMITS.slow + 0.01
        nearest = min(nearest, float(clearance.min()))
        if fast.any():
            soonest = min(soonest, float((np.maximum(0.0, clearance[1:-1][fast]) / closing[fast]).min()))
    assert nearest - 2.0 * 0.5 * step - 1e-4 <= found.clearance.value <= nearest + 2e-4
    assert found.time_to_contact.value <= soonest + 0.02
    extreme = found.clearance
    place = trajectories[extreme.robot - 1].pose(extreme.time)
    assert hypot(place[0] - extreme.x, place[1] - extreme.y) < 1e-9
