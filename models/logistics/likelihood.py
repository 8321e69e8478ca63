"""The grid of the collision map: what sensors have seen near the robot, and how likely a collision is somewhere.

Equations 2 to 4 of arXiv 2203.13809: at each update M <- min(M (1 - decay dt) + S, 1), where S is the sum over returns
of exp(-r^2 / 2 sigma^2); the likelihood of a place is the mean of M over a disc. S is not multiplied by dt: the rate of
updates is a part of the model.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Places = NDArray[np.complex128]

PATCH = 3.5
"""Half the side of what a return writes to, in standard deviations."""

FORGOTTEN = 1024
"""Number of updates after which what was seen is forgotten altogether."""


class LikelihoodGrid:
    """Cells about the robot, parallel to the axes of its odometry, which move with it by whole cells.

    A cell keeps its value and the number of the update that it is of; it decays when it is looked at.

    Args:
        period: between updates (s)
        decay: of cells (1/s)
        sigma: of a return (m)
        cell: side of a cell (m)
        half: half the side of the grid (m)
        patch: half the side of what a return writes to, in standard deviations: in balance at 50 Hz some 2 % of its
            weight are beyond the default, and less than 0.1 % beyond 5
    """

    def __init__(
        self,
        period: float = 0.02,
        decay: float = 1.0,
        sigma: float = 0.025,
        cell: float = 0.025,
        half: float = 1.0,
        patch: float = PATCH,
    ) -> None:
        self.period, self.sigma, self.cell, self.half = period, sigma, cell, half
        self.side = 2 * ceil(half / cell)
        self._values: Floats = np.zeros(self.side * self.side)
        self._updates: Integers = np.zeros(self.side * self.side, np.int64)
        self._faded: Floats = np.array([*((1.0 - decay * period) ** age for age in range(FORGOTTEN)), 0.0])
        self._middle = 0, 0
        """The cell in which the robot is."""
        reach = ceil(patch * sigma / cell - 0.5)
        self._patch: Integers = np.arange(-reach, reach + 1)
        self._away: Floats = np.asarray(self._patch * cell, np.float64)
        self._sharpness = -0.5 / (sigma * sigma)
        self.seen = -FORGOTTEN
        """Number of the last update in which there was a return."""

    def move(self, x: float, y: float) -> None:
        """The robot is at a place by its odometry (m): what comes into the grid is empty."""
        middle, side = (floor(x / self.cell), floor(y / self.cell)), self.side
        if middle == self._middle:
            return
        values = self._values.reshape(side, side)
        for axis, (old, new) in enumerate(zip(self._middle, middle, strict=True)):
            steps = min(abs(new - old), side)
            if steps:
                first = old + side // 2 if new > old else new - side // 2
                rows = np.arange(first, first + steps) % side
                if axis:
                    values[:, rows] = 0.0
                else:
                    values[rows] = 0.0
        self._middle = middle

    def update(self, number: int, returns: Places) -> None:
        """Take the returns of an update.

        Args:
            number: of the update: the time, in periods
            returns: where they are by odometry, x + iy (m); those that are not within the grid are left out
        """
        cells = np.floor(returns.view(np.float64).reshape(-1, 2) / self.cell)
        room, side, patch = self.side // 2 - len(self._patch) // 2, self.side, self._patch
        off = cells - self._middle
        inside = ((off >= -room) & (off < room)).all(axis=1)
        if not inside.any():
            return
        self.seen = number
        cells, points = cells[inside], returns[inside].view(np.float64).reshape(-1, 2)
        at = (cells.astype(np.int64)[:, :, None] + patch) % side
        away = self._away - (points - (cells + 0.5) * self.cell)[:, :, None]
        bell = np.exp(away * away * self._sharpness)
        touched = (at[:, 0, :, None] * side + at[:, 1, None, :]).ravel()
        values = self._values
        values[touched] = self._weights(number, touched)
        self._updates[touched] = number
        np.add.at(values, touched, (bell[:, 0, :, None] * bell[:, 1, None, :]).ravel())
        values[touched] = np.minimum(values.take(touched), 1.0)

    def likelihood(self, number: int, x: float, y: float, radius: float) -> float:
        """Mean over a disc, from 0 to 1.

        Args:
            number: of the update: the time, in periods
            x, y: the middle of the disc by odometry (m); it counts as that of its cell
            radius: of the disc (m)
        """
        dx, dy = _disc(radius, self.cell)
        at = (dx + floor(x / self.cell)) % self.side * self.side + (dy + floor(y / self.cell)) % self.side
        return float(self._weights(number, at).sum()) / len(dx)

    def likelihoods_along(
        self, number: int, x: float, y: float, way: tuple[float, float], steps: int, radius: float
    ) -> Floats:
        """Means over discs on a straight way, of which only cells ahead of its beginning count; each from 0 to 1.

        Args:
            number: of the update: the time, in periods
            x, y: where the way begins by odometry (m)
            way: from there to the middle of the last disc (m)
            steps: how many discs, at equal distances; the first one is a step ahead
            radius: of the discs (m)
        """
        if number - self.seen >= FORGOTTEN:
            return np.zeros(steps)
        east, north = way
        dx, dy = _disc(radius, self.cell)
        share = np.arange(1, steps + 1)[:, None] / steps
        here_x, here_y = floor(x / self.cell), floor(y / self.cell)
        there_x = np.floor((x + east * share) / self.cell).astype(np.int64)
        there_y = np.floor((y + north * share) / self.cell).astype(np.int64)
        ahead = (dx + (there_x - here_x)) * east + (dy + (there_y - here_y)) * north > 0.0
        reach = int(dx[-1])
        span = np.arange(-reach, reach + 1)  # the remainder of few numbers, and not of all cells
        rows, columns = (there_x + span) % self.side * self.side, (there_y + span) % self.side
        weights = self._weights(number, rows.take(dx + reach, axis=1) + columns.take(dy + reach, axis=1))
        return np.asarray((weights * ahead).sum(axis=1) / len(dx), np.float64)

    def _weights(self, number: int, at: Integers) -> Floats:
        """What cells hold by now, by their places in the grid."""
        held = self._values.take(at)
        held *= self._faded.take(number - self._updates.take(at), mode="clip")
        return held


@lru_cache(maxsize=16)
def _disc(radius: float, cell: float) -> tuple[Integers, Integers]:
    """The cells whose middle is within a disc about the middle of one."""
    reach = ceil(radius / cell)
    dx, dy = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    inside = np.hypot(dx, dy) * cell <= radius
    return dx[inside], dy[inside]
