"""Arcs, against small steps, and the properties that make them arcs."""

from __future__ import annotations

from math import cos, hypot, inf, pi, remainder, sin, tau

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment.motion.arc import Arc
from tests.models.environment.crossing.motions import some

places = st.floats(-3.0, 3.0)
angles = st.floats(-10.0, 10.0)
speeds = st.floats(-0.3, 0.3)
rates = st.floats(-3.0, 3.0) | st.floats(-1e-6, 1e-6)
times = st.floats(0.0, 20.0)
arcs = st.builds(Arc, st.floats(0.0, 5.0), places, places, angles, speeds, rates)


@given(arcs)
def test_it_starts_where_it_says(arc: Arc) -> None:
    assert arc.pose(arc.start) == (arc.x, arc.y, remainder(arc.heading, tau))


@given(arcs, times)
@some
def test_small_steps_along_the_heading_end_there_too(arc: Arc, after: float) -> None:
    steps = 100
    h = after / steps
    x, y = arc.x, arc.y
    for step in range(steps):
        heading = arc.heading + arc.turn_rate * h * (step + 0.5)
        x, y = x + arc.speed * h * cos(heading), y + arc.speed * h * sin(heading)
    there = arc.pose(arc.start + after)
    error = abs(arc.speed) * after * (arc.turn_rate * h) ** 2 / 24.0  # of the midpoint rule
    assert hypot(there[0] - x, there[1] - y) <= 2.0 * error + 1e-9
    assert abs(remainder(there[2] - arc.heading - arc.turn_rate * after, tau)) < 1e-9


@given(arcs, times, st.floats(0.0, 10.0))
def test_an_arc_from_any_of_its_poses_is_the_same_motion(arc: Arc, after: float, more: float) -> None:
    middle = arc.start + after
    again = Arc(middle, *arc.pose(middle), arc.speed, arc.turn_rate)
    there, here = arc.pose(middle + more), again.pose(middle + more)
    assert here[:2] == pytest.approx(there[:2], abs=1e-9)
    assert abs(remainder(here[2] - there[2], tau)) < 1e-9


@given(arcs, times)
def test_its_velocity_is_how_its_pose_changes(arc: Arc, after: float) -> None:
    now = arc.start + after
    before, later = arc.pose(now - 1e-4), arc.pose(now + 1e-4)
    vx, vy = arc.velocity(now)
    assert (later[0] - before[0]) / 2e-4 == pytest.approx(vx, abs=1e-6)
    assert (later[1] - before[1]) / 2e-4 == pytest.approx(vy, abs=1e-6)
    assert hypot(vx, vy) == pytest.approx(arc.fastest)


@given(arcs.filter(lambda arc: abs(arc.turn_rate) > 0.01), times)
def test_it_keeps_its_distance_from_its_centre(arc: Arc, after: float) -> None:
    x, y, _ = arc.pose(arc.start + after)
    centre = arc.centre
    assert hypot(x - centre[0], y - centre[1]) == pytest.approx(abs(arc.speed / arc.turn_rate), abs=1e-9)


def test_a_straight_motion_has_no_centre() -> None:
    with pytest.raises(ValueError, match="does not turn"):
        _ = Arc(0.0, 0.0, 0.0, 0.0, 0.1).centre


def test_rest() -> None:
    rest = Arc(2.0, 1.0, -1.0, pi / 3)
    assert rest.at_rest
    assert rest.pose(1e6) == (1.0, -1.0, pi / 3)
    assert (rest.fastest, rest.fastest_turn, rest.end) == (0.0, 0.0, inf)
    assert not Arc(0.0, 0.0, 0.0, 0.0, turn_rate=-0.1).at_rest
    assert not Arc(0.0, 0.0, 0.0, 0.0, speed=-0.1).at_rest
