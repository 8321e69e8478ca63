"""A grid over the field that finds what is near without looking at everything."""

from __future__ import annotations

from math import floor

MOST_CELLS = 10_000
"""Number of cells above which an obstacle that covers them is not entered in each."""

Bounds = tuple[float, float, float, float]


class Grid:
    """Which bodies and obstacles lie in which square cell.

    Bodies are points that move, kept in the one cell of their centre; obstacles are fixed and kept in every cell
    that their bounds reach. What a query costs depends on the cells it covers and on what is in them alone.

    Args:
        cell: side of a cell (m), best about the reach of a sensor
    """

    def __init__(self, cell: float) -> None:
        self.cell = cell
        self._bodies: dict[tuple[int, int], list[int]] = {}
        self._obstacles: dict[tuple[int, int], list[int]] = {}
        self._large: set[int] = set()
        """Obstacles too large to be entered in every cell: they are always near."""

    def _key(self, x: float, y: float) -> tuple[int, int]:
        return floor(x / self.cell), floor(y / self.cell)

    def put_body(self, body: int, x: float, y: float) -> None:
        """Add a body at a place where it was not before."""
        self._bodies.setdefault(self._key(x, y), []).append(body)

    def move_body(self, body: int, x0: float, y0: float, x1: float, y1: float) -> None:
        """Move a body from (x0, y0) to (x1, y1)."""
        old, new = self._key(x0, y0), self._key(x1, y1)
        if old != new:
            residents = self._bodies[old]
            residents.remove(body)
            if not residents:
                del self._bodies[old]
            self._bodies.setdefault(new, []).append(body)

    def remove_body(self, body: int, x: float, y: float) -> None:
        """Take a body out that is at (x, y)."""
        residents = self._bodies[self._key(x, y)]
        residents.remove(body)
        if not residents:
            del self._bodies[self._key(x, y)]

    def put_obstacle(self, obstacle: int, bounds: Bounds) -> None:
        """Add a fixed obstacle."""
        if (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]) > MOST_CELLS * self.cell**2:
            self._large.add(obstacle)
            return
        for key in self._cells(bounds):
            self._obstacles.setdefault(key, []).append(obstacle)

    def bodies(self, bounds: Bounds) -> list[list[int]]:
        """The bodies of each cell that `bounds` reaches (and so all with their centre inside it)."""
        residents = self._bodies
        return [residents[key] for key in self._cells(bounds) if key in residents]

    def obstacles(self, bounds: Bounds) -> set[int]:
        """The obstacles that may reach into `bounds`."""
        fixed = self._obstacles
        if not fixed:
            return self._large
        return self._large.union(*(fixed[key] for key in self._cells(bounds) if key in fixed))

    def _cells(self, bounds: Bounds) -> list[tuple[int, int]]:
        x_min, y_min, x_max, y_max = bounds
        cell = self.cell
        rows = range(floor(y_min / cell), floor(y_max / cell) + 1)
        return [(column, row) for column in range(floor(x_min / cell), floor(x_max / cell) + 1) for row in rows]
