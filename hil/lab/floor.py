"""The floor of a lab, which ground sensors see: patterns on one grey, as data."""

from __future__ import annotations

from math import atan2, cos, floor, hypot, pi, sin
from typing import TypeAlias

from msgspec import Struct

Points: TypeAlias = tuple[tuple[float, float], ...]
"""x and y of each (m)."""


class LabStripes(Struct, frozen=True, tag="stripes"):
    """Stripes over the whole floor, across a heading (rad), from a point on (m), with their greys in turn."""

    width: float
    greys: tuple[float, ...]
    heading: float
    x: float
    y: float

    def grey(self, x: float, y: float) -> float:
        """That of the stripe."""
        across = (x - self.x) * cos(self.heading) + (y - self.y) * sin(self.heading)
        return self.greys[floor(across / self.width) % len(self.greys)]


class LabSectors(Struct, frozen=True, tag="sectors"):
    """Sectors of one angle about a point (m) over the whole floor, counter-clockwise from a heading on (rad)."""

    x: float
    y: float
    greys: tuple[float, ...]
    heading: float

    def grey(self, x: float, y: float) -> float:
        """That of the sector."""
        turned = (atan2(y - self.y, x - self.x) - self.heading) % (2.0 * pi)
        return self.greys[min(len(self.greys) - 1, int(0.5 * turned / pi * len(self.greys)))]


class Spot(Struct, frozen=True, tag="spot"):
    """A disc of one grey (m)."""

    x: float
    y: float
    radius: float
    level: float

    def grey(self, x: float, y: float) -> float | None:
        """Its own, inside."""
        return self.level if hypot(x - self.x, y - self.y) <= self.radius else None


class Area(Struct, frozen=True, tag="area"):
    """A polygon of one grey (m)."""

    corners: Points
    level: float

    def grey(self, x: float, y: float) -> float | None:
        """Its own, inside."""
        inside = False
        for (ax, ay), (bx, by) in zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True):
            if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
                inside = not inside
        return self.level if inside else None


class LabLine(Struct, frozen=True, tag="line"):
    """A line of one width and one grey through points (m), round at its corners; it may lead back to the first."""

    points: Points
    width: float
    level: float
    closed: bool

    def grey(self, x: float, y: float) -> float | None:
        """Its own, up to half of its width from its middle."""
        following = (*self.points[1:], *self.points[: int(self.closed)])
        for (ax, ay), (bx, by) in zip(self.points, following, strict=False):
            dx, dy, length = bx - ax, by - ay, hypot(bx - ax, by - ay)
            if length == 0.0:
                away = hypot(x - ax, y - ay)
            else:
                along, aside = ((x - ax) * dx + (y - ay) * dy) / length, ((x - ax) * dy - (y - ay) * dx) / length
                away = hypot(max(0.0, -along, along - length), aside)
            if away <= 0.5 * self.width:
                return self.level
        return None


Pattern: TypeAlias = LabStripes | LabSectors | Spot | Area | LabLine


class LabFloor(Struct, frozen=True):
    """What robots drive on.

    Attributes:
        patterns: on it, those that come later on those before
        plain: grey where no pattern is, from 0 (black) to 1
    """

    patterns: tuple[Pattern, ...]
    plain: float = 1.0

    def grey(self, x: float, y: float) -> float:
        """How bright it is at a point (m), from 0 to 1."""
        found = [grey for pattern in self.patterns if (grey := pattern.grey(x, y)) is not None]
        return found[-1] if found else self.plain
