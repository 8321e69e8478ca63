"""Exact geometry, against a march along the ray that knows distances only, and distances against dense sampling."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from devs_robotics.models.environment import Circle, Polygon, Segment, Shape, box

coordinates = st.floats(-3.0, 3.0).map(lambda value: round(value, 3))
angles = st.floats(-pi, pi)
radii = st.sampled_from([0.0, 0.1, 0.37])
circles = st.builds(Circle, coordinates, coordinates, st.floats(0.05, 1.0))
segments = st.builds(Segment, coordinates, coordinates, coordinates, coordinates).filter(
    lambda wall: hypot(wall.bx - wall.ax, wall.by - wall.ay) > 0.01
)
boxes = st.builds(box, coordinates, coordinates, st.floats(0.1, 2.0), st.floats(0.1, 2.0), angles)
triangles = st.builds(
    lambda x, y, turn: Polygon(
        tuple((x + cos(turn + third), y + sin(turn + third)) for third in (0, 2 * pi / 3, 4 * pi / 3))
    ),
    coordinates,
    coordinates,
    angles,
)
shapes = st.one_of(circles, segments, boxes, triangles)


def march(shape: Shape, x: float, y: float, ux: float, uy: float, radius: float) -> float:
    """How far a disc can go, found by going as far as is safe again and again."""
    gone = 0.0
    while gone < 12.0:
        free = shape.distance(x + gone * ux, y + gone * uy) - radius
        if free < 1e-7:
            return gone
        gone += free
    return inf


@given(shapes, coordinates, coordinates, angles, radii)
def test_a_disc_goes_as_far_as_the_march_goes(shape: Shape, x: float, y: float, angle: float, radius: float) -> None:
    assume(shape.distance(x, y) > radius + 1e-3)
    ux, uy = cos(angle), sin(angle)
    marched, exact = march(shape, x, y, ux, uy, radius), shape.hit(x, y, ux, uy, radius)
    if marched == inf:
        assert exact == inf or _grazes(shape, x, y, ux, uy, radius)
    elif exact == inf:
        assert _grazes(shape, x, y, ux, uy, radius)
    else:
        # near a tangent a march of 1e-7 in depth may stop some way before the contact
        assert abs(exact - marched) < 1e-3 or _grazes(shape, x, y, ux, uy, radius)


def _grazes(shape: Shape, x: float, y: float, ux: float, uy: float, radius: float) -> bool:
    """Whether the disc passes the shape so closely that rounding decides."""
    return (
        march(shape, x, y, ux, uy, radius + 1e-5) < inf and march(shape, x, y, ux, uy, max(0.0, radius - 1e-5)) == inf
    )


@given(st.one_of(boxes, triangles), coordinates, coordinates, angles, radii)
def test_a_polygon_is_met_where_one_of_its_sides_is(
    solid: Polygon, x: float, y: float, angle: float, radius: float
) -> None:
    ux, uy = cos(angle), sin(angle)
    assert solid.hit(x, y, ux, uy, radius) == min(side.hit(x, y, ux, uy, radius) for side in solid.sides())
    assert solid.distance(x, y) in (0.0, min(side.distance(x, y) for side in solid.sides()))


@given(shapes, coordinates, coordinates)
def test_distances_are_those_to_the_nearest_of_many_points(shape: Shape, x: float, y: float) -> None:
    points = outline(shape)
    nearest = min(hypot(px - x, py - y) for px, py in points)
    assert shape.distance(x, y) <= nearest + 1e-9
    if shape.distance(x, y) > 0.0:
        assert nearest - shape.distance(x, y) < 0.05
    x_min, y_min, x_max, y_max = shape.bounds()
    assert all(x_min - 1e-9 <= px <= x_max + 1e-9 and y_min - 1e-9 <= py <= y_max + 1e-9 for px, py in points)


def outline(shape: Shape) -> list[tuple[float, float]]:
    if isinstance(shape, Circle):
        steps = [2 * pi * step / 400 for step in range(400)]
        return [(shape.x + shape.radius * cos(a), shape.y + shape.radius * sin(a)) for a in steps]
    sides = shape.sides() if isinstance(shape, Polygon) else [shape]
    return [
        (side.ax + step / 200 * (side.bx - side.ax), side.ay + step / 200 * (side.by - side.ay))
        for side in sides
        if isinstance(side, Segment)
        for step in range(201)
    ]


@given(boxes, angles)
def test_inside_a_solid_the_distance_is_zero(solid: Polygon, angle: float) -> None:
    x_min, y_min, x_max, y_max = solid.bounds()
    assert solid.distance((x_min + x_max) / 2, (y_min + y_max) / 2) == 0.0


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (Circle(2.0, 0.0, 0.5), 1.4),
        (Segment(2.0, -1.0, 2.0, 1.0), 1.9),
        (Segment(2.0, 0.0, 3.0, 0.0), 1.9),
        (box(2.0, 0.0, 1.0, 1.0), 1.4),
        (Polygon(((2.0, 0.0), (3.0, 1.0), (3.0, -1.0))), 1.9),
    ],
)
def test_distances_worked_out_by_hand_for_a_disc_of_ten_centimetres(shape: Shape, expected: float) -> None:
    assert shape.hit(0.0, 0.0, 1.0, 0.0, 0.1) == pytest.approx(expected, abs=1e-12)
    assert shape.hit(0.0, 0.0, -1.0, 0.0, 0.1) == inf


def test_a_disc_that_touches_can_leave_but_not_go_deeper() -> None:
    for shape in (Circle(1.0, 0.0, 0.5), Segment(0.5, -1.0, 0.5, 1.0), box(1.0, 0.0, 1.0, 1.0)):
        assert shape.hit(0.0, 0.0, 1.0, 0.0, 0.6) == 0.0
        assert shape.hit(0.0, 0.0, -1.0, 0.0, 0.6) == inf


@given(shapes, coordinates, coordinates, coordinates, coordinates)
def test_the_distance_from_a_way_is_that_of_the_nearest_of_many_points(
    shape: Shape, x0: float, y0: float, x1: float, y1: float
) -> None:
    points = 300
    sampled = min(
        shape.distance(x0 + step / points * (x1 - x0), y0 + step / points * (y1 - y0)) for step in range(points + 1)
    )
    exact = shape.distance_from_segment(x0, y0, x1, y1)
    assert sampled - hypot(x1 - x0, y1 - y0) / points / 2 - 1e-9 <= exact <= sampled + 1e-9
    assert shape.distance_from_segment(x1, y1, x0, y0) == pytest.approx(exact, abs=1e-9)
    assert shape.distance_from_segment(x0, y0, x0, y0) == pytest.approx(shape.distance(x0, y0), abs=1e-9)


@pytest.mark.parametrize("corner", [(2.0, 0.0), (2.0, 0.5), (1.25, -0.75)])
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_a_beam_that_meets_a_corner_meets_it(corner: tuple[float, float], turn: int) -> None:
    """Each corner is the end of two sides, and in the order of the corners it may come first or last."""
    x, y = corner
    corners = ((x, y), (x + 1.0, y + 1.0), (x + 1.0, y - 1.0))
    solid = Polygon(corners[turn:] + corners[:turn])
    assert solid.hit(0.0, y, 1.0, 0.0, 0.0) == pytest.approx(x)
    assert Segment(x, y, x + 1.0, y + 1.0).hit(0.0, y, 1.0, 0.0, 0.0) == pytest.approx(x)
    assert Segment(x + 1.0, y + 1.0, x, y).hit(0.0, y, 1.0, 0.0, 0.0) == pytest.approx(x)


def test_a_beam_past_the_end_of_a_wall_misses_it() -> None:
    wall = Segment(2.0, 0.0, 2.0, 1.0)
    assert wall.hit(0.0, 1.0, 1.0, 0.0, 0.0) == 2.0
    assert wall.hit(0.0, 1.0 + 1e-9, 1.0, 0.0, 0.0) == inf
    assert wall.hit(0.0, -1e-9, 1.0, 0.0, 0.0) == inf
    assert wall.hit(3.0, 0.5, 1.0, 0.0, 0.0) == inf
    assert wall.hit(3.0, 0.5, 0.0, 1.0, 0.0) == inf
