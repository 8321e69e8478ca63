"""Obstacles and exact geometry: where a ray, or a disc that moves along it, first meets a shape.

Every shape answers ``hit(x, y, ux, uy, radius)``: how far a disc of that radius (0 for a ray) can go from (x, y)
along the unit vector (ux, uy) before it touches the shape; infinite if it never does. A disc that touches already
can leave (the answer is infinite) but not go deeper (the answer is 0). Metres.
"""

from __future__ import annotations

from math import cos, hypot, inf, sin, sqrt
from typing import Protocol

from msgspec import Struct

Point = tuple[float, float]


class Shape(Protocol):
    """What the environment needs to know of an obstacle."""

    def hit(self, x: float, y: float, ux: float, uy: float, radius: float) -> float:
        """Distance that a disc can go before it touches the shape (m)."""
        ...

    def distance(self, x: float, y: float) -> float:
        """Distance from a point to the shape (m); 0 on it or inside."""
        ...

    def bounds(self) -> tuple[float, float, float, float]:
        """The smallest upright box around it: x_min, y_min, x_max, y_max."""
        ...


def hit_circle(dx: float, dy: float, ux: float, uy: float, radius: float) -> float:
    """How far a point can go along (ux, uy) before it meets a circle whose centre lies at (dx, dy) from it."""
    along = dx * ux + dy * uy
    if along <= 0.0:
        return inf
    across = dx * uy - dy * ux
    half_chord_2 = radius * radius - across * across
    if half_chord_2 <= 0.0:
        return inf
    return max(0.0, along - sqrt(half_chord_2))


class Circle(Struct, frozen=True):
    """A round obstacle."""

    x: float
    y: float
    radius: float

    def hit(self, x: float, y: float, ux: float, uy: float, radius: float) -> float:
        """Distance that a disc can go before it touches the circle (m)."""
        return hit_circle(self.x - x, self.y - y, ux, uy, self.radius + radius)

    def distance(self, x: float, y: float) -> float:
        """Distance from a point to the circle (m); 0 inside."""
        return max(0.0, hypot(self.x - x, self.y - y) - self.radius)

    def bounds(self) -> tuple[float, float, float, float]:
        """The smallest upright box around it."""
        return self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius


class Segment(Struct, frozen=True):
    """A straight wall of no thickness between two points."""

    ax: float
    ay: float
    bx: float
    by: float

    def hit(self, x: float, y: float, ux: float, uy: float, radius: float) -> float:
        """Distance that a disc can go before it touches the wall (m)."""
        nearest = self._hit_side(x, y, ux, uy, radius)
        if radius > 0.0:  # the ends of the wall, seen by a disc, are circles
            nearest = min(
                nearest,
                hit_circle(self.ax - x, self.ay - y, ux, uy, radius),
                hit_circle(self.bx - x, self.by - y, ux, uy, radius),
            )
        return nearest

    def _hit_side(self, x: float, y: float, ux: float, uy: float, radius: float) -> float:
        ex, ey = self.bx - self.ax, self.by - self.ay
        length = hypot(ex, ey)
        nx, ny = -ey / length, ex / length
        height = (x - self.ax) * nx + (y - self.ay) * ny  # from the wall's line to the disc's centre
        closing = ux * nx + uy * ny
        if height < 0.0:
            height, closing = -height, -closing
        if closing >= 0.0:
            return inf
        reach = max(0.0, (height - radius) / -closing)
        foot = ((x + reach * ux - self.ax) * ex + (y + reach * uy - self.ay) * ey) / (length * length)
        return reach if 0.0 <= foot <= 1.0 else inf

    def distance(self, x: float, y: float) -> float:
        """Distance from a point to the wall (m)."""
        ex, ey = self.bx - self.ax, self.by - self.ay
        foot = ((x - self.ax) * ex + (y - self.ay) * ey) / (ex * ex + ey * ey)
        foot = min(1.0, max(0.0, foot))
        return hypot(self.ax + foot * ex - x, self.ay + foot * ey - y)

    def bounds(self) -> tuple[float, float, float, float]:
        """The smallest upright box around it."""
        return min(self.ax, self.bx), min(self.ay, self.by), max(self.ax, self.bx), max(self.ay, self.by)


class Polygon(Struct, frozen=True):
    """A solid obstacle with straight sides, its corners in order round it."""

    corners: tuple[Point, ...]

    def sides(self) -> list[Segment]:
        """Its sides, one from each corner to the next."""
        ends = (*self.corners[1:], self.corners[0])
        return [Segment(*start, *end) for start, end in zip(self.corners, ends, strict=True)]

    def hit(self, x: float, y: float, ux: float, uy: float, radius: float) -> float:
        """Distance that a disc can go before it touches the polygon (m)."""
        return min(side.hit(x, y, ux, uy, radius) for side in self.sides())

    def distance(self, x: float, y: float) -> float:
        """Distance from a point to the polygon (m); 0 inside."""
        return 0.0 if self._inside(x, y) else min(side.distance(x, y) for side in self.sides())

    def _inside(self, x: float, y: float) -> bool:
        crossings = 0
        for side in self.sides():
            if (side.ay > y) != (side.by > y):
                crossings += x < side.ax + (y - side.ay) / (side.by - side.ay) * (side.bx - side.ax)
        return crossings % 2 == 1

    def bounds(self) -> tuple[float, float, float, float]:
        """The smallest upright box around it."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        return min(xs), min(ys), max(xs), max(ys)


def box(x: float, y: float, width: float, height: float, heading: float = 0.0) -> Polygon:
    """A rectangular obstacle about its centre, rotated by `heading` (rad)."""
    c, s = cos(heading), sin(heading)
    half = ((-width, -height), (width, -height), (width, height), (-width, height))
    return Polygon(tuple((x + (c * w - s * h) / 2, y + (s * w + c * h) / 2) for w, h in half))
