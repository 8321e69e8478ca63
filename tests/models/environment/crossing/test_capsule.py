"""Where a ray sees a disc, against shapely."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely import LineString, Point

from devs_robotics.models.environment.crossing.capsule import axis_distance, in_capsule, in_frame, ray_distance

coordinates = st.floats(-0.3, 0.3)
reaches = st.floats(0.02, 0.3)
edges = st.floats(0.0, 0.06)
radii = st.floats(0.01, 0.1)


@given(coordinates, coordinates, edges, reaches)
def test_distances_from_the_axis_are_shapely_s(a: float, b: float, edge: float, reach: float) -> None:
    axis = LineString([(edge, 0.0), (edge + reach, 0.0)])
    assert axis_distance(a, b, edge, edge + reach) == pytest.approx(axis.distance(Point(a, b)), abs=1e-12)


@given(coordinates, coordinates, edges, radii)
def test_a_ray_ends_where_shapely_says_that_it_touches_the_disc(a: float, b: float, edge: float, radius: float) -> None:
    assume(hypot(a, b) >= edge + radius)
    centre = Point(a, b)
    distance = ray_distance(a, b, edge, radius)
    if distance == inf:
        assert LineString([(edge, 0.0), (9.0, 0.0)]).distance(centre) >= radius - 1e-9
    else:
        assert Point(edge + distance, 0.0).distance(centre) == pytest.approx(radius, abs=1e-9)
        assert LineString([(edge, 0.0), (edge + distance, 0.0)]).distance(centre) >= radius - 1e-9


@given(coordinates, coordinates, edges, reaches, radii)
def test_a_disc_is_within_reach_exactly_in_the_capsule(
    a: float, b: float, edge: float, reach: float, radius: float
) -> None:
    assume(hypot(a, b) >= edge + radius)
    distance = ray_distance(a, b, edge, radius)
    assume(abs(distance - reach) > 1e-9 and abs(abs(b) - radius) > 1e-9)
    assume(abs(hypot(a - edge, b) - radius) > 1e-9)  # a disc that just touches the ray's begin, from behind or beside
    assert (distance <= reach) is in_capsule(a, b, edge, edge + reach, radius)


@given(coordinates, coordinates, st.floats(-pi, pi), st.floats(-pi, pi), st.floats(0.0, 1.0), coordinates)
def test_the_frame_of_a_ray(x: float, y: float, heading: float, bearing: float, along: float, left: float) -> None:
    ux, uy = cos(heading + bearing), sin(heading + bearing)
    a, b = in_frame((x, y, heading), bearing, x + along * ux - left * uy, y + along * uy + left * ux)
    assert (a, b) == pytest.approx((along, left), abs=1e-12)
