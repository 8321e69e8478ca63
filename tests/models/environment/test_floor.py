"""Floors: what their patterns look like, and that nothing changes within a margin."""

from __future__ import annotations

from math import cos, inf, pi, sin

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment import Circle, Floor, FloorPattern, Line, Patch, Picture, Sectors, Stripes, box
from tests.approximately import near

places = st.floats(-1.0, 1.0)
greys = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=4).map(tuple)
patterns: st.SearchStrategy[FloorPattern] = st.one_of(
    st.builds(Stripes, st.floats(0.01, 0.5), greys, st.floats(-pi, pi), places, places),
    st.builds(Sectors, places, places, greys, st.floats(-pi, pi)),
    st.builds(Patch, st.builds(Circle, places, places, st.floats(0.01, 1.0)), st.floats(0.0, 1.0)),
    st.builds(Patch, st.builds(box, places, places, st.floats(0.1, 1.0), st.floats(0.1, 1.0), places), st.just(0.5)),
    st.builds(
        Line,
        st.lists(st.tuples(places, places), min_size=2, max_size=4, unique=True).map(tuple),
        st.floats(0.01, 0.2),
        closed=st.booleans(),
    ),
)


@given(st.lists(patterns, max_size=3), places, places, st.floats(0.0, 2.0 * pi), st.floats(0.0, 0.999))
def test_within_the_margin_all_is_the_same(
    found: list[FloorPattern], x: float, y: float, angle: float, share: float
) -> None:
    floor = Floor(tuple(found), plain=0.7)
    margin = min(10.0, floor.margin(x, y))
    assert margin >= 0.0
    away = share * margin - 1e-9
    if away > 0.0:
        assert floor.grey(x + away * cos(angle), y + away * sin(angle)) == floor.grey(x, y)


def test_later_patterns_lie_on_earlier_ones() -> None:
    square, spot = Patch(box(0.0, 0.0, 1.0, 1.0), 0.2), Patch(Circle(0.0, 0.0, 0.1), 0.6)
    floor = Floor((square, spot))
    assert [floor.grey(0.0, 0.0), floor.grey(0.3, 0.3), floor.grey(0.8, 0.0)] == [0.6, 0.2, 1.0]
    assert floor.margin(0.0, 0.0) == near(0.1)
    assert floor.margin(0.3, 0.0) == near(0.2)
    assert Floor().margin(3.0, 3.0) == inf


def test_stripes_and_sectors_take_their_greys_in_turn() -> None:
    stripes = Stripes(0.1, (0.0, 0.5, 1.0))
    assert [stripes.grey(x, 3.0) for x in (-0.05, 0.05, 0.15, 0.25, 0.35)] == [1.0, 0.0, 0.5, 1.0, 0.0]
    across = Stripes(0.1, (0.0, 1.0), heading=pi / 2.0)
    assert [across.grey(7.0, y) for y in (0.05, 0.15)] == [0.0, 1.0]
    sectors = Sectors(0.0, 0.0, (0.1, 0.2, 0.3, 0.4), heading=pi / 4.0)
    assert [sectors.grey(*place) for place in ((0, 1), (-1, 0), (0, -1), (1, 0))] == [0.1, 0.2, 0.3, 0.4]


def test_a_line_has_round_ends_and_a_closed_one_has_none() -> None:
    points = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
    line, ring = Line(points, 0.1), Line(points, 0.1, closed=True)
    assert [line.grey(*place) for place in ((0.5, 0.04), (-0.04, 0.0), (-0.06, 0.0), (0.5, 0.5))] == [
        0.0,
        0.0,
        None,
        None,
    ]
    assert ring.grey(0.5, 0.5) == 0.0


def test_a_picture_says_what_its_function_says_and_nothing_of_how_long() -> None:
    picture = Picture(lambda x, y: x * y if x > 0.0 else None)
    floor = Floor((picture,), plain=0.9)
    assert [floor.grey(0.5, 0.5), floor.grey(-1.0, 0.5)] == [0.25, 0.9]
    assert floor.margin(0.5, 0.5) == 0.0
