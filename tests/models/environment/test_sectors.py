"""What is nearest in sectors: of all things, looked at one by one; and the poses of all bodies at once."""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, remainder, sin, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.models.environment import Circle, Field
from devs_robotics.models.environment.messages import GlideMotion
from devs_robotics.models.environment.motion.jerk_limited import MotionLimits, rest_to_rest
from devs_robotics.models.environment.sectors import SectorRing, nearest_in_sectors

SIDE, RING = 3.7, SectorRing(16, pi / 180.0 * 11.0, 1.4)

number = st.floats(0.05, SIDE - 0.05)


def nearest(field: Field, body: int) -> list[float]:
    """The same, thing by thing and sensor by sensor."""
    x, y, heading = field.pose(body)
    things = [(*field.pose(other)[:2], field.radius[other]) for other in range(len(field.x)) if other != body]
    things += [(each.x, each.y, each.radius) for each in field.obstacles if isinstance(each, Circle)]
    found = []
    for sensor in range(RING.sensors):
        axis, seen = heading + sensor * 2.0 * pi / RING.sensors, [inf]
        for way, towards in ((SIDE - x, 0.0), (SIDE - y, pi / 2.0), (x, pi), (y, -pi / 2.0)) if field.walled else ():
            off = max(0.0, abs(remainder(axis - towards, 2.0 * pi)) - RING.half_view)
            if off < pi / 2.0 - 1e-9:
                seen.append(way / cos(off))
        for there_x, there_y, size in things:
            dx, dy = there_x - x, there_y - y
            way = hypot(dx, dy)
            off = max(0.0, abs(remainder(axis - atan2(dy, dx), 2.0 * pi)) - RING.half_view)
            inside = size * size - (way * sin(off)) ** 2
            if inside > 0.0 and off < pi / 2.0 - 1e-9 and way - size <= RING.reach:
                seen.append(way * cos(off) - sqrt(inside))
        found.append(min(seen) if min(seen) <= RING.reach else inf)
    return found


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(number, number, st.floats(-pi, pi), st.floats(0.01, 0.3)), min_size=1, max_size=9), st.booleans()
)
def test_all_rings_see_what_each_sensor_sees_of_each_thing(
    bodies: list[tuple[float, float, float, float]], walled: bool
) -> None:
    field = Field(SIDE, SIDE, (Circle(1.0, 2.0, 0.1),), walled=walled)
    for each in bodies:
        field.add_body(*each)
    asking = list(range(0, len(bodies), 2))
    rows = nearest_in_sectors(field, field.bodies.poses(0.0), asking, RING)
    for body, row in zip(asking, rows.tolist(), strict=True):
        for seen, plain in zip(row, nearest(field, body), strict=True):
            assert seen == pytest.approx(plain, abs=1e-6)  # at the edge of a disc a rounding error is so much


def test_poses_of_all_are_those_of_each_to_the_last_bit() -> None:
    field = Field(SIDE, SIDE)
    for x in (0.5, 1.0, 1.5, 2.0, 2.5):
        field.add_body(x, 1.0, 0.3 * x, 0.1)
    limits = MotionLimits(0.5, 2.0, 20.0)
    glide = GlideMotion(1, 1.0, rest_to_rest(1.0, limits), rotation=rest_to_rest(0.7, limits))
    field.follow(0, glide.path(0.0, *field.pose(0)))
    field.carry(2, 0, 0.1, -0.05, 0.2)
    field.carry(3, 2, 0.02, 0.01, 0.1)  # which is carried itself
    field.go(1, 0.2, 0.5)
    field.carry(4, 1, 0.1, 0.0, 0.0)
    for time in (0.0, 0.3, 1.1, 9.0):
        assert field.bodies.poses(time) == [field.bodies.pose(body, time) for body in range(5)]
