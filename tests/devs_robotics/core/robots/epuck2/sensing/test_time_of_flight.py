"""Time of flight: whole millimetres, within limits."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.sensing.time_of_flight import reading_mm
from tests.approximately import near


def test_readings_have_limits() -> None:
    ways = (0.0, 0.0199, 0.0204, 0.0206, 0.3, 1.9994, 2.0, 2.0001, inf)
    assert [reading_mm(way) for way in ways] == [20, 20, 20, 21, 300, 1999, 2000, 2000, 2000]


@given(st.floats(0.0, 3.0), st.floats(-1.0, 1.0))
def test_between_them_they_are_the_distance(distance: float, error: float) -> None:
    assert reading_mm(distance, error) == near(min(2000.0, max(20.0, 1000.0 * (distance + error))), 0.501)


def test_on_the_way_to_an_obstacle_they_fall_linearly() -> None:
    """Figure 7: from 30 cm at six speeds, without the bounce of the real robot."""
    for speed in (0.025, 0.05, 0.075, 0.1, 0.125, 0.15):
        for step in range(120):
            time = 0.1 * step
            assert reading_mm(max(0.0, 0.3 - speed * time)) == near(max(20.0, 300.0 - 1000.0 * speed * time), 0.501)
