"""Sums of readings, each in its direction."""

from __future__ import annotations

from math import atan2, cos, pi, radians, sin

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.core.robots.epuck2.sensing.direction import directions, vector_sum
from tests.approximately import near

BEARINGS = RINGS["paper"].bearings
readings = st.lists(st.floats(0.0, 4095.0), min_size=8, max_size=8)


@given(readings)
def test_it_is_the_sum_of_vectors_and_mirrored_readings_give_a_mirrored_sum(values: list[float]) -> None:
    x, y = vector_sum(values, directions(BEARINGS))
    assert x == near(sum(value * cos(bearing) for value, bearing in zip(values, BEARINGS, strict=True)), 1e-6)
    assert y == near(sum(value * sin(bearing) for value, bearing in zip(values, BEARINGS, strict=True)), 1e-6)
    assert vector_sum(values[::-1], directions(BEARINGS)) == (near(x, 1e-6), near(-y, 1e-6))


def test_one_reading_points_where_its_sensor_looks() -> None:
    x, y = vector_sum([0.0] * 5 + [7.0, 0.0, 0.0], directions(BEARINGS))
    assert atan2(y, x) == near(pi / 2.0)
    x, y = vector_sum([5.0, *[0.0] * 6, 5.0], directions(BEARINGS))
    assert (x, y) == (near(10.0 * cos(radians(15.0))), near(0.0))
