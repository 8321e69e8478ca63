"""When rays meet the walls of the field and discs touch them, against dense sampling, closed forms against bracket."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, inf, pi, sin

import pytest
from hypothesis import given

from devs_robotics.models.environment.crossing import first_contact_walls, first_seen_walls
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Trajectory
from tests.models.environment.crossing.motions import (
    HORIZON,
    NOW,
    Unknown,
    angles,
    arcs,
    check_first,
    check_graze,
    motions,
    some,
)

WIDTH, HEIGHT, EDGE, REACH, RADIUS = 0.5, 0.3, 0.035, 0.05, 0.035


def room(motion: Trajectory, ahead: float, bearing: float, margin: float) -> Callable[[float], float]:
    """How far a point `ahead` of a body's centre is within the walls, by time."""

    def left(time: float) -> float:
        x, y, heading = motion.pose(time)
        x, y = x + ahead * cos(heading + bearing), y + ahead * sin(heading + bearing)
        return min(x, y, WIDTH - x, HEIGHT - y) - margin

    return left


@given(motions, angles)
@some
def test_no_wall_is_missed_by_a_ray(observer: Trajectory, bearing: float) -> None:
    found = first_seen_walls(observer, bearing, EDGE, REACH, WIDTH, HEIGHT, NOW, HORIZON)
    check_first(room(observer, EDGE + REACH, bearing, 0.0), found)


@given(motions)
@some
def test_no_wall_is_missed_by_a_disc(motion: Trajectory) -> None:
    left = room(motion, 0.0, 0.0, RADIUS)
    if left(NOW) > 0.0:
        check_first(left, first_contact_walls(motion, RADIUS, WIDTH, HEIGHT, NOW, HORIZON))


@given(arcs, angles)
@some
def test_closed_forms_agree_with_the_bracket(arc: Arc, bearing: float) -> None:
    tip, centre = room(arc, EDGE + REACH, bearing, 0.0), room(arc, 0.0, 0.0, RADIUS)
    seen = [first_seen_walls(each, bearing, EDGE, REACH, WIDTH, HEIGHT, NOW, HORIZON) for each in (arc, Unknown(arc))]
    met = [first_contact_walls(each, RADIUS, WIDTH, HEIGHT, NOW, HORIZON) for each in (arc, Unknown(arc))]
    check_graze(tip, *seen)
    if centre(NOW) > 0.0:
        check_graze(centre, *met)


@pytest.mark.parametrize("known", [True, False])
def test_a_disc_may_leave_a_wall_or_glide_along_it_to_the_next(known: bool) -> None:
    def first(heading: float, turn_rate: float = 0.0) -> float:
        arc = Arc(0.0, 0.2, RADIUS, heading, 0.05, turn_rate)
        return first_contact_walls(arc if known else Unknown(arc), RADIUS, WIDTH, HEIGHT, 0.0, 100.0)

    assert first(0.0) == pytest.approx((WIDTH - RADIUS - 0.2) / 0.05)
    assert first(pi) == pytest.approx((0.2 - RADIUS) / 0.05)
    assert first(pi / 2) == pytest.approx((HEIGHT - 2 * RADIUS) / 0.05)
    assert first(-pi / 2) == 0.0
    assert first(0.0, 2.0) == inf  # a small circle, away from the wall
    assert first(0.0, -2.0) == 0.0


def test_a_disc_that_was_put_into_a_wall_may_leave_it() -> None:
    inside = Arc(0.0, 0.2, RADIUS / 2.0, pi / 2, 0.05)
    assert first_contact_walls(inside, RADIUS, WIDTH, HEIGHT, 0.0, 1.0) == inf
    assert first_contact_walls(Arc(0.0, 0.2, RADIUS / 2.0, -0.1, 0.05), RADIUS, WIDTH, HEIGHT, 0.0, 1.0) == 0.0


def test_a_tip_at_a_wall_sees_it_only_if_it_goes_on() -> None:
    def first(speed: float) -> float:
        arc = Arc(0.0, WIDTH - EDGE - REACH, 0.15, 0.0, speed)
        return first_seen_walls(arc, 0.0, EDGE, REACH, WIDTH, HEIGHT, 0.0, 1.0)

    assert first(0.05) == 0.0
    assert first(-0.05) == inf
