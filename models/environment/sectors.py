"""The nearest thing in each sector about several bodies: what rings of range sensors with wide views see."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, pi
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.shapes import Circle
from devs_robotics.models.environment.world import World

Floats = NDArray[np.float64]

WALLS = np.array((0.0, pi / 2.0, pi, -pi / 2.0))
"""Directions of the walls at x = width, y = height, x = 0, y = 0 (rad)."""

SIDEWAYS = pi / 2.0 - 1e-9
"""A direction further from a wall's than this does not lead to it (rad)."""


class SectorRing(Struct, frozen=True):
    """Equal sectors about a body, the first ahead, counter-clockwise.

    Attributes:
        sensors: how many
        half_view: half the angle of each (rad)
        reach: from the middle of the body (m)
    """

    sensors: int
    half_view: float
    reach: float


class SectorViews:
    """What bodies with such rings see at one instant: found for all of them at once when the first one asks.

    Args:
        field: of the bodies
        ring: of all of them
    """

    def __init__(self, field: Field, ring: SectorRing) -> None:
        self.field, self.ring = field, ring
        self._asking: dict[int, None] = {}
        self._found: dict[int, list[float]] = {}
        self._of: tuple[float, int] = (-1.0, -1)
        """Time, and number of jumps until then, for which that was found."""

    def view(self, body: int) -> list[float]:
        """From the middle of a body to the nearest thing in each sector (m); infinite where none is in reach."""
        state = self.field.now, self.field.surprises
        if state != self._of or body not in self._found:
            self._asking[body] = None
            asking = [each for each in self._asking if each not in self.field.bodies.gone]
            rows = nearest_in_sectors(self.field, asking, self.ring).tolist()
            self._found, self._of = dict(zip(asking, rows, strict=True)), state
        return self._found[body]


_views: WeakKeyDictionary[World, dict[SectorRing, SectorViews]] = WeakKeyDictionary()


def views_of(world: World, ring: SectorRing) -> SectorViews:
    """Those of a world; one object for all bodies with such rings."""
    known = _views.setdefault(world, {})
    if ring not in known:
        known[ring] = SectorViews(world.field, ring)
    return known[ring]


def nearest_in_sectors(field: Field, asking: Sequence[int], ring: SectorRing) -> Floats:
    """From the middle of each body to the nearest thing in each of its sectors (m): a row each.

    Bodies are seen, those that are carried, too, and walls; of obstacles, those that are round. What is beyond the
    reach counts as nothing, infinite.
    """
    bodies, now = field.bodies, field.now
    places = [
        bodies.pose(each, now) if bodies.row(each)[4:6] != (0.0, 0.0) else bodies.row(each)[1:4]
        for each in range(len(bodies))
    ]
    spots = [(*place[:2], size) for place, size in zip(places, field.radius, strict=True)]
    round_ones = [shape for shape in field.obstacles if isinstance(shape, Circle)]
    spots += [(shape.x, shape.y, shape.radius) for shape in round_ones]
    there = np.array(spots)
    own = np.array([places[body] for body in asking])
    bearings = own[:, 2, None] + np.arange(ring.sensors) * (2.0 * pi / ring.sensors)
    nearest = _walls(field, own, bearings, ring)
    dx, dy = there[None, :, 0] - own[:, 0, None], there[None, :, 1] - own[:, 1, None]
    way = np.hypot(dx, dy)
    near = way - there[None, :, 2] <= ring.reach  # never of those that have left: nowhere is no number
    near[np.arange(len(asking)), list(asking)] = False
    who, what = np.nonzero(near)
    if len(who):
        way, size = way[who, what], there[what, 2]
        off = _outside(bearings[who] - np.arctan2(dy[who, what], dx[who, what])[:, None], ring.half_view)
        aside = way[:, None] * np.sin(off)
        inside = (size * size)[:, None] - aside * aside
        hit = (inside > 0.0) & (off < SIDEWAYS)
        inside[~hit] = 0.0
        seen = np.where(hit, way[:, None] * np.cos(off) - np.sqrt(inside), inf)
        first = np.flatnonzero(np.r_[True, who[1:] != who[:-1]])
        rows = who[first]
        nearest[rows] = np.minimum(nearest[rows], np.minimum.reduceat(seen, first, axis=0))
    nearest[nearest > ring.reach] = inf
    return nearest


def _walls(field: Field, own: Floats, bearings: Floats, ring: SectorRing) -> Floats:
    if not field.walled:
        return np.full(bearings.shape, inf)
    x, y = own[:, 0], own[:, 1]
    ways = np.stack((field.width - x, field.height - y, x, y), axis=1)
    off = _outside(bearings[:, :, None] - WALLS, ring.half_view)
    seen: Floats = np.where(off < SIDEWAYS, ways[:, None, :] / np.cos(np.minimum(off, SIDEWAYS)), inf).min(axis=2)
    return seen


def _outside(angles: Floats, half: float) -> Floats:
    """By how much directions are outside of a sector about 0 (rad)."""
    found: Floats = np.maximum(0.0, np.abs(angles - 2.0 * pi * np.rint(angles / (2.0 * pi))) - half)
    return found
