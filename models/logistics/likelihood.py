"""The grid of the collision map: what sensors have seen near the robot, and how likely a collision is somewhere.

Equations 2 to 4 of arXiv 2203.13809: at each update M <- min(M (1 - decay dt) + S, 1), where S is the sum over returns
of exp(-r^2 / 2 sigma^2); the likelihood of a place is the mean of M over a disc. S is not multiplied by dt: the rate of
updates is a part of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, chain
from math import ceil, exp, floor, inf, sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Places = NDArray[np.complex128]

PATCH = 3.5
"""Half the side of what a return writes to, in standard deviations."""

FORGOTTEN = 1024
"""Number of updates after which what was seen is forgotten altogether."""

WAITING = 64
"""Number of updates that wait at most until they are written all at once."""


class _Update(Struct, frozen=True, gc=False):
    """What waits to be written: `LikelihoodGrid.update`, and the cell in which the robot was."""

    number: int
    middle: tuple[int, int]
    x: float
    y: float
    axes: Places
    ways: Sequence[float]


class LikelihoodGrid:
    """Cells about the robot, parallel to the axes of its odometry, which move with it by whole cells.

    A cell keeps its value and the number of the update that it is of; it decays when it is looked at. Updates wait
    until somebody looks, and are written together then, one after the other: most are never looked at alone.

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
        """The cell in which the robot is, as far as updates are written."""
        self._next_middle = 0, 0
        """The cell in which it is now."""
        self._waiting: list[_Update] = []
        reach = ceil(patch * sigma / cell - 0.5)
        self._patch: Integers = np.arange(-reach, reach + 1)
        self._away: Floats = np.asarray(self._patch * cell, np.float64)
        self._sharpness = -0.5 / (sigma * sigma)
        self._whole = sum(exp((step * cell) ** 2 * self._sharpness) for step in range(-64, 65)) ** 2
        """What a return writes at most, to all cells together: most, where it is in the middle of one."""
        self.touches = (reach + 0.5) * sqrt(2.0) * cell
        """How far from a return the middle of a cell is at most that it writes to (m)."""
        self.seen = -FORGOTTEN
        """Number of the last update in which there was a return, as far as updates are written."""

    def move(self, x: float, y: float) -> None:
        """The robot is at a place by its odometry (m): what comes into the grid is empty."""
        middle = floor(x / self.cell), floor(y / self.cell)
        if middle != self._next_middle:
            self._next_middle = middle
            self._wait(_Update(0, middle, x, y, _NO_AXES, ()))

    def update(self, number: int, x: float, y: float, axes: Places, ways: Sequence[float]) -> None:
        """Take the returns of an update; those that are not within the grid are left out.

        Args:
            number: of the update: the time, in periods
            x, y: from where they are seen, by odometry (m)
            axes: in which directions, as unit vectors x + iy
            ways: how far away they are (m); infinite: there is none
        """
        if min(ways, default=inf) < inf:
            self._wait(_Update(number, self._next_middle, x, y, axes, ways))

    def take_in(self) -> None:
        """Write the updates that wait."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        touched, weights, ends = self._patches(waiting)
        first = 0
        for each, end in zip(waiting, ends, strict=True):
            self._shift(each.middle)
            if end > first:
                self._write(each.number, touched[first:end], weights[first:end])
            first = end

    def likelihood(self, number: int, x: float, y: float, radius: float) -> float:
        """Mean over a disc, from 0 to 1.

        Args:
            number: of the update: the time, in periods
            x, y: the middle of the disc by odometry (m); it counts as that of its cell
            radius: of the disc (m)
        """
        self.take_in()
        dx, dy = _disc(radius, self.cell)
        at = ((dx + floor(x / self.cell)) % self.side) * self.side + (dy + floor(y / self.cell)) % self.side
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
        self.take_in()
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

    def held(self, number: int, at: Integers) -> Floats:
        """What cells hold by an update, by their places in the grid."""
        self.take_in()
        return self._weights(number, at)

    def places(self, x: Integers, y: Integers) -> Integers:
        """The places in the grid of the cells of some columns and rows, by odometry."""
        found: Integers = (x % self.side * self.side)[:, None] + y % self.side
        return found

    def cells_of(self, radius: float) -> int:
        """Number of the cells of a disc."""
        return len(_disc(radius, self.cell)[0])

    def spill(self, off: float) -> float:
        """What a return writes at most to cells beyond a line that is so far away (m; negative: it is beyond it)."""
        return self._whole * exp(off * off * self._sharpness) if off > 0.0 else self._whole

    def _wait(self, update: _Update) -> None:
        self._waiting.append(update)
        if len(self._waiting) >= WAITING:
            self.take_in()

    def _shift(self, middle: tuple[int, int]) -> None:
        """The robot is in a cell: what comes into the grid is empty."""
        if middle == self._middle:
            return
        side = self.side
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

    def _patches(self, updates: Sequence[_Update]) -> tuple[Integers, Floats, list[int]]:
        """The cells that updates write to, what they add, and where those of each update end."""
        side, patch, room = self.side, self._patch, self.side // 2 - len(self._patch) // 2
        ways = np.array(list(chain.from_iterable([each.ways for each in updates])))
        axes = np.concatenate([each.axes for each in updates]).view(np.float64).reshape(-1, 2)
        whose = np.repeat(np.arange(len(updates)), [len(each.ways) for each in updates])
        places = np.array([(each.x, each.y) for each in updates])
        middles = np.array([each.middle for each in updates])
        counts = ways < inf
        whose = whose[counts]
        points = places[whose] + ways[counts, None] * axes[counts]
        cells = np.floor(points / self.cell)
        off = np.abs(cells - middles[whose] + 0.5) < room
        inside = off[:, 0] & off[:, 1]
        if not inside.all():
            cells, points, whose = cells[inside], points[inside], whose[inside]
        at = (cells.astype(np.int64)[:, :, None] + patch) % side
        away = self._away - (points - (cells + 0.5) * self.cell)[:, :, None]
        bell = np.exp(away * away * self._sharpness)
        touched = (at[:, 0, :, None] * side + at[:, 1, None, :]).ravel()
        weights = (bell[:, 0, :, None] * bell[:, 1, None, :]).ravel()
        each = np.bincount(whose, minlength=len(updates)) * (len(patch) * len(patch))
        return touched, weights, list(accumulate(each.tolist()))

    def _write(self, number: int, touched: Integers, weights: Floats) -> None:
        """One update; cells may be touched more than once."""
        values, updates = self._values, self._updates
        self.seen = number
        held = values.take(touched)
        held *= self._faded.take(number - updates.take(touched), mode="clip")
        values[touched] = held
        updates[touched] = number
        np.add.at(values, touched, weights)
        values.take(touched, out=held, mode="clip")
        values[touched] = np.minimum(held, 1.0, out=held)

    def _weights(self, number: int, at: Integers) -> Floats:
        """What cells hold by now."""
        held = self._values.take(at)
        held *= self._faded.take(number - self._updates.take(at), mode="clip")
        return held


_NO_AXES: Places = np.zeros(0, np.complex128)


@lru_cache(maxsize=16)
def _disc(radius: float, cell: float) -> tuple[Integers, Integers]:
    """The cells whose middle is within a disc about the middle of one."""
    reach = ceil(radius / cell)
    dx, dy = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    inside = np.hypot(dx, dy) * cell <= radius
    return dx[inside], dy[inside]
