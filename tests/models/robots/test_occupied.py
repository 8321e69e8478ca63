"""Whether there is room is found among near discs alone, and is what all discs say."""

from __future__ import annotations

from math import hypot

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.robots.occupied import Occupied

places = st.floats(-3.0, 3.0)
discs = st.tuples(places, places, st.floats(0.0, 1.0))


@given(st.lists(discs, max_size=12), st.lists(discs, max_size=12), st.floats(0.01, 1.0), st.tuples(places, places))
def test_there_is_room_where_no_disc_is_too_near(
    first: list[tuple[float, float, float]],
    added: list[tuple[float, float, float]],
    edge: float,
    place: tuple[float, float],
) -> None:
    occupied = Occupied(first, edge, widest=1.0)
    for disc in added:
        occupied.add(*disc)
    x, y = place
    expected = all(hypot(x - other_x, y - other_y) >= edge + radius for other_x, other_y, radius in [*first, *added])
    assert occupied.apart(x, y) is expected
