"""How a robot comes back to its path: to which points it looks, and to which it goes."""

from __future__ import annotations

from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.transport.course import PathCourse
from devs_robotics.models.transport.messages import Route
from devs_robotics.models.transport.path import Waypoints
from devs_robotics.models.transport.travelling import Travelling
from devs_robotics.models.transport.way_back import WayBack

LINE: Waypoints = tuple((float(x), 0.0) for x in range(11))
HERE = (6.0, -0.9)


def way_back(lane: float = 0.0) -> WayBack:
    """Of a robot that goes to the source, and whose next point is (6, 0)."""
    course = PathCourse(Travelling(lane=lane))
    course.take(Route(LINE, "find"))
    course.enter(6)
    found = WayBack(course)
    assert not found
    return found


@given(st.lists(st.booleans(), min_size=5, max_size=5).filter(any))
def test_who_has_made_way_goes_to_the_best_point_ahead_that_it_sees(seen: list[bool]) -> None:
    found = way_back()
    found.is_past = True
    places = found.places(HERE)
    assert places == [(2.0, 0.0), (3.0, 0.0), (4.0, 0.0), (5.0, 0.0), (6.0, 0.0)]
    assert found.see(HERE, [dist(place, HERE) if free else 0.0 for place, free in zip(places, seen, strict=True)])
    assert found.course.next == places[seen.index(True)]
    assert not found


@given(st.lists(st.booleans(), min_size=11, max_size=11))
def test_who_is_beside_the_path_goes_to_the_nearest_point_that_it_sees(seen: list[bool]) -> None:
    found = way_back()
    found.is_beside = True
    places = found.places(HERE)
    assert places == sorted(LINE, key=lambda place: dist(place, HERE))
    assert found.see(HERE, [dist(place, HERE) if free else 0.0 for place, free in zip(places, seen, strict=True)])
    assert found.course.next == places[seen.index(True) if any(seen) else 0]
    assert not found


@pytest.mark.parametrize("lane", [0.0, 0.5])
def test_who_sees_no_point_ahead_looks_three_times_more_and_goes_back_in_a_lane(lane: float) -> None:
    found = way_back(lane)
    found.is_past = True
    looks = 0
    while not found.see(HERE, [0.0] * len(found.places(HERE))) and found.is_past:
        looks += 1
    assert looks == 3
    if lane:
        assert found.is_beside
        assert found.places(HERE)[0] == (6.0, lane)
        assert found.see(HERE, [0.0, 5.0] + [0.0] * 9)
        assert found.course.next[0] in (5.0, 7.0)
    assert not found
    assert found.course.direction == -1
