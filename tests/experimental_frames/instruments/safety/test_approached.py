"""How near bodies came to each other by motions in closed form, whatever is told of poses."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, pi

import pytest

from devs_robotics.experimental_frames.instruments.approach import Approach, Approached
from devs_robotics.experimental_frames.instruments.safety import Allowance, Engagement, SafetyLimits, SafetyWatch
from devs_robotics.models.environment import BodyMotion
from devs_robotics.models.environment.motion.arc import Arc
from tests.approximately import near
from tests.models.play import tell

RADIUS, SPEED = 0.125, 0.5

Told = tuple[float, int, Arc]
"""From when on (s), which robot, how it moves."""


def approached(
    poses: Sequence[tuple[float, float, float]],
    told: Sequence[Told] = (),
    end: float = 10.0,
    allowances: Sequence[Allowance] = (),
    engagements: Sequence[Engagement] = (),
) -> Approached:
    robots = len(poses)
    watch = SafetyWatch(
        "approaches", 8.0, 6.0, (), [RADIUS] * robots, [SPEED] * robots, poses, SafetyLimits(), allowances
    )
    before = 0.0
    for time, robot, trajectory in told:
        tell(watch, (watch.body_motion, BodyMotion(robot, trajectory, RADIUS)), e=time - before)
        before = time
    return watch.approached(end, engagements)


def head_on(aside: float) -> tuple[list[tuple[float, float, float]], list[Told]]:
    """Two robots, so far beside each other (m), that drive towards each other from 4 m, for 8 s at 0.5 m/s each."""
    poses = [(2.0, 3.0, 0.0), (6.0, 3.0 + aside, pi)]
    return poses, [
        *((0.0, robot, Arc(0.0, *pose, SPEED)) for robot, pose in enumerate(poses, 1)),
        *((8.0, robot, Arc(8.0, 8.0 - pose[0], pose[1], pose[2])) for robot, pose in enumerate(poses, 1)),
    ]


@pytest.mark.parametrize("clearance", [0.001, 0.029, 0.031, 0.4])
def test_two_that_pass_each_other_are_as_near_as_they_are_beside_each_other(clearance: float) -> None:
    """Head-on at 0.5 m/s each: they are 4 m apart before and after, and abreast after 4 s."""
    found = approached(*head_on(2.0 * RADIUS + clearance))
    assert found.between_robots == pytest.approx(clearance, abs=1e-6)
    assert found.collisions == 0
    if clearance > found.limit == 0.03:
        assert (found.worst, found.dangers, found.verdict()) == (None, 0, None)
        return
    assert found.worst == Approach(1, "robot 2", near(clearance, 1e-6), near(4.0, 1e-3))
    assert found.dangers == 1
    assert found.verdict() == (
        f"robot 1 came within {100.0 * clearance:.3g} cm of robot 2 at 4.0 s: it has to keep 3 cm (closer approaches "
        "in all: 1, collisions among them: 0)"
    )


@pytest.mark.parametrize("gap", [0.002, 0.05])
def test_two_that_drive_at_each_other_and_turn_round_are_nearest_when_they_turn(gap: float) -> None:
    (one, other), _ = head_on(0.0)
    turn = (4.0 - 2.0 * RADIUS - gap) / (2.0 * SPEED)
    way = SPEED * turn
    found = approached(
        [one, other],
        [
            (0.0, 1, Arc(0.0, *one, SPEED)),
            (0.0, 2, Arc(0.0, *other, SPEED)),
            (turn, 1, Arc(turn, one[0] + way, 3.0, 0.0, -SPEED)),
            (turn, 2, Arc(turn, other[0] - way, 3.0, pi, -SPEED)),
        ],
        end=turn + 3.0,
    )
    assert found.between_robots == pytest.approx(gap, abs=1e-6)
    assert (found.dangers, found.collisions) == ((1, 0) if gap < 0.03 else (0, 0))


def test_who_touches_has_hit_and_walls_count_as_robots_do_but_not_among_them() -> None:
    touching = approached([(1.0, 3.0, 0.0), (1.0 + 2.0 * RADIUS, 3.0, 0.0)])
    assert (touching.dangers, touching.collisions, touching.between_robots) == (1, 1, near(0.0))
    assert str(touching.verdict()).startswith("robot 1 hit robot 2 at 0.0 s: it has to keep 3 cm")
    wall = approached([(1.0, 3.0, 0.0)], [(0.0, 1, Arc(0.0, 1.0, 3.0, pi, SPEED)), (1.7, 1, Arc(1.7, 0.15, 3.0, pi))])
    assert wall.between_robots == inf
    assert wall.worst == Approach(1, "the wall at x = 0 m", near(0.025), near(1.7))


def test_what_the_case_allows_is_counted_and_is_no_trouble() -> None:
    passing, why = head_on(2.0 * RADIUS + 0.01), "robots dock"
    allowed = approached(*passing, allowances=[Allowance(("too near",), why, things=("robot",))])
    assert (allowed.dangers, allowed.worst, allowed.allowed) == (1, None, (why,))
    docks = Allowance(("too near",), why, engaged=True)
    for begin, trouble in ((0.0, False), (5.0, True)):
        dealt = [Engagement(1, "robot 2", begin, 9.0)]
        assert bool(approached(*passing, allowances=[docks], engagements=dealt).verdict()) == trouble


def test_speed_alone_is_no_approach() -> None:
    """Which the safety gate judges, by the same motions."""
    found = approached(*head_on(2.0 * RADIUS + 0.035))
    assert found.dangers == 0
