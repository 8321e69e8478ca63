"""The arena as the wire has it: centimetres and degrees about its own origin, and the way into the field and back."""

from __future__ import annotations

from math import ceil, degrees, inf, isfinite, radians, remainder, tau

from msgspec import Struct

NOTHING = 994
"""What is sent where nothing is ahead, and the largest distance that is sent (cm): programs can read no infinity."""

FAR = 10.0
"""Poses farther from the middle than so many arena widths are not believed."""


class WireArena(Struct, frozen=True):
    """A rectangle in centimetres; the field's corner (0, 0) is its lower left corner.

    Attributes:
        x_min, x_max, y_min, y_max: its bounds (cm)
        channel: first level of all topics
    """

    x_min: float = -90.0
    x_max: float = 90.0
    y_min: float = -90.0
    y_max: float = 90.0
    channel: str = "v1"

    @property
    def width(self) -> float:
        """Of the field, along x (m)."""
        return metres(self.x_max - self.x_min)

    @property
    def height(self) -> float:
        """Of the field, along y (m)."""
        return metres(self.y_max - self.y_min)

    def place(self, x_cm: float, y_cm: float) -> tuple[float, float]:
        """Where a point of the arena is in the field (m)."""
        return metres(x_cm - self.x_min), metres(y_cm - self.y_min)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where a place of the field (m) is in the arena (cm)."""
        return centimetres(x) + self.x_min, centimetres(y) + self.y_min

    def holds(self, x_cm: float, y_cm: float) -> bool:
        """Whether a robot may be at a point, which need not be inside, but not absurdly far away either."""
        middle_x, middle_y = 0.5 * (self.x_min + self.x_max), 0.5 * (self.y_min + self.y_max)
        far = FAR * max(self.x_max - self.x_min, self.y_max - self.y_min)
        return max(abs(x_cm - middle_x), abs(y_cm - middle_y)) <= far


def metres(length_cm: float) -> float:
    """Centimetres as metres, computed as those of scenario files are, so that both make the same world."""
    return length_cm * 0.01


def centimetres(length: float) -> float:
    """Metres as centimetres, without the last digits that are noise of the conversion."""
    return round(100.0 * length, 9) if isfinite(length) else length


def angle(degree: float) -> float:
    """Degrees as radians, computed as those of scenario files are."""
    return degree * radians(1.0)


def heading_of(degree: float) -> float:
    """Degrees as radians from -pi to pi."""
    return radians(remainder(degree, 360.0))


def whole_degrees(heading: float) -> int:
    """Radians as whole degrees, more than -180 and at most 180."""
    turned = round(degrees(remainder(heading, tau)))
    return 180 if turned == -180 else turned


def distance_reading(distance: float, radius: float) -> int:
    """What a distance sensor tells: whole centimetres from the edge of the body, rounded up, from 0 to 994.

    The distance is rounded to hundredths before: else a wall 30 cm ahead would be 24 or 25 cm away by chance.

    Args:
        distance: from the middle of the body (m); infinite where nothing is ahead
        radius: of the body (m)
    """
    if distance == inf:
        return NOTHING
    gap = round(centimetres(distance), 2) - centimetres(radius)
    return min(NOTHING, max(0, ceil(round(gap, 2))))
