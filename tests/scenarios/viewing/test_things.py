"""Floors as marks: each point has the colour that the floor says."""

from __future__ import annotations

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment import Circle, Field, Floor, Lamp, Line, Patch, Polygon, box
from devs_robotics.models.environment.floor import FloorPattern, Picture, Sectors, Stripes
from devs_robotics.models.environment.shapes import point_to_segment
from devs_robotics.scenarios.viewing.things import CELLS, floors, lamps
from devs_robotics.view import scene
from devs_robotics.view.scene import Mark

WIDTH, HEIGHT = 3.0, 2.0

coordinates = st.floats(-1.0, 4.0)
greys = st.sampled_from([0.0, 0.25, 0.5, 1.0])
patterns: st.SearchStrategy[FloorPattern] = st.one_of(
    st.builds(Stripes, st.floats(0.2, 1.0), st.tuples(greys, greys), st.floats(-3.0, 3.0), coordinates, coordinates),
    st.builds(
        Sectors, coordinates, coordinates, st.lists(greys, min_size=1, max_size=6).map(tuple), st.floats(-3.0, 3.0)
    ),
    st.builds(Patch, st.builds(Circle, coordinates, coordinates, st.floats(0.1, 1.0)), greys),
    st.builds(Patch, st.builds(box, coordinates, coordinates, st.floats(0.1, 1.0), st.floats(0.1, 1.0)), greys),
    st.builds(
        Line,
        st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=4, unique=True).map(tuple),
        st.floats(0.05, 0.3),
        greys,
        st.booleans(),
    ),
)


def field(*things: object) -> Field:
    """A field with these things."""
    found = Field(WIDTH, HEIGHT, [], 1.0)
    for thing in things:
        found.things.add(thing)
    return found


def covers(mark: Mark, x: float, y: float) -> bool:
    """Whether a mark is seen at a point."""
    shape = mark.shape
    if isinstance(shape, scene.Disc):
        return hypot(x - shape.x, y - shape.y) <= shape.radius
    if isinstance(shape, scene.Polyline):
        pairs = zip(shape.points, shape.points[1:], strict=False)
        return min(point_to_segment(x, y, *one, *other) for one, other in pairs) <= 0.5 * shape.width
    assert isinstance(shape, scene.Outline)
    return Polygon(shape.corners).distance(x, y) == 0.0


def seen(marks: list[Mark], x: float, y: float) -> float:
    """The grey at a point, which the last mark there has."""
    colour = next((mark.colour for mark in reversed(marks) if covers(mark, x, y)), "#ffffff")
    return int(colour[1:3], 16) / 255.0


@given(
    st.lists(patterns, min_size=1, max_size=3),
    greys,
    st.lists(st.tuples(st.floats(0.01, WIDTH - 0.01), st.floats(0.01, HEIGHT - 0.01)), min_size=1, max_size=10),
)
def test_every_point_is_as_bright_as_the_floor_says(
    some: list[FloorPattern], plain: float, points: list[tuple[float, float]]
) -> None:
    floor = Floor(tuple(some), plain)
    marks = [mark for _, mark in floors(field(floor))]
    for x, y in points:
        if floor.margin(x, y) > 1e-4:
            assert seen(marks, x, y) == pytest.approx(floor.grey(x, y), abs=1.0 / 255.0)


def test_a_floor_that_is_a_picture_is_looked_at_in_cells() -> None:
    floor = Floor((Picture(lambda x, y: None if x < 1.0 else 0.0 if y < 1.0 else 0.5),))
    marks = [mark for _, mark in floors(field(floor))]
    assert len(marks) == 1 + CELLS * HEIGHT / WIDTH  # and its ground
    assert [seen(marks, x, y) for x, y in ((0.5, 0.5), (2.0, 0.5))] == [1.0, 0.0]
    assert seen(marks, 2.0, 1.5) == pytest.approx(0.5, abs=1.0 / 255.0)


def test_lamps_have_their_colours() -> None:
    (name, mark), (_, white) = lamps(field(Lamp(1.0, 0.5, colour=(1.0, 0.5, 0.0)), Lamp(2.0, 0.5)))
    assert white.colour not in ("", "#ffffff"), "it would not be seen on paper"
    assert (name, mark.colour, mark.text) == ("lamp 1", "#ff8000", "lamp")
    assert mark.shape == scene.Disc(1.0, 0.5, 0.03)


def test_a_floor_has_a_ground_as_white_as_paper_below_all_else() -> None:
    nest = Floor((Patch(Circle(1.0, 1.0, 0.5), 0.0),))
    (name, ground), (_, black) = floors(field(nest))
    whole = scene.Outline(((0.0, 0.0), (WIDTH, 0.0), (WIDTH, HEIGHT), (0.0, HEIGHT)))
    assert (name, ground) == ("floor 0", Mark(whole, colour="#ffffff", filled=True))
    assert black.colour == "#000000"
    assert list(floors(field())) == []
