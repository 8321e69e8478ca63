"""The floor that ground sensors see: grey values that are constant piece by piece, or a picture.

Every pattern answers ``grey(x, y)``, from 0 (black) to 1, or None where it covers nothing; and ``margin(x, y)``, a
distance (m) within which it says the same all round, or less than that, 0 where it does not know. Metres.
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, floor, hypot, inf, pi, sin, tau
from typing import Protocol

from msgspec import Struct

from devs_robotics.models.environment.shapes import Circle, Polygon, point_to_segment
from devs_robotics.models.environment.things import Thing


class FloorPattern(Protocol):
    """What a floor is made of; one of one's own needs these two methods."""

    def grey(self, x: float, y: float) -> float | None:
        """How bright it is at a point, from 0 to 1; None where the pattern is not."""
        ...

    def margin(self, x: float, y: float) -> float:
        """Within which distance of a point it is the same (m), or less."""
        ...


class Floor(Thing, frozen=True):
    """What the robots drive on. Where there is none, all is white.

    Attributes:
        patterns: on it, those that come later on those before
        plain: grey where no pattern is
    """

    patterns: tuple[FloorPattern, ...] = ()
    plain: float = 1.0

    def grey(self, x: float, y: float) -> float:
        """How bright it is at a point, from 0 to 1."""
        for pattern in reversed(self.patterns):
            found = pattern.grey(x, y)
            if found is not None:
                return found
        return self.plain

    def margin(self, x: float, y: float) -> float:
        """Within which distance of a point it is the same (m), or less."""
        return min((pattern.margin(x, y) for pattern in self.patterns), default=inf)


class Stripes(Struct, frozen=True):
    """Parallel stripes over the whole floor, all of one width, which take their greys in turn.

    Attributes:
        width: of a stripe (m)
        greys: of the first stripe and the next ones, again and again
        heading: across the stripes (rad)
        x, y: on the edge before the first stripe (m)
    """

    width: float
    greys: tuple[float, ...] = (0.0, 1.0)
    heading: float = 0.0
    x: float = 0.0
    y: float = 0.0

    def grey(self, x: float, y: float) -> float:
        """That of the stripe."""
        return self.greys[floor(self._across(x, y)) % len(self.greys)]

    def margin(self, x: float, y: float) -> float:
        """To the nearer edge of the stripe."""
        across = self._across(x, y)
        inside = across - floor(across)
        return self.width * min(inside, 1.0 - inside)

    def _across(self, x: float, y: float) -> float:
        return ((x - self.x) * cos(self.heading) + (y - self.y) * sin(self.heading)) / self.width


class Sectors(Struct, frozen=True):
    """Sectors about a point over the whole floor, all of one angle, counter-clockwise.

    Attributes:
        x, y: the point (m)
        greys: one per sector
        heading: at which the first one begins (rad)
    """

    x: float
    y: float
    greys: tuple[float, ...] = (0.0, 1.0)
    heading: float = 0.0

    def grey(self, x: float, y: float) -> float:
        """That of the sector."""
        return self.greys[floor(self._sector(x, y)) % len(self.greys)]

    def margin(self, x: float, y: float) -> float:
        """To the nearer edge of the sector."""
        sector = self._sector(x, y)
        inside = sector - floor(sector)
        angle = min(inside, 1.0 - inside) * tau / len(self.greys)
        return hypot(x - self.x, y - self.y) * sin(min(angle, pi / 2.0))

    def _sector(self, x: float, y: float) -> float:
        angle = (atan2(y - self.y, x - self.x) - self.heading) % tau
        return angle * len(self.greys) / tau


class Patch(Struct, frozen=True):
    """A part of the floor that has a shape and one grey.

    Attributes:
        shape: a `Circle`, a `Polygon`, or a `box`
        level: its grey, from 0 to 1
    """

    shape: Circle | Polygon
    level: float = 0.0

    def grey(self, x: float, y: float) -> float | None:
        """Its own, inside."""
        return self.level if self.shape.distance(x, y) == 0.0 else None

    def margin(self, x: float, y: float) -> float:
        """To its edge."""
        shape = self.shape
        if isinstance(shape, Circle):
            return abs(hypot(x - shape.x, y - shape.y) - shape.radius)
        return min(side.distance(x, y) for side in shape.sides())


class Line(Struct, frozen=True):
    """A line on the floor along a row of points, as robots follow one; its ends and corners are round.

    Attributes:
        points: that it leads through (m)
        width: of the line (m)
        level: its grey, from 0 to 1
        closed: whether it leads back from the last point to the first
    """

    points: tuple[tuple[float, float], ...]
    width: float
    level: float = 0.0
    closed: bool = False

    def grey(self, x: float, y: float) -> float | None:
        """Its own, up to half of its width from its middle."""
        return self.level if self.distance(x, y) <= 0.5 * self.width else None

    def margin(self, x: float, y: float) -> float:
        """To its edge."""
        return abs(self.distance(x, y) - 0.5 * self.width)

    def distance(self, x: float, y: float) -> float:
        """From its middle (m)."""
        ends = (*self.points[1:], self.points[0]) if self.closed else self.points[1:]
        return min(
            point_to_segment(x, y, *start, *end) for start, end in zip(self.points[: len(ends)], ends, strict=True)
        )


class Picture(Struct, frozen=True):
    """A floor as a function of one's own says it, an image for instance: it is looked at at each point in time.

    Attributes:
        function: grey at x and y (m), from 0 to 1, or None where it says nothing
    """

    function: Callable[[float, float], float | None]

    def grey(self, x: float, y: float) -> float | None:
        """As the function says."""
        return self.function(x, y)

    def margin(self, x: float, y: float) -> float:
        """Nothing is known of it."""
        return 0.0
