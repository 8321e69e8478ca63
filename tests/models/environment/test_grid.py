"""The grid: what is near is found, and little else is looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment.grid import BESIDE, FEW, MOST_CELLS, Bounds, Grid

FAR: Bounds = (1e6, 1e6, 1e6, 1e6)


@pytest.mark.parametrize("cell", [0.5, 3.0])
def test_an_obstacle_is_near_where_it_is_unless_it_covers_very_many_cells(cell: float) -> None:
    small, large = Grid(cell), Grid(cell)
    small.put_obstacle(1, (0.0, 2.0, MOST_CELLS / 4.0 * cell, 2.0 + 4.0 * cell))
    large.put_obstacle(1, (0.0, 2.0, MOST_CELLS / 4.0 * cell, 2.0 + 4.01 * cell))
    for grid in (small, large):
        assert grid.obstacles((0.0, 2.0, 0.0, 2.0)) == [1]
        assert grid.obstacles(FAR) == []
    assert (small._large, large._large) == (set(), {1})


def test_a_large_obstacle_is_found_among_small_ones() -> None:
    grid = Grid(1.0)
    grid.put_obstacle(1, (0.0, 0.0, 1000.0, 1000.0))
    grid.put_obstacle(2, (5.2, 5.2, 5.8, 6.8))
    assert grid.obstacles((5.0, 6.0, 5.5, 6.5)) == [1, 2]
    assert grid.obstacles((5.0, 5.0, 5.5, 5.5)) == [1, 2]
    assert grid.obstacles((5.0, 7.1, 5.5, 7.5)) == [1]
    assert grid._large == {1}  # a look changes nothing


lengths = st.floats(0.0, 9.0)
boxes = st.builds(lambda x, y, width, height: (x, y, x + width, y + height), lengths, lengths, lengths, lengths)


@given(st.lists(boxes, max_size=2 * FEW), boxes)
def test_obstacles_are_those_whose_bounds_overlap(obstacles: list[Bounds], where: Bounds) -> None:
    grid = Grid(1.5)
    for number, bounds in enumerate(obstacles):
        grid.put_obstacle(number, bounds)
    x_min, y_min, x_max, y_max = where
    overlap = [
        number
        for number, (low_x, low_y, high_x, high_y) in enumerate(obstacles)
        if low_x <= x_max and high_x >= x_min and low_y <= y_max and high_y >= y_min
    ]
    found = grid.obstacles(where)
    assert found == sorted(found)
    assert set(overlap) <= set(found)
    assert len(found) - len(overlap) <= sum(_is_close(bounds, where) for bounds in obstacles)


def _is_close(bounds: Bounds, where: Bounds) -> bool:
    """Whether the edges of two boxes are so near to each other that either answer will do."""
    return any(abs(bounds[k] - where[(k + 2) % 4]) <= 1.1 * BESIDE for k in range(4))


def test_bodies_are_found_in_the_cell_of_their_centre_and_empty_cells_are_not_kept() -> None:
    grid = Grid(0.5)
    grid.put_body(1, 0.4, 0.4)
    grid.put_body(2, 0.1, 0.1)
    grid.put_body(3, -0.1, 0.1)
    assert list(grid.bodies((0.0, 0.0, 0.4, 0.4))) == [[1, 2]]
    assert list(grid.bodies((-0.5, 0.0, 0.0, 0.0))) == [[3], [1, 2]]
    grid.move_body(1, 0.4, 0.4, 0.6, 0.4)
    grid.move_body(2, 0.1, 0.1, 0.2, 0.2)
    grid.move_body(3, -0.1, 0.1, 0.7, 0.1)
    assert grid._bodies == {(0, 0): [2], (1, 0): [1, 3]}


@given(st.lists(st.tuples(lengths, lengths), min_size=1), st.sampled_from([1e3, 1e8, 1e300]))
def test_what_covers_very_many_cells_is_looked_at_by_those_that_are_filled(
    places: list[tuple[float, float]], far: float
) -> None:
    grid = Grid(0.5)
    for body, (x, y) in enumerate(places):
        grid.put_body(body, x, y)
    assert grid.bodies((-far, -far, far, far)) == grid.bodies((-1.0, -1.0, 20.0, 20.0))
    assert grid.bodies((1.0, -far, far, 3.0)) == grid.bodies((1.0, -1.0, 20.0, 3.0))
    for obstacle in range(2 * FEW):
        grid.put_obstacle(obstacle, (obstacle, 1.0, obstacle + 0.7, 2.0))
    assert grid.obstacles((-far, -far, far, far)) == list(range(2 * FEW))
