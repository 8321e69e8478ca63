"""Equations (1) to (3): checked by moving points in the plane."""

from __future__ import annotations

from cmath import phase, rect
from math import isclose, pi, remainder

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from devs_robotics.models.convoy import Sync
from devs_robotics.models.convoy.planning import Odometry, next_delta, plan, seen_delta

angles = st.floats(-pi, pi)
gaps = st.floats(0.3, 2.0)
drives = st.floats(-0.25, 0.25)
syncs = st.builds(Sync, st.just(1), angles, drives, angles)


def front_after(gap: float, bearing: float, delta: float, front: Sync) -> complex:
    """Where the front robot stands after its round, seen from the back robot before its own."""
    return rect(gap, bearing) + rect(front.distance, delta + front.alpha)


@given(gaps, angles, angles, syncs, gaps)
def test_the_plan_leads_to_the_spacing_behind_the_front_robot_facing_it(
    gap: float, bearing: float, delta: float, front: Sync, spacing: float
) -> None:
    target = front_after(gap, bearing, delta, front)
    assume(abs(target) > 1e-3)
    alpha, distance = plan(gap, bearing, delta, front, spacing)
    seen = target - rect(distance, alpha)
    assert isclose(abs(seen), spacing, abs_tol=1e-9)
    assert abs(remainder(phase(seen) - alpha, 2 * pi)) < 1e-9


@given(gaps, st.floats(-1.4, 1.4), syncs)
def test_where_the_printed_equations_hold_the_plan_is_theirs(gap: float, delta: float, front: Sync) -> None:
    from math import atan, cos, sin

    across = front.distance * sin(front.alpha + delta)
    ahead = gap + front.distance * cos(front.alpha + delta)
    assume(ahead > 0.01 and abs(across) > 1e-3)
    alpha = atan(across / ahead)
    assert plan(gap, 0.0, delta, front, 0.5) == pytest.approx((alpha, across / sin(alpha) - 0.5))


def test_straight_on_there_is_nothing_to_divide_by_zero() -> None:
    assert plan(0.5, 0.0, 0.0, Sync(1, 0.0, 0.3, 0.0), 0.5) == pytest.approx((0.0, 0.3))


@given(angles, syncs, angles)
def test_headings_add_up(delta: float, front: Sync, turned: float) -> None:
    own = 0.3
    front_heading = own + delta + front.alpha + front.beta
    expected = remainder(front_heading - (own + turned), 2 * pi)
    assert abs(remainder(next_delta(delta, front, turned) - expected, 2 * pi)) < 1e-9


moves = st.lists(st.tuples(angles, drives), max_size=6)


@given(moves)
def test_a_sync_leads_where_the_motions_led(motions: list[tuple[float, float]]) -> None:
    odometry, place, heading = Odometry(), 0j, 0.0
    for turn, distance in motions:
        odometry.add(turn, distance)
        heading += turn
        place += rect(distance, heading)
    sync = odometry.sync(1)
    assert abs(rect(sync.distance, sync.alpha) - place) < 1e-9
    assert abs(remainder(sync.alpha + sync.beta - heading, 2 * pi)) < 1e-9
    assert abs(complex(odometry.x, odometry.y) - place) < 1e-9


@pytest.mark.parametrize("distance", [0.3, -0.3])
def test_a_sync_of_one_drive_is_what_was_commanded(distance: float) -> None:
    odometry = Odometry()
    for turn, drive in ((2.5, 0.0), (0.0, distance), (0.1, 0.0), (-0.3, 0.0)):
        odometry.add(turn, drive)
    sync = odometry.sync(4)
    assert (sync.robot, sync.alpha, sync.distance) == (4, 2.5, distance)
    assert sync.beta == pytest.approx(-0.2)


@given(gaps, st.floats(-0.2, 0.2), angles, syncs, moves)
def test_the_heading_difference_can_be_seen_from_the_way_of_the_front_robot(
    gap: float, bearing: float, delta: float, front: Sync, motions: list[tuple[float, float]]
) -> None:
    assume(abs(front.distance) > 0.01)
    own = Odometry()
    for turn, distance in motions:
        own.add(turn, distance)
    seen = front_after(gap, bearing, delta, front) - complex(own.x, own.y)
    assume(abs(seen) > 1e-3)
    own.add(remainder(phase(seen) - own.turned, 2 * pi), 0.0)  # now it faces the front robot
    found = seen_delta((gap, bearing), own, abs(seen), front)
    assert found is not None
    assert abs(remainder(found - delta, 2 * pi)) < 1e-6


def test_a_front_robot_that_hardly_moved_shows_no_heading() -> None:
    own = Odometry()
    assert seen_delta((0.5, 0.0), own, 0.55, Sync(1, 0.0, 0.3, 0.0)) is None
    assert seen_delta((0.5, 0.0), own, 0.55, Sync(1, 0.0, 0.0, 0.0)) is None
