"""What a body can come near to: other bodies, walls and obstacles; where the nearest point of each is."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Protocol

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.instruments.safety.legs import BodyLeg
from devs_robotics.models.environment import Circle, Polygon, Segment, Shape

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

TINY = 1e-7
"""By which the direction to a shape of somebody's own is found (m)."""


class Standing(Protocol):
    """What stands in the field, or round it."""

    @property
    def name(self) -> str:
        """For people."""
        ...

    @property
    def thing(self) -> str:
        """What kind it is of."""
        ...

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """Its point that is nearest to another one (m)."""
        ...

    def distances(self, x: Floats, y: Floats) -> Floats:
        """From many points (m)."""
        ...


class Wall(Struct, frozen=True):
    """One of the walls round the field, along the whole line: at x or at y (m), of which the other is None."""

    name: str
    x: float | None = None
    y: float | None = None
    thing: str = "wall"

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """Straight ahead."""
        return (self.x, y) if self.x is not None else (x, self.y or 0.0)

    def distances(self, x: Floats, y: Floats) -> Floats:
        """At right angles."""
        away: Floats = np.abs(x - self.x) if self.x is not None else np.abs(y - (self.y or 0.0))
        return away


class Side(Struct, frozen=True):
    """A straight side of an obstacle, between two points (m)."""

    name: str
    ax: float
    ay: float
    bx: float
    by: float
    thing: str = "obstacle"

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """Beside its middle, or at an end."""
        ex, ey = self.bx - self.ax, self.by - self.ay
        length_2 = ex * ex + ey * ey
        share = min(1.0, max(0.0, ((x - self.ax) * ex + (y - self.ay) * ey) / length_2)) if length_2 else 0.0
        return self.ax + share * ex, self.ay + share * ey

    def distances(self, x: Floats, y: Floats) -> Floats:
        """To the same."""
        ex, ey = self.bx - self.ax, self.by - self.ay
        length_2 = ex * ex + ey * ey
        share = np.clip(((x - self.ax) * ex + (y - self.ay) * ey) / (length_2 or 1.0), 0.0, 1.0)
        away: Floats = np.hypot(self.ax + share * ex - x, self.ay + share * ey - y)
        return away


class RoundObstacle(Struct, frozen=True):
    """A round obstacle: its middle and its radius (m)."""

    name: str
    x: float
    y: float
    radius: float
    thing: str = "obstacle"

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """On its edge; the point itself, inside."""
        dx, dy = x - self.x, y - self.y
        away = hypot(dx, dy)
        if away <= self.radius:
            return x, y
        return self.x + dx * self.radius / away, self.y + dy * self.radius / away

    def distances(self, x: Floats, y: Floats) -> Floats:
        """0 inside."""
        away: Floats = np.maximum(0.0, np.hypot(x - self.x, y - self.y) - self.radius)
        return away


class OwnShape(Struct, frozen=True):
    """A shape of somebody's own, of which only its distance is known."""

    name: str
    shape: Shape
    thing: str = "obstacle"

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """Where its distance falls fastest."""
        here = self.shape.distance(x, y)
        gx, gy = (self.shape.distance(x + TINY, y) - here) / TINY, (self.shape.distance(x, y + TINY) - here) / TINY
        size = hypot(gx, gy)
        return (x - here * gx / size, y - here * gy / size) if size else (x - here, y)

    def distances(self, x: Floats, y: Floats) -> Floats:
        """One by one."""
        return np.array([self.shape.distance(*point) for point in zip(x.tolist(), y.tolist(), strict=True)])


def standing(width: float, height: float, obstacles: Sequence[Shape], *, walled: bool) -> list[Standing]:
    """Walls and obstacles of a field (m); a polygon is all of its sides."""
    found: list[Standing] = []
    if walled:
        found += [Wall("the wall at x = 0 m", x=0.0), Wall(f"the wall at x = {width:g} m", x=width)]
        found += [Wall("the wall at y = 0 m", y=0.0), Wall(f"the wall at y = {height:g} m", y=height)]
    for number, shape in enumerate(obstacles, 1):
        name = f"obstacle {number}"
        if isinstance(shape, Circle):
            found.append(RoundObstacle(name, shape.x, shape.y, shape.radius))
        elif isinstance(shape, Polygon | Segment):
            sides = shape.sides() if isinstance(shape, Polygon) else [shape]
            found += [Side(name, side.ax, side.ay, side.bx, side.by) for side in sides]
        else:
            found.append(OwnShape(name, shape))
    return found


class BodyWay:
    """The legs of a body, also in arrays: roughly where it is at many times.

    Args:
        legs: one after the other, of which there is one at least
        radius: of the body (m)

    Attributes:
        starts: of the legs (s)
        fastest: bounds of its speed (m/s)
        bow: how far each leg is from a straight line at most (m)
        carried: whether the body touches nothing meanwhile
        box: the smallest upright one round all places of its middle: x_min, y_min, x_max, y_max (m)
    """

    def __init__(self, legs: Sequence[BodyLeg], radius: float) -> None:
        self.legs = list(legs)
        self.radius = radius
        self.end = legs[-1].end
        self.starts = np.array([leg.start for leg in legs])
        self.fastest = np.array([leg.fastest for leg in legs])
        self.carried = np.array([leg.carried for leg in legs])
        lasts = np.array([leg.end - leg.start for leg in legs])
        self.bow = np.minimum(
            np.array([leg.change for leg in legs]) * lasts * lasts / 8.0,
            self.fastest * lasts * np.array([leg.bent is not None for leg in legs]),
        )
        self._x = np.array([leg.x for leg in legs])
        self._y = np.array([leg.y for leg in legs])
        chords = np.array([_chord(leg) for leg in legs])
        self._vx, self._vy = chords[:, 0], chords[:, 1]
        x, y = (np.stack((at, at + v * lasts)) for at, v in ((self._x, self._vx), (self._y, self._vy)))
        reach = float(self.bow.max())
        self.box = float(x.min()) - reach, float(y.min()) - reach, float(x.max()) + reach, float(y.max()) + reach

    def gap(self, other: BodyWay) -> float:
        """What the clearance to another body is at least, whatever the time (m)."""
        (left, low, right, high), (its_left, its_low, its_right, its_high) = self.box, other.box
        beside, above = max(0.0, its_left - right, left - its_right), max(0.0, its_low - high, low - its_high)
        return hypot(beside, above) - self.radius - other.radius

    def at(self, times: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.int_]]:
        """The numbers of the legs on which the body is from these times on (s)."""
        return np.searchsorted(self.starts, times, side="right") - 1

    def about(self, legs: np.ndarray[tuple[int, ...], np.dtype[np.int_]], times: Floats) -> tuple[Floats, Floats]:
        """Where it is at times on these legs (m), but for their bow."""
        since = times - self.starts[legs]
        return self._x[legs] + self._vx[legs] * since, self._y[legs] + self._vy[legs] * since


def _chord(leg: BodyLeg) -> tuple[float, float]:
    """Mean velocity on a leg (m/s)."""
    lasts = leg.end - leg.start
    if leg.bent is None or lasts <= 0.0:
        return leg.vx, leg.vy
    x, y = leg.place(leg.end)
    return (x - leg.x) / lasts, (y - leg.y) / lasts
