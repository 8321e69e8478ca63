"""When rays meet obstacles and discs touch them, against dense sampling and shapely, closed forms against bracket."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, inf, pi, sin

import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from devs_robotics.models.environment.crossing import first_contact_shape, first_seen_shape
from devs_robotics.models.environment.crossing.obstacles import _contact_with_side
from devs_robotics.models.environment.crossing.rays import narrow
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Trajectory
from devs_robotics.models.environment.shapes import Circle, Polygon, Segment, Shape, box
from tests.models.environment.crossing.motions import (
    HORIZON,
    NOW,
    SAMPLES,
    Unknown,
    angles,
    arcs,
    check_first,
    check_graze,
    lines,
    motions,
    places,
    some,
)

EDGE, RADIUS = 0.035, 0.04
reaches = st.sampled_from([0.05, 0.3])
sizes = st.floats(0.02, 0.3)
boxes = st.builds(box, places, places, sizes, sizes, angles)
walls = st.builds(
    lambda x, y, turn, length: Segment(x, y, x + length * cos(turn), y + length * sin(turn)),
    places,
    places,
    angles,
    st.floats(0.01, 0.5),
)
millimetres = st.integers(-200, 200).map(lambda value: value / 1000.0)
shapes = st.one_of(boxes, walls, st.builds(Circle, places, places, st.floats(0.01, 0.2)))


class Strange:
    """A shape that nobody knows the sides of, so that it takes no closed form."""

    def __init__(self, shape: Shape) -> None:
        self.hit = shape.hit
        self.distance = shape.distance
        self.distance_from_segment = shape.distance_from_segment
        self.bounds = shape.bounds


def ray_gap(observer: Trajectory, bearing: float, reach: float, shape: Shape) -> Callable[[float], float]:
    """How far the ray is from the shape, by time; -1 where it meets it."""

    def gap(time: float) -> float:
        x, y, heading = observer.pose(time)
        ux, uy = cos(heading + bearing), sin(heading + bearing)
        far = EDGE + reach
        away = shape.distance_from_segment(x + EDGE * ux, y + EDGE * uy, x + far * ux, y + far * uy)
        return away if away > 1e-12 else -1.0

    return gap


def disc_gap(motion: Trajectory, shape: Shape) -> Callable[[float], float]:
    """How far the disc is from the shape, by time."""
    return lambda time: shape.distance(*motion.pose(time)[:2]) - RADIUS


@given(arcs, boxes, st.floats(0.01, 5.0))
@some
def test_sides_that_are_left_out_are_touched_later(arc: Arc, solid: Polygon, lasts: float) -> None:
    x, y, heading = arc.pose(NOW)
    assume(arc.speed and narrow(arc) and solid.distance(x, y))
    plain = NOW + min(
        _contact_with_side(arc, (x, y, heading), RADIUS, side.ax, side.ay, side.bx, side.by) for side in solid.sides()
    )
    assert first_contact_shape(arc, RADIUS, solid, NOW, NOW + lasts) == (plain if plain <= NOW + lasts else inf)


@given(motions, angles, reaches, shapes)
@some
def test_no_obstacle_is_missed_by_a_ray(observer: Trajectory, bearing: float, reach: float, shape: Shape) -> None:
    assume(shape.distance(*observer.pose(NOW)[:2]) > EDGE)
    until = first_contact_shape(observer, EDGE, shape, NOW, HORIZON)  # after it the body would be in the obstacle
    found = first_seen_shape(observer, bearing, EDGE, reach, shape, NOW, min(until, HORIZON))
    gap = ray_gap(observer, bearing, reach, shape)
    check_first(gap if until == inf else lambda time: gap(time) if time < until else inf, found)


@given(motions, shapes)
@some
def test_no_obstacle_is_missed_by_a_disc(motion: Trajectory, shape: Shape) -> None:
    gap = disc_gap(motion, shape)
    assume(gap(NOW) > 0.0)
    check_first(gap, first_contact_shape(motion, RADIUS, shape, NOW, HORIZON))


@given(arcs, angles, reaches, boxes | walls)
@some
def test_closed_forms_agree_with_the_bracket(arc: Arc, bearing: float, reach: float, shape: Shape) -> None:
    seen_gap, gap = ray_gap(arc, bearing, reach, shape), disc_gap(arc, shape)
    assume(gap(NOW) > 1e-8)
    until = min(HORIZON, first_contact_shape(arc, EDGE, shape, NOW, HORIZON))
    each = (arc, shape), (Unknown(arc), shape), (arc, Strange(shape))
    seen = [first_seen_shape(motion, bearing, EDGE, reach, what, NOW, until) for motion, what in each]
    met = [first_contact_shape(motion, RADIUS, what, NOW, HORIZON) for motion, what in each]
    check_graze(gap, min(met), max(met))
    if max(seen) - min(seen) > 1e-5:  # then it was no more than a graze
        assert seen_gap(min(seen)) < 1e-8
        assert seen_gap(min(until, min(seen) + 1e-3)) > 0.0


@given(lines, boxes)
@some
def test_contact_with_a_box_is_where_shapely_says(line: Arc, obstacle: Polygon) -> None:
    solid = shapely.Polygon(obstacle.corners)
    start, end = line.pose(NOW)[:2], line.pose(HORIZON)[:2]
    assume(solid.distance(shapely.Point(start)) > RADIUS + 1e-6)
    path = shapely.LineString([start, end])
    found = first_contact_shape(line, RADIUS, obstacle, NOW, HORIZON)
    if path.intersects(solid.buffer(RADIUS - 1e-4)):
        assert found < inf
    if path.disjoint(solid.buffer(RADIUS + 1e-4)):
        assert found == inf
    if found < inf:
        there = line.pose(found)[:2]
        assert solid.distance(shapely.Point(there)) == pytest.approx(RADIUS, abs=1e-9)
        assert solid.distance(shapely.LineString([start, there])) >= RADIUS - 1e-9


@given(arcs, angles, reaches, boxes)
@some
def test_a_ray_meets_a_box_where_shapely_says(arc: Arc, bearing: float, reach: float, obstacle: Polygon) -> None:
    solid = shapely.Polygon(obstacle.corners)

    def ray(time: float) -> shapely.LineString:
        x, y, heading = arc.pose(time)
        ux, uy = cos(heading + bearing), sin(heading + bearing)
        far = EDGE + reach
        return shapely.LineString([(x + EDGE * ux, y + EDGE * uy), (x + far * ux, y + far * uy)])

    assume(solid.distance(shapely.Point(arc.pose(NOW)[:2])) > EDGE)
    until = min(HORIZON, first_contact_shape(arc, EDGE, obstacle, NOW, HORIZON))
    found = first_seen_shape(arc, bearing, EDGE, reach, obstacle, NOW, until)
    if found < inf:
        assert solid.distance(ray(found)) < 3e-9  # without a closed form, two nanometres early
    before = min(found, until) - 1e-5
    rays = [ray(NOW + (before - NOW) * sample / SAMPLES) for sample in range(SAMPLES)] if before > NOW else []
    assert all(shapely.distance(solid, rays) > 0.0)


@given(millimetres, millimetres, angles, st.floats(0.0, 2 * pi))
@some
def test_the_ray_cast_of_a_box_is_shapely_s(x: float, y: float, turn: float, direction: float) -> None:
    obstacle = box(0.0, 0.0, 0.13, 0.09, turn)
    solid = shapely.Polygon(obstacle.corners)
    assume(solid.distance(shapely.Point(x, y)) > 1e-6)
    cast = shapely.LineString([(x, y), (x + cos(direction), y + sin(direction))])
    distance = obstacle.hit(x, y, cos(direction), sin(direction), 0.0)
    inside = cast.intersection(solid)
    assume(inside.is_empty or inside.length > 1e-6)
    assert distance == (inf if inside.is_empty else pytest.approx(shapely.Point(x, y).distance(inside), abs=1e-9))


@pytest.mark.parametrize("known", [True, False])
def test_a_disc_may_glide_along_a_wall_of_two_pieces_and_leave_it(known: bool) -> None:
    corners = ((0.0, 0.0), (0.0, -0.1), (1.0, -0.1), (1.0, 0.0), (0.4, 0.0))
    obstacle = Polygon(corners)

    def first(heading: float, y: float = RADIUS, turn_rate: float = 0.0) -> float:
        arc = Arc(0.0, 0.2, y, heading, 0.05, turn_rate)
        return first_contact_shape(arc if known else Unknown(arc), RADIUS, obstacle, 0.0, 30.0)

    assert first(0.0) == inf
    assert first(pi) == inf
    assert first(pi / 2) == inf
    assert first(-pi / 2) == 0.0
    assert first(0.3, RADIUS - 0.01) == inf  # put into it, and leaving
    assert first(-0.3, RADIUS - 0.01) == 0.0
    assert first(0.0, RADIUS, 1.0) == inf  # a circle, away from the wall
    assert first(0.0, RADIUS, -1.0) == 0.0


@pytest.mark.parametrize("shape", [box(0.3, 0.0, 0.2, 0.2), Circle(0.3, 0.0, 0.1), Segment(0.2, -0.1, 0.2, 0.1)])
def test_a_tip_at_an_obstacle_sees_it_only_if_it_goes_on(shape: Shape) -> None:
    def first(speed: float) -> float:
        arc = Arc(0.0, 0.2 - EDGE - 0.05, 0.0, 0.0, speed)
        return first_seen_shape(arc, 0.0, EDGE, 0.05, shape, 0.0, 1.0)

    assert first(0.05) == pytest.approx(0.0, abs=1e-9)
    assert first(-0.05) == inf


def test_a_body_at_rest_or_turning_in_place_touches_nothing() -> None:
    obstacle = box(0.0, 0.0, 1.0, 1.0)
    assert first_contact_shape(Arc(0.0, 0.53, 0.0, 0.0), RADIUS, obstacle, 0.0, 30.0) == inf
    assert first_contact_shape(Arc(0.0, 0.53, 0.0, 0.0, turn_rate=1.0), RADIUS, obstacle, 0.0, 30.0) == inf
