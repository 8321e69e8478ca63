"""What of a field is occupied already, while robots are placed at random."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import floor, hypot

PlacedDisc = tuple[float, float, float]
"""Place and radius of a body (m)."""


class Occupied:
    """Discs, found again by where they are: whether there is room takes the same time however many there are.

    Args:
        discs: that are there at first
        edge: least distance of a new centre to them (m)
        widest: radius of the widest disc that will be added (m)
    """

    def __init__(self, discs: Iterable[PlacedDisc], edge: float, widest: float) -> None:
        there = list(discs)
        self._edge = edge
        self._cell = edge + max(widest, max((radius for _, _, radius in there), default=0.0))
        self._discs: defaultdict[tuple[int, int], list[PlacedDisc]] = defaultdict(list)
        for disc in there:
            self.add(*disc)

    def add(self, x: float, y: float, radius: float) -> None:
        """A further disc."""
        self._discs[floor(x / self._cell), floor(y / self._cell)].append((x, y, radius))

    def apart(self, x: float, y: float) -> bool:
        """Whether a centre there keeps its distance to all of them."""
        column, row, edge = floor(x / self._cell), floor(y / self._cell), self._edge
        return all(
            hypot(x - other_x, y - other_y) >= edge + radius
            for near in (-1, 0, 1)
            for beside in (-1, 0, 1)
            for other_x, other_y, radius in self._discs.get((column + near, row + beside), ())
        )
