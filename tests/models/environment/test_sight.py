"""Lines of sight: what hides one point from another, against shapely."""

from __future__ import annotations

from math import hypot

import shapely
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment import Field, box
from devs_robotics.models.environment.sight import in_sight

places = st.tuples(st.floats(0.1, 1.9), st.floats(0.1, 1.9))


@given(st.lists(places, min_size=1, max_size=6), places, places, st.booleans())
def test_a_point_is_in_sight_unless_a_body_or_an_obstacle_is_on_the_line(
    bodies: list[tuple[float, float]], start: tuple[float, float], end: tuple[float, float], wall: bool
) -> None:
    obstacle = box(1.0, 1.0, 0.3, 0.2, 0.4)
    field = Field(2.0, 2.0, [obstacle] if wall else [])
    for x, y in bodies:
        field.add_body(x, y, 0.0, 0.1)
    line = shapely.LineString([start, end])
    gaps = [line.distance(shapely.Point(place)) - 0.1 for place in bodies]
    if wall:
        gaps.append(line.distance(shapely.Polygon(obstacle.corners)) or -1.0)
    if min(map(abs, gaps)) < 1e-6:
        return  # it is touched
    assert in_sight(field, *start, *end) == (min(gaps) > 0.0)
    assert in_sight(field, *end, *start) == (min(gaps) > 0.0)
    if not wall:
        assert in_sight(field, *start, *end, but=range(len(bodies)))


def test_bodies_hide_on_either_side_of_the_origin() -> None:
    field = Field(4.0, 4.0, walled=False)
    field.add_body(-0.9, -1.0, 0.0, 0.1)
    assert not in_sight(field, -1.5, -1.0, 1.5, -1.0)
    assert not in_sight(field, -0.9, -2.0, -0.9, 2.0)
    assert in_sight(field, -1.5, 1.0, 1.5, 1.0)


def test_bodies_hide_where_they_are_now() -> None:
    field = Field(4.0, 4.0)
    field.add_body(1.0, 1.0, 0.0, 0.1)
    field.go(0, 0.5, 0.0)
    seen = []
    for tenths in range(30):
        field.now = tenths / 10
        seen.append(in_sight(field, 2.0, 0.5, 2.0, 1.5))
    assert [tenths for tenths, free in enumerate(seen) if not free] == [
        tenths for tenths in range(30) if hypot(1.0 + 0.05 * tenths - 2.0, 0.0) < 0.1
    ]
