"""Paths as points from the source to the destination: their lengths, where two cross, and what is nearest on one.

Pure functions; metres. A path has at least two points, and the way between two points that follow is straight.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import ceil, dist, hypot
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from devs_robotics.models.environment.shapes import Point

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

Waypoints = tuple[Point, ...]

SAME = 1e-7
"""Two places on a path that are not further apart are one (m)."""


def length(path: Sequence[Point]) -> float:
    """Of a path (m)."""
    return sum(dist(one, next_one) for one, next_one in pairwise(path))


def lengths_to(path: Sequence[Point]) -> list[float]:
    """How long the path is up to each of its points (m)."""
    return [0.0, *accumulate(dist(one, next_one) for one, next_one in pairwise(path))]


def nearest_index(path: Sequence[Point], place: Point) -> int:
    """Of the point of a path that is nearest to a place; of several, the first."""
    return min(range(len(path)), key=lambda index: dist(path[index], place))


def along(path: Waypoints, to: Sequence[float], place: Point) -> list[tuple[float, float]]:
    """For each straight way of a path: how far a place is off it, and how long the path is up to the foot (m)."""
    found = []
    for index in range(len(path) - 1):
        (ax, ay), (bx, by) = path[index], path[index + 1]
        ex, ey = bx - ax, by - ay
        square = ex * ex + ey * ey
        share = min(1.0, max(0.0, ((place[0] - ax) * ex + (place[1] - ay) * ey) / square)) if square else 0.0
        found.append((hypot(ax + share * ex - place[0], ay + share * ey - place[1]), to[index] + share * square**0.5))
    return found


def between(start: Point, end: Point, spacing: float) -> Waypoints:
    """Points on the chord between two points, without these, at equal distances of at most `spacing` (m)."""
    pieces = max(1, ceil(dist(start, end) / spacing - 1e-9))
    steps = (number / pieces for number in range(1, pieces))
    return tuple((start[0] + s * (end[0] - start[0]), start[1] + s * (end[1] - start[1])) for s in steps)


def digest(path: Sequence[Point]) -> int:
    """A number that tells two paths apart, of 32 bits: equal for paths that are equal to a millimetre."""
    return crc32(repr([(round(x, 3), round(y, 3)) for x, y in path]).encode())


class Crossing(NamedTuple):
    """A place that two paths have in common: how long either is up to there (m), and where it is."""

    on_one: float
    on_other: float
    place: Point


def crossings(one: Waypoints, other: Waypoints) -> list[Crossing]:
    """All places where two paths cross or touch, and the ends of stretches that they share, in the order of `one`.

    Their ends count, where both have them: source and destination.
    """
    found = list(_crossings(one, other))
    found.sort()
    kept: list[Crossing] = []
    for each in found:
        alike = (
            abs(each.on_one - before.on_one) <= SAME and abs(each.on_other - before.on_other) <= SAME
            for before in reversed(kept[-8:])
        )
        if not any(alike):
            kept.append(each)
    return kept


def _crossings(one: Waypoints, other: Waypoints) -> list[Crossing]:
    import numpy as np

    mine, its = np.array(one), np.array(other)
    start, way = mine[:-1, None, :], (mine[1:] - mine[:-1])[:, None, :]
    its_start, its_way = its[None, :-1, :], (its[1:] - its[:-1])[None, :, :]
    apart = its_start - start
    turn = _cross(way, its_way)
    size = np.hypot(way[..., 0], way[..., 1])
    its_size = np.hypot(its_way[..., 0], its_way[..., 1])
    askew = np.abs(turn) > 1e-9 * size * its_size
    with np.errstate(divide="ignore", invalid="ignore"):
        along, its_along = _cross(apart, its_way) / turn, _cross(apart, way) / turn
        slack, its_slack = SAME / size, SAME / its_size
    meets = askew & (along >= -slack) & (along <= 1.0 + slack)
    meets &= (its_along >= -its_slack) & (its_along <= 1.0 + its_slack)
    to, its_to = lengths_to(one), lengths_to(other)
    found: list[Crossing] = []
    for i, j in np.argwhere(meets).tolist():
        share = min(1.0, max(0.0, float(along[i, j])))
        its_share = min(1.0, max(0.0, float(its_along[i, j])))
        place = one[i][0] + share * float(way[i, 0, 0]), one[i][1] + share * float(way[i, 0, 1])
        on_one = to[i] + share * float(size[i, 0])
        found.append(Crossing(on_one, its_to[j] + its_share * float(its_size[0, j]), place))
    beside = np.abs(_cross(apart, way)) <= 2.0 * SAME * size
    for i, j in np.argwhere(~askew & beside & (size > 0.0) & (its_size > 0.0)).tolist():
        found += _shared(one[i : i + 2], other[j : j + 2], to[i], its_to[j])
    return found


def _cross(a: NDArray[float64], b: NDArray[float64]) -> NDArray[float64]:
    product: NDArray[float64] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def _shared(one: Waypoints, other: Waypoints, to: float, its_to: float) -> list[Crossing]:
    """The ends of what two parallel straight ways share."""
    found = []
    for place in (*one, *other):
        on_one, on_other = _on(place, one), _on(place, other)
        if on_one is not None and on_other is not None:
            found.append(Crossing(to + on_one, its_to + on_other, place))
    return found


def _on(place: Point, way: Waypoints) -> float | None:
    """How far along a straight way a place is (m); None where it is beside it."""
    (ax, ay), (bx, by) = way
    size = dist(*way)
    ux, uy, dx, dy = (bx - ax) / size, (by - ay) / size, place[0] - ax, place[1] - ay
    along = dx * ux + dy * uy
    if abs(dx * uy - dy * ux) > SAME or not -SAME <= along <= size + SAME:
        return None
    return min(size, max(0.0, along))
