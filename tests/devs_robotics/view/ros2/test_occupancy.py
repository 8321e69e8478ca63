"""Maps of fields, against shapely."""

from __future__ import annotations

from math import hypot

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.view.ros2.occupancy import MOST_CELLS, OCCUPIED, occupancy
from devs_robotics.view.scene import Disc, Obstacle, Outline, Scene

coordinates = st.floats(-0.5, 2.5)
outlines = st.lists(st.tuples(coordinates, coordinates), min_size=3, max_size=7).map(lambda all_: Outline(tuple(all_)))
discs = st.builds(Disc, coordinates, coordinates, st.floats(0.01, 1.0))


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.builds(Obstacle, outlines.filter(lambda each: _polygon(each).is_valid) | discs), max_size=3),
    st.booleans(),
    st.tuples(st.integers(0, 9999), st.integers(0, 9999)),
)
def test_a_cell_is_occupied_where_its_middle_is_in_an_obstacle(
    obstacles: list[Obstacle], walled: bool, place: tuple[int, int]
) -> None:
    scene = Scene(title="", width=2.0, height=1.5, walled=walled, obstacles=tuple(obstacles))
    cells, size, corner = occupancy(scene)
    row, column = place[0] % cells.shape[0], place[1] % cells.shape[1]
    x, y = corner[0] + (column + 0.5) * size, corner[1] + (row + 0.5) * size
    within = not (0.0 < x < scene.width and 0.0 < y < scene.height)
    clear = True
    for each in obstacles:
        if isinstance(each.shape, Disc):
            distance = hypot(x - each.shape.x, y - each.shape.y)
            clear = clear and abs(distance - each.shape.radius) > 1e-9
            within = within or distance < each.shape.radius
        else:
            polygon = _polygon(each.shape)
            with np.errstate(
                all="ignore"
            ):  # of corners that nearly coincide: then it is no number, and nothing is clear
                clear = clear and polygon.exterior.distance(shapely.Point(x, y)) > 1e-9
            within = within or polygon.contains(shapely.Point(x, y))
    if clear:
        assert cells[row, column] == (OCCUPIED if within else 0)


def _polygon(outline: Outline) -> shapely.Polygon:
    return shapely.Polygon(outline.corners)


@given(st.floats(0.001, 1e4), st.floats(0.001, 1e4))
@settings(max_examples=30, deadline=None)
def test_a_map_covers_its_field_in_bounded_memory(width: float, height: float) -> None:
    cells, size, _ = occupancy(Scene(title="", width=width, height=height, walled=False))
    assert cells.shape[1] * size >= width - 1e-6
    assert cells.shape[0] * size >= height - 1e-6
    assert cells.size <= 2 * MOST_CELLS + 2 * (cells.shape[0] + cells.shape[1])
