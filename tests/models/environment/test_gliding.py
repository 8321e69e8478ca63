"""Omniwheels in the environment: where a glide leads, and what ends one before its time."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import pytest

from devs_robotics.models.environment import Circle, Field, Twist
from devs_robotics.models.environment.messages import Carry, GlideMotion
from devs_robotics.models.environment.motion.jerk_limited import MotionLimits, rest_to_rest
from tests.approximately import near
from tests.models.environment.driven import Run, drive

LIMITS = MotionLimits(0.5, 2.0, 20.0)
GLIDE = GlideMotion(1, 0.5, rest_to_rest(1.0, LIMITS), rotation=rest_to_rest(0.7, LIMITS))
END = GLIDE.path(0.0, 0.0, 0.0, 0.0).end


def glided(*later: tuple[float, Any], obstacles: bool = False, until: float = 9.0) -> Run:
    field = Field(6.0, 6.0, [Circle(3.0 + 0.5 * cos(0.75), 3.0 + 0.5 * sin(0.75), 0.1)] if obstacles else [])
    field.add_body(3.0, 3.0, 0.25, 0.1)
    field.add_body(1.0, 1.0, 0.0, 0.1)
    return drive(field, [GLIDE], later=later, until=until)


def halts(run: Run) -> list[tuple[float, int, bool]]:
    return [(time, each.robot, each.stopped) for time, each in run.stopped]


def test_a_glide_leads_where_it_is_said_to_and_rests_there() -> None:
    run = glided()
    assert halts(run) == []
    assert run.space.field.pose(0) == (near(3.0 + cos(0.75)), near(3.0 + sin(0.75)), near(0.95))
    half = glided(until=0.5 * END)
    x, y, _ = half.space.field.pose(0)
    assert (x, y) == (near(3.0 + 0.5 * cos(0.75), 1e-6), near(3.0 + 0.5 * sin(0.75), 1e-6))


@pytest.mark.parametrize("twist", [Twist(1, 0.0, 0.0), Twist(1, 0.1, 0.5)])
def test_a_velocity_takes_its_place_and_that_is_told(twist: Twist) -> None:
    run = glided((1.0, twist))
    assert halts(run) == [(1.0, 1, True)]
    x, y, heading = run.space.field.pose(0)
    if not twist.speed:
        assert (x, y, heading) == pytest.approx(GLIDE.path(0.0, 3.0, 3.0, 0.25).pose(1.0))


def test_another_glide_takes_its_place_without_a_word() -> None:
    run = glided((1.0, GlideMotion(1, 0.0, rest_to_rest(0.5, LIMITS))))
    assert halts(run) == []
    begun = GLIDE.path(0.0, 3.0, 3.0, 0.25).pose(1.0)
    assert run.space.field.pose(0) == (
        near(begun[0] + 0.5 * cos(begun[2])),
        near(begun[1] + 0.5 * sin(begun[2])),
        near(begun[2]),
    )


def test_an_obstacle_ends_it_where_it_is_touched() -> None:
    run = glided(obstacles=True)
    ((time, robot, stopped),) = halts(run)
    assert (robot, stopped) == (1, True)
    assert 0.0 < time < END
    assert run.space.field.clearance(0) == near(0.0, 1e-5)


def test_who_is_carried_cannot_glide_and_is_told_so_at_once() -> None:
    field = Field(6.0, 6.0)
    for x in (3.0, 1.0):
        field.add_body(x, 3.0, 0.25, 0.1)
    run = drive(field, [Carry(2, 1, 0.5, 0.0, pi)], later=[(1.0, GLIDE)], until=9.0)
    assert halts(run) == [(1.0, 1, True)]
    assert run.space.field.pose(0)[:2] == (near(1.0 + 0.5 * cos(0.25)), near(3.0 + 0.5 * sin(0.25)))
