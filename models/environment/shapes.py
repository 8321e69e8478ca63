"""Obstacles and exact geometry: where a ray, or a disc that moves along it, first touches a shape.

Every shape answers ``hit(x, y, ux, uy, radius)``: how far a disc of that radius (0 for a ray) can go from (x, y)
along the unit vector (ux, uy) before it touches the shape; infinite if it never does. A disc that touches already
can leave (the answer is infinite) but not go deeper (the answer is 0). Metres.
"""

from __future__ import annotations

from functools import cached_property
from math import cos, hypot, inf, sin, sqrt
from typing import NamedTuple, Protocol

from msgspec import Struct

from devs_robotics.models.environment.grid import BESIDE, Bounds

Point = tuple[float, float]


class Shape(Protocol):
    """What the environment needs to know of an obstacle."""

    def hit(self, x: float, y: float, ux: float, uy: float, radius: float) -> float:
        """Distance that a disc can go before it touches the shape (m)."""
        ...

    def distance(self, x: float, y: float) -> float:
        """Distance from a point to the shape (m); 0 on it or inside."""
        ...

    def distance_from_segment(self, x0: float, y0: float, x1: float, y1: float) -> float:
        """Smallest distance from a line segment to the shape (m); 0 where the segment touches or enters it."""
        ...

    def bounds(self) -> Bounds:
        """The smallest upright box around it: x_min, y_min, x_max, y_max."""
        ...


def hit_circle(dx: float, dy: float, ux: float, uy: float, radius: float) -> float:
    """Ray cast: distance (m) along (ux, uy) to a circle centred (dx, dy) from its start; infinite if it misses."""
    along = dx * ux + dy * uy
    if along <= 0.0:
        return inf
    across = dx * uy - dy * ux
    half_chord_2 = radius * radius - across * across
    if half_chord_2 <= 0.0:
        return inf
    return max(0.0, along - sqrt(half_chord_2))


def point_to_segment(x: float, y: float, x0: float, y0: float, x1: float, y1: float) -> float:
    """Distance from the point (x, y) to the line segment from (x0, y0) to (x1, y1) (m), which may have no length."""
    ex, ey = x1 - x0, y1 - y0
    length_2 = ex * ex + ey * ey
    foot = min(1.0, max(0.0, ((x - x0) * ex + (y - y0) * ey) / length_2)) if length_2 else 0.0
    return hypot(x0 + foot * ex - x, y0 + foot * ey - y)


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

    def distance_from_segment(self, x0: float, y0: float, x1: float, y1: float) -> float:
        """Smallest distance from a line segment to the circle (m); 0 where the segment enters it."""
        return max(0.0, point_to_segment(self.x, self.y, x0, y0, x1, y1) - self.radius)

    def bounds(self) -> Bounds:
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
        return point_to_segment(x, y, self.ax, self.ay, self.bx, self.by)

    def distance_from_segment(self, x0: float, y0: float, x1: float, y1: float) -> float:
        """Smallest distance from a line segment to the wall (m); 0 where the segment crosses it."""
        if self._parts(x0, y0, x1, y1) and Segment(x0, y0, x1, y1)._parts(self.ax, self.ay, self.bx, self.by):
            return 0.0
        return min(  # lines that do not cross are nearest at an end of one of them
            self.distance(x0, y0),
            self.distance(x1, y1),
            point_to_segment(self.ax, self.ay, x0, y0, x1, y1),
            point_to_segment(self.bx, self.by, x0, y0, x1, y1),
        )

    def _parts(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Whether two points lie on different sides of the wall's endless line."""
        ex, ey = self.bx - self.ax, self.by - self.ay
        first = ex * (y0 - self.ay) - ey * (x0 - self.ax)
        second = ex * (y1 - self.ay) - ey * (x1 - self.ax)
        return first < 0.0 < second or second < 0.0 < first

    def bounds(self) -> Bounds:
        """The smallest upright box around it."""
        return min(self.ax, self.bx), min(self.ay, self.by), max(self.ax, self.bx), max(self.ay, self.by)


class PolygonSide(NamedTuple):
    """A side of a polygon as it is looked at again and again: where it begins, its way, and its unit normal (m).

    Attributes:
        square: of its length, by its way (m2)
        square_by_length: the same by its length, which differs in the last digit (m2)
    """

    ax: float
    ay: float
    ex: float
    ey: float
    nx: float
    ny: float
    square: float
    square_by_length: float


class Polygon(Struct, frozen=True, dict=True):
    """A solid obstacle with straight sides, its corners in order round it."""

    corners: tuple[Point, ...]

    def sides(self) -> list[Segment]:
        """Its sides, one from each corner to the next."""
        ends = (*self.corners[1:], self.corners[0])
        return [Segment(*start, *end) for start, end in zip(self.corners, ends, strict=True)]

    def hit(self, x: float, y: float, ux: float, uy: float, radius: float) -> float:
        """Distance that a disc can go before it touches the polygon (m)."""
        centre_x, centre_y, size = self._circle
        dx, dy, room = centre_x - x, centre_y - y, size + radius + BESIDE
        if abs(dx * uy - dy * ux) > room or dx * ux + dy * uy < -room:
            return inf
        nearest = inf
        for ax, ay, ex, ey, nx, ny, _, square in self._sides:
            height, closing = (x - ax) * nx + (y - ay) * ny, ux * nx + uy * ny
            if height < 0.0:
                height, closing = -height, -closing
            if closing < 0.0:
                way = max(0.0, (height - radius) / -closing)
                if way < nearest and 0.0 <= ((x + way * ux - ax) * ex + (y + way * uy - ay) * ey) / square <= 1.0:
                    nearest = way
            if radius > 0.0:  # the corners, seen by a disc, are circles
                nearest = min(nearest, hit_circle(ax - x, ay - y, ux, uy, radius))
        return nearest

    def distance(self, x: float, y: float) -> float:
        """Distance from a point to the polygon (m); 0 inside."""
        if self._inside(x, y):
            return 0.0
        nearest = inf
        for ax, ay, ex, ey, _, _, square, _ in self._sides:
            foot = min(1.0, max(0.0, ((x - ax) * ex + (y - ay) * ey) / square)) if square else 0.0
            nearest = min(nearest, hypot(ax + foot * ex - x, ay + foot * ey - y))
        return nearest

    def distance_from_segment(self, x0: float, y0: float, x1: float, y1: float) -> float:
        """Smallest distance from a line segment to the polygon (m); 0 where the segment enters it."""
        if self._inside(x0, y0):
            return 0.0
        return min(side.distance_from_segment(x0, y0, x1, y1) for side in self.sides())

    def bounds(self) -> Bounds:
        """The smallest upright box around it."""
        return self._bounds

    def _inside(self, x: float, y: float) -> bool:
        low_x, low_y, high_x, high_y = self._bounds
        if not (low_x <= x <= high_x and low_y <= y <= high_y):
            return False
        is_inside = False
        ax, ay = self.corners[-1]
        for bx, by in self.corners:
            if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
                is_inside = not is_inside
            ax, ay = bx, by
        return is_inside

    @cached_property
    def _bounds(self) -> Bounds:
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        return min(xs), min(ys), max(xs), max(ys)

    @cached_property
    def _circle(self) -> tuple[float, float, float]:
        """A circle round it: its centre and its radius (m)."""
        low_x, low_y, high_x, high_y = self._bounds
        x, y = (low_x + high_x) / 2.0, (low_y + high_y) / 2.0
        return x, y, max(hypot(corner_x - x, corner_y - y) for corner_x, corner_y in self.corners)

    @cached_property
    def _sides(self) -> tuple[PolygonSide, ...]:
        return tuple(_looked_at(each.ax, each.ay, each.bx, each.by) for each in self.sides())


def _looked_at(ax: float, ay: float, bx: float, by: float) -> PolygonSide:
    ex, ey = bx - ax, by - ay
    length = hypot(ex, ey)
    nx, ny = (-ey / length, ex / length) if length else (0.0, 0.0)
    return PolygonSide(ax, ay, ex, ey, nx, ny, ex * ex + ey * ey, length * length)


def box(x: float, y: float, width: float, height: float, heading: float = 0.0) -> Polygon:
    """A rectangular obstacle about its centre, rotated by `heading` (rad)."""
    c, s = cos(heading), sin(heading)
    half = ((-width, -height), (width, -height), (width, height), (-width, height))
    return Polygon(tuple((x + (c * w - s * h) / 2, y + (s * w + c * h) / 2) for w, h in half))
