"""The field as a map of cells: what is free, and what stands where."""

from __future__ import annotations

from math import ceil, sqrt

import numpy as np

from devs_robotics.view.ros2.ros_messages import Cells
from devs_robotics.view.scene import Disc, Scene

FINEST = 0.01
"""Smallest size of a cell (m)."""

MOST_CELLS = 200_000
"""Number of cells above which cells are larger."""

OCCUPIED = 100

_Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
_Bools = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def occupancy(scene: Scene) -> tuple[Cells, float, tuple[float, float]]:
    """A map of a field.

    A cell is occupied where its middle is within an obstacle; walls are a ring of cells round the field.

    Returns:
        the cells, a row per y from below; their size (m); and the corner of the first (m)
    """
    size = max(FINEST, sqrt(scene.width * scene.height / MOST_CELLS))
    columns, rows = max(1, ceil(scene.width / size - 1e-9)), max(1, ceil(scene.height / size - 1e-9))
    cells = np.zeros((rows, columns), dtype=np.int8)
    x, y = np.meshgrid((np.arange(columns) + 0.5) * size, (np.arange(rows) + 0.5) * size)
    for obstacle in scene.obstacles:
        shape = obstacle.shape
        if isinstance(shape, Disc):
            inside = np.hypot(x - shape.x, y - shape.y) <= shape.radius
        else:
            inside = _inside(shape.corners, x, y)
        cells[inside] = OCCUPIED
    if not scene.walled:
        return cells, size, (0.0, 0.0)
    return np.pad(cells, 1, constant_values=OCCUPIED), size, (-size, -size)


def _inside(corners: tuple[tuple[float, float], ...], x: _Numbers, y: _Numbers) -> _Bools:
    """Which points are within a polygon: whose ray to the right crosses an odd number of sides."""
    found: _Bools = np.zeros(x.shape, dtype=np.bool_)
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if y0 != y1:
            crosses = ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
            found ^= crosses
    return found
