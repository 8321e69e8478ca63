"""The arena: walls, obstacles and round bodies, and the exact distance to what lies in a direction."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, sin, sqrt
from typing import Protocol

from devs_robotics.hil.lab.lights import Colour
from devs_robotics.hil.lab.plan import Corners, LabDisc


class RoundBody(Protocol):
    """A round body (m), and the colour in which it glows."""

    x: float
    y: float
    heading: float
    radius: float
    glow: Colour


class Arena:
    """A rectangle from (0, 0) to (width, height), walled or open, with solid things in it.

    Distances are those that a disc goes in a straight line until it first touches something; a ray is a disc without
    size. A thing that is touched already stops what moves into it, and nothing that moves away from it.

    Args:
        width, height: of the rectangle (m)
        discs, polygons: obstacles
        bodies: that may move about
        walled: whether there are walls round it

    Attributes:
        edges: of the polygons: x and y of either end
    """

    def __init__(
        self,
        width: float,
        height: float,
        discs: Sequence[LabDisc] = (),
        polygons: Sequence[Corners] = (),
        bodies: Sequence[RoundBody] = (),
        *,
        walled: bool = True,
    ) -> None:
        self.width = width
        self.height = height
        self.walled = walled
        self.discs = tuple(discs)
        self.polygons = tuple(polygons)
        self.bodies = bodies
        self.edges = [edge for corners in self.polygons for edge in _edges(corners)]

    def cast(self, body: RoundBody, bearing: float, reach: float, place: tuple[float, float] | None = None) -> float:
        """Distance from the edge of a body to the nearest thing in a direction (m); infinite beyond `reach`.

        With a `place` in the body's frame, ahead and to the left (m), the distance is from there.
        """
        direction = body.heading + bearing
        ux, uy = cos(direction), sin(direction)
        if place is None:
            way = self._way(body, ux, uy, body.radius + reach, 0.0) - body.radius
        else:
            ahead, left, c, s = *place, cos(body.heading), sin(body.heading)
            start = body.x + c * ahead - s * left, body.y + s * ahead + c * left
            way = self._way(body, ux, uy, reach, 0.0, start=start)
        return max(0.0, way) if way <= reach else inf

    def free_way(self, body: RoundBody, direction: float, reach: float) -> float:
        """How far a body can go in a direction (rad, of the arena) until it touches (m); infinite beyond `reach`."""
        return self.free_along(body, cos(direction), sin(direction), reach)

    def free_along(
        self, body: RoundBody, ux: float, uy: float, reach: float, others: Sequence[RoundBody] | None = None
    ) -> float:
        """The same along a unit vector; `others` are the only bodies that can be so near, where that is known."""
        way = self._way(body, ux, uy, reach, body.radius, others)
        return way if way <= reach else inf

    def is_open(self, body: RoundBody, start: tuple[float, float], end: tuple[float, float]) -> bool:
        """Whether nothing but a body itself is on the line between two points (m), beside walls."""
        x, y = start
        dx, dy = end[0] - x, end[1] - y
        way = hypot(dx, dy)
        if not way:
            return True
        ux, uy = dx / way, dy / way
        discs = [(disc.x, disc.y, disc.radius) for disc in self.discs]
        discs += [(other.x, other.y, other.radius) for other in self.bodies if other is not body]
        edges = ((ax - x, ay - y, bx - x, by - y) for ax, ay, bx, by in self.edges)
        return all(
            _to_disc(disc_x - x, disc_y - y, ux, uy, radius, way) >= way for disc_x, disc_y, radius in discs
        ) and all(_to_segment(*edge, ux, uy, 0.0) >= way for edge in edges)

    def clearance(self, body: RoundBody) -> float:
        """Distance from the edge of a body to the nearest thing (m); negative where they overlap."""
        x, y = body.x, body.y
        nearest = min(x, y, self.width - x, self.height - y) if self.walled else inf
        nearest = min([nearest, *(hypot(disc.x - x, disc.y - y) - disc.radius for disc in self.discs)])
        for other in self.bodies:
            if other is not body:
                nearest = min(nearest, hypot(other.x - x, other.y - y) - other.radius)
        for corners in self.polygons:
            nearest = min(nearest, _distance(x, y, corners))
        return nearest - body.radius

    def _way(
        self,
        body: RoundBody,
        ux: float,
        uy: float,
        reach: float,
        radius: float,
        others: Sequence[RoundBody] | None = None,
        start: tuple[float, float] | None = None,
    ) -> float:
        """How far a disc of this radius goes from the centre of a body, or from `start`, until it touches.

        What is beyond `reach` may be left out.
        """
        x, y = (body.x, body.y) if start is None else start
        nearest = self._to_walls(x, y, ux, uy, radius)
        for other in self.bodies if others is None else others:
            size = other.radius + radius
            if abs(other.x - x) <= reach + size and abs(other.y - y) <= reach + size and other is not body:
                nearest = min(nearest, _to_disc(other.x - x, other.y - y, ux, uy, size, reach))
        for disc in self.discs:
            nearest = min(nearest, _to_disc(disc.x - x, disc.y - y, ux, uy, disc.radius + radius, reach))
        for ax, ay, bx, by in self.edges:
            nearest = min(nearest, _to_segment(ax - x, ay - y, bx - x, by - y, ux, uy, radius))
            if radius:
                nearest = min(nearest, _to_disc(ax - x, ay - y, ux, uy, radius, reach))
        return nearest

    def _to_walls(self, x: float, y: float, ux: float, uy: float, radius: float) -> float:
        nearest = inf
        if not self.walled:
            return nearest
        if ux:
            nearest = ((self.width - radius if ux > 0.0 else radius) - x) / ux
        if uy:
            nearest = min(nearest, ((self.height - radius if uy > 0.0 else radius) - y) / uy)
        return max(0.0, nearest)


def _edges(corners: Corners) -> list[tuple[float, float, float, float]]:
    return [(*corner, *corners[(number + 1) % len(corners)]) for number, corner in enumerate(corners)]


def _to_disc(x: float, y: float, ux: float, uy: float, radius: float, reach: float) -> float:
    """From the origin along (ux, uy) to the circle about (x, y)."""
    along = x * ux + y * uy
    if along <= 0.0 or along - radius > reach:
        return inf
    aside = abs(x * uy - y * ux)
    if aside >= radius:
        return inf
    return max(0.0, along - sqrt((radius - aside) * (radius + aside)))


def _to_segment(ax: float, ay: float, bx: float, by: float, ux: float, uy: float, radius: float) -> float:
    """From the origin along (ux, uy) until a disc touches the segment from a to b with its side."""
    length = hypot(bx - ax, by - ay)
    tx, ty = (bx - ax) / length, (by - ay) / length
    off = ax * ty - ay * tx  # where the origin is, from the line, to the right of a to b
    nearing = ux * ty - uy * tx  # how fast the line comes nearer from there
    if off < 0.0:
        off, nearing = -off, -nearing
    if nearing <= 0.0:
        return inf
    way = max(0.0, (off - radius) / nearing)
    along = (way * ux - ax) * tx + (way * uy - ay) * ty
    return way if 0.0 <= along <= length else inf


def _distance(x: float, y: float, corners: Corners) -> float:
    """From a point to a polygon; negative inside."""
    nearest, inside = inf, False
    for ax, ay, bx, by in _edges(corners):
        dx, dy = bx - ax, by - ay
        share = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
        nearest = min(nearest, hypot(ax + share * dx - x, ay + share * dy - y))
        if (ay > y) != (by > y) and x < ax + (y - ay) / dy * dx:
            inside = not inside
    return -nearest if inside else nearest
