"""The nearest thing in each sector about several bodies: what rings of range sensors with wide views see."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf, pi
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.motion.trajectory import Pose
from devs_robotics.models.environment.shapes import Circle
from devs_robotics.models.environment.world import World

Floats = NDArray[np.float64]

WALLS = np.array((0.0, pi / 2.0, pi, -pi / 2.0))
"""Directions of the walls at x = width, y = height, x = 0, y = 0 (rad)."""

TINY = 1e-300
"""In place of a distance of 0 (m)."""

NOT_LESS = pi / 2.0 * (1.0 + 1e-9)
"""A right angle (rad), whatever is rounded."""

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
        self._places: list[Pose] = []
        """Where all bodies are."""
        self._of: tuple[float, int] = (-1.0, -1)
        """Time, and number of jumps until then, for which that was found."""

    def view(self, body: int) -> tuple[list[float], Pose]:
        """From the middle of a body to the nearest thing in each sector (m; infinite: none in reach); and its pose."""
        field = self.field
        state = field.now, field.surprises
        if state != self._of or body not in self._found:
            self._asking[body] = None
            asking = [each for each in self._asking if each not in field.bodies.gone]
            self._places = field.bodies.poses(field.now)
            rows = nearest_in_sectors(field, self._places, asking, self.ring).tolist()
            self._found, self._of = dict(zip(asking, rows, strict=True)), state
        return self._found[body], self._places[body]


_views: WeakKeyDictionary[World, dict[SectorRing, SectorViews]] = WeakKeyDictionary()


def views_of(world: World, ring: SectorRing) -> SectorViews:
    """Those of a world; one object for all bodies with such rings."""
    known = _views.get(world)
    if known is None:
        known = _views[world] = {}
    views = known.get(ring)
    if views is None:
        views = known[ring] = SectorViews(world.field, ring)
    return views


def nearest_in_sectors(field: Field, places: Sequence[Pose], asking: Sequence[int], ring: SectorRing) -> Floats:
    """From the middle of each body to the nearest thing in each of its sectors (m): a row each.

    Bodies are seen, those that are carried, too, and walls; of obstacles, those that are round. What is beyond the
    reach counts as nothing, infinite.

    Args:
        field: of the bodies
        places: where all of these are
        asking: who looks
        ring: of all of them
    """
    own = np.array([places[body] for body in asking])
    who, way, towards, size = _near(field, places, asking, own, ring.reach)
    things = len(who)
    widest = size / np.maximum(way, TINY)
    if field.walled:  # all directions at once, those of the walls last
        whose, walls = _walls(len(asking))
        x, y = own[:, 0], own[:, 1]
        to_walls = np.array((field.width - x, field.height - y, x, y)).T.ravel()
        who, way, towards = (
            np.concatenate((who, whose)),
            np.concatenate((way, to_walls)),
            np.concatenate((towards, walls)),
        )
        widest = np.concatenate((widest, np.sqrt(np.maximum(0.0, 1.0 - to_walls / ring.reach))))
    off = (own[:, 2, None] + np.arange(ring.sensors) * (2.0 * pi / ring.sensors))[who] - towards[:, None]
    off -= 2.0 * pi * np.rint(off / (2.0 * pi))
    np.abs(off, out=off)
    off -= ring.half_view
    np.maximum(0.0, off, out=off)
    # a disc is seen where sin off < size / way, a wall where cos off >= way / reach: nowhere else, as the sine is at
    # least 2 off / pi, and the cosine at most 1 - (2 off / pi)^2
    rows, sensors = np.nonzero(off <= (widest * NOT_LESS)[:, None])
    off, way = off[rows, sensors], way[rows]
    seen = np.cos(off)
    first = int(np.searchsorted(rows, things))  # of those that see walls
    near, size = way[:first], size[rows[:first]]
    aside = near * np.sin(off[:first])
    inside = size * size - aside * aside
    np.divide(way[first:], seen[first:], out=seen[first:])
    seen[:first] = near * seen[:first] - np.sqrt(np.maximum(0.0, inside))
    seen[:first][inside <= 0.0] = inf
    seen[off >= SIDEWAYS] = inf
    nearest = np.full(len(asking) * ring.sensors, inf)
    np.minimum.at(nearest, who[rows] * ring.sensors + sensors, seen)
    nearest[nearest > ring.reach] = inf
    return nearest.reshape(len(asking), ring.sensors)


@lru_cache(maxsize=16)
def _walls(count: int) -> tuple[NDArray[np.int64], Floats]:
    """Who looks at walls, of so many, and in which directions these are (rad)."""
    return np.repeat(np.arange(count), len(WALLS)), np.tile(WALLS, count)


def _near(
    field: Field, places: Sequence[Pose], asking: Sequence[int], own: Floats, reach: float
) -> tuple[NDArray[np.int64], Floats, Floats, Floats]:
    """The round things in reach, row by row: who may see each, how far away it is (m), where (rad), its size (m)."""
    x, y, size = [place[0] for place in places], [place[1] for place in places], list(field.radius)
    for shape in field.obstacles:
        if isinstance(shape, Circle):
            x.append(shape.x)
            y.append(shape.y)
            size.append(shape.radius)
    dx, dy, sizes = np.array(x) - own[:, 0, None], np.array(y) - own[:, 1, None], np.array(size)
    way = np.hypot(dx, dy)
    near = way - sizes <= reach  # never of those that have left: nowhere is no number
    near[np.arange(len(asking)), list(asking)] = False
    who, what = np.nonzero(near)
    return who, way[who, what], np.arctan2(dy[who, what], dx[who, what]), sizes[what]
