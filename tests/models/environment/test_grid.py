"""The grid: what is near is found, and little else is looked at."""

from __future__ import annotations

import pytest

from devs_robotics.models.environment.grid import MOST_CELLS, Bounds, Grid

FAR: Bounds = (1e6, 1e6, 1e6, 1e6)


@pytest.mark.parametrize("cell", [0.5, 3.0])
def test_an_obstacle_is_near_where_it_is_unless_it_covers_very_many_cells(cell: float) -> None:
    small, large = Grid(cell), Grid(cell)
    small.put_obstacle(1, (0.0, 2.0, MOST_CELLS / 4.0 * cell, 2.0 + 4.0 * cell))
    large.put_obstacle(1, (0.0, 2.0, MOST_CELLS / 4.0 * cell, 2.0 + 4.01 * cell))
    for grid in (small, large):
        assert grid.obstacles((0.0, 2.0, 0.0, 2.0)) == {1}
    assert small.obstacles(FAR) == set()
    assert large.obstacles(FAR) == {1}


def test_a_large_obstacle_is_found_among_small_ones() -> None:
    grid = Grid(1.0)
    grid.put_obstacle(1, (0.0, 0.0, 1000.0, 1000.0))
    grid.put_obstacle(2, (5.2, 5.2, 5.8, 6.8))
    assert grid.obstacles((5.0, 6.0, 5.5, 6.5)) == {1, 2}
    assert grid.obstacles((5.0, 5.0, 5.5, 5.5)) == {1, 2}
    assert grid.obstacles((5.0, 7.1, 5.5, 7.5)) == {1}
    assert grid._large == {1}  # a look changes nothing


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
