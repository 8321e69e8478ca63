"""A grid over the field that finds what is near without looking at everything."""

from __future__ import annotations

from math import floor

MOST_CELLS = 10_000
"""Number of cells above which they are not gone through one by one, neither to enter an obstacle nor to look."""

FEW = 16
"""Number of obstacles up to which all of them are looked at sooner than cells are."""

BESIDE = 1e-6
"""What is further than this beside something is not in it, whatever rounding does (m)."""

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
        self._bounds: dict[int, Bounds] = {}
        """Of each obstacle, in the order of their numbers."""
        self._large: set[int] = set()
        """Obstacles too large to be entered in every cell: they are always looked at."""

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
        """Add a fixed obstacle, with a number above those before."""
        self._bounds[obstacle] = bounds
        if (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]) > MOST_CELLS * self.cell**2:
            self._large.add(obstacle)
            return
        columns, rows = self._spans(bounds)
        for column in columns:
            for row in rows:
                self._obstacles.setdefault((column, row), []).append(obstacle)

    def bodies(self, bounds: Bounds) -> list[list[int]]:
        """The bodies of each cell that `bounds` reaches (and so all with their centre inside it)."""
        return self._filled(self._bodies, bounds)

    def obstacles(self, bounds: Bounds) -> list[int]:
        """The obstacles whose own bounds reach into `bounds`, in the order of their numbers."""
        known, numbers = self._bounds, iter(self._bounds)
        if len(known) > FEW:
            numbers = iter(sorted(self._large.union(*self._filled(self._obstacles, bounds))))
        x_min, y_min, x_max, y_max = bounds
        x_min, y_min, x_max, y_max = x_min - BESIDE, y_min - BESIDE, x_max + BESIDE, y_max + BESIDE
        found: list[int] = []
        for number in numbers:
            low_x, low_y, high_x, high_y = known[number]
            if low_x <= x_max and high_x >= x_min and low_y <= y_max and high_y >= y_min:
                found.append(number)
        return found

    def _filled(self, cells: dict[tuple[int, int], list[int]], bounds: Bounds) -> list[list[int]]:
        """What is in those cells that bounds reach; where these are very many, of those that there are."""
        columns, rows = self._spans(bounds)
        if (columns.stop - columns.start) * (rows.stop - rows.start) <= MOST_CELLS:
            return [cells[key] for column in columns for row in rows if (key := (column, row)) in cells]
        return [cells[key] for key in sorted(cells) if key[0] in columns and key[1] in rows]

    def _spans(self, bounds: Bounds) -> tuple[range, range]:
        """The columns and the rows that bounds reach."""
        x_min, y_min, x_max, y_max = bounds
        cell = self.cell
        return (
            range(floor(x_min / cell), floor(x_max / cell) + 1),
            range(floor(y_min / cell), floor(y_max / cell) + 1),
        )
