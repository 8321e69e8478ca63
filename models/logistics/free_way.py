"""A strip of the collision map ahead of a robot that was found free: it stays so until enough may be seen in it.

What the map holds only fades. So where what is in a strip, and what returns since may have written there, is too little
for a warning, no disc in it has to be looked at, nor anything to be written. What the collision map says is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf
from operator import lt

import numpy as np
from msgspec import Struct

from devs_robotics.models.logistics.likelihood import Integers, LikelihoodGrid, Places

BEYOND = 0.25
"""How much further than a robot looks now a strip leads (m)."""

SURELY = 1.0 - 1e-6
"""Share of a threshold below which rounding errors do not matter."""

AGAIN = 3
"""Number of updates for which no strip is looked for after one was not free."""

BEHIND = 1.5
"""So many cells behind where a robot is nothing counts that is ahead of the cell that it is in."""


class Stretch(Struct, frozen=True, gc=False):
    """What a robot looks at: discs on a straight way.

    Attributes:
        x, y: where it begins by odometry (m)
        east, north: its direction, as a unit vector
        way: how long it is (m)
        radius: of the discs (m)
        scale: by which the mean of a disc is multiplied
    """

    x: float
    y: float
    east: float
    north: float
    way: float
    radius: float
    scale: float


class FreeWay:
    """The strip along which a robot goes, if that was found free.

    Args:
        grid: that is looked at
        threshold: from which on a way is not free
    """

    def __init__(self, grid: LikelihoodGrid, threshold: float) -> None:
        self.grid, self.threshold = grid, threshold * SURELY
        self._strip: _Strip | None = None
        self._not_before = 0

    def see(self, x: float, y: float, axes: Places, ways: Sequence[float]) -> None:
        """The robot is at a place by odometry (m); what it sees there is written to the grid, as that has it."""
        strip = self._strip
        if strip is not None:
            if strip.goes_on(x, y, axes):
                if any(map(lt, ways, strip.limits)):
                    strip.most += strip.written(ways)
            else:
                self._strip = None

    def leads_along(self, stretch: Stretch, number: int, axes: Places) -> bool:
        """Whether a stretch is surely free: in the strip, or in another one that is found now.

        Args:
            stretch: from where the robot is
            number: of the update
            axes: directions of the sensors
        """
        strip, grid = self._strip, self.grid
        much = self.threshold * grid.cells_of(stretch.radius) / stretch.scale
        if strip is not None and strip.holds(stretch):
            if strip.most < much:
                return True
            if strip.look(number, much) and strip.holds(stretch):
                return True
        self._strip = None
        if number < self._not_before or stretch.way + stretch.radius + 4.0 * grid.cell > grid.half:
            return False
        strip = _Strip(grid, stretch, axes)
        if strip.look(number, much) and strip.holds(stretch):
            self._strip = strip
            strip.limit()
        else:
            self._not_before = number + AGAIN
        return self._strip is not None


class _Strip:
    """Cells along a straight way, in slices across it.

    Args:
        grid: that holds them
        stretch: from which on, and in which direction, it leads
        axes: directions of the sensors of the robot, which stays turned so

    Attributes:
        most: what a disc in it holds at most
        way: how far along it the middle of a disc may be (m)
        gone: how far the robot has gone along it (m)
        limits: by sensor: what it sees nearer than that may write into the strip (m)
    """

    def __init__(self, grid: LikelihoodGrid, stretch: Stretch, axes: Places) -> None:
        cell = grid.cell
        self.grid, self.stretch, self.axes = grid, stretch, axes
        self.most, self.gone, self.way, self.begin = inf, 0.0, stretch.way + BEYOND, -BEHIND * cell
        self.end, self.beside = self.way + stretch.radius + cell, stretch.radius + 1.25 * cell
        self._at, self._slices = self._cells()
        self._window = ceil(2.0 * stretch.radius / cell) + 3
        """Number of slices in which a disc is at most."""
        self.limits: list[float] = []

    def goes_on(self, x: float, y: float, axes: Places) -> bool:
        """Whether a robot at a place has gone on along the strip."""
        stretch = self.stretch
        dx, dy = x - stretch.x, y - stretch.y
        gone = dx * stretch.east + dy * stretch.north
        is_on_it = gone >= self.gone and abs(dy * stretch.east - dx * stretch.north) <= self.grid.cell / 4.0
        self.gone = gone
        return is_on_it and axes is self.axes

    def holds(self, stretch: Stretch) -> bool:
        """Whether discs on a stretch, from where the robot is, are in the strip."""
        mine = self.stretch
        dx = stretch.x - mine.x + stretch.way * stretch.east
        dy = stretch.y - mine.y + stretch.way * stretch.north
        return (
            stretch.radius <= mine.radius
            and stretch.east * mine.east + stretch.north * mine.north > 0.0
            and dx * mine.east + dy * mine.north <= self.way
            and abs(dy * mine.east - dx * mine.north) <= self.grid.cell / 4.0
        )

    def look(self, number: int, much: float) -> bool:
        """Find out how much discs ahead of the robot hold at most; the strip ends before one that holds too `much`.

        A disc holds no more than the slices that it may be in.
        """
        cell, window = self.grid.cell, self._window
        first = int(self.gone / cell)
        sums = np.add.reduceat(self.grid.held(number, self._at), self._slices)[first:].cumsum()
        sums[window:] -= sums[:-window].copy()
        sums = sums[window - 1 :] if len(sums) > window else sums[-1:]
        if sums.max() >= much:
            free = int((sums >= much).argmax())
            self.way = min(self.way, self.begin + (first + free) * cell + self.stretch.radius + 0.7 * cell)
            self.end = self.way + self.stretch.radius + cell
            sums = sums[:free]
        self.most = float(sums.max()) if len(sums) else inf
        return self.most < much

    def limit(self) -> None:
        """Find out how far returns have to be so that they write nothing into it."""
        turned = self.axes * complex(self.stretch.east, -self.stretch.north)
        self._along, self._aside = turned.real.tolist(), turned.imag.tolist()
        self.limits = list(map(self._limit, self._along, self._aside))

    def written(self, ways: Sequence[float]) -> float:
        """What returns write into the strip at most."""
        found = 0.0
        for way, limit, along, aside in zip(ways, self.limits, self._along, self._aside, strict=True):
            if way < limit:
                ahead = self.gone + way * along
                beside = abs(way * aside) - self.beside - self.grid.cell / 4.0
                found += self.grid.spill(max(ahead - self.end, self.gone + self.begin - ahead, beside))
        return found

    def _limit(self, along: float, aside: float) -> float:
        """How far a return in a direction has to be so that it writes to no cell ahead that is in the strip (m)."""
        room = self.grid.touches
        limit = (self.beside + self.grid.cell / 4.0 + room) / abs(aside) if aside else inf
        if along > 0.0:
            return min(limit, (self.end + room) / along)
        return min(limit, (room - self.begin) / -along) if along else limit

    def _cells(self) -> tuple[Integers, Integers]:
        """The cells of the strip, slice by slice, and where each slice begins."""
        cell, stretch = self.grid.cell, self.stretch
        spans = []
        for along, aside, place in ((stretch.east, stretch.north, stretch.x), (stretch.north, stretch.east, stretch.y)):
            low, high = sorted((self.begin * along, self.end * along))
            wide = self.beside * abs(aside)
            spans.append(np.arange(int((place + low - wide) // cell), int((place + high + wide) // cell) + 1))
        dx = (spans[0] * cell + (cell / 2.0 - stretch.x))[:, None]
        dy = spans[1] * cell + (cell / 2.0 - stretch.y)
        slices = np.floor((dx * stretch.east + dy * stretch.north - self.begin) / cell)
        inside = np.abs(dy * stretch.east - dx * stretch.north) <= self.beside
        inside &= (slices >= 0.0) & (slices <= (self.end - self.begin) / cell)
        found = slices[inside]
        order = np.argsort(found, kind="stable")
        at = self.grid.places(*spans)[inside][order]
        return at, np.searchsorted(found[order], np.arange(int(found.max()) + 1))
