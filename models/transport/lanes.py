"""Lanes: where a robot goes that keeps to the right of its path, and how it follows others there.

Pure functions; metres.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist, hypot, inf

from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.path import Waypoints, lengths_to

HAIRPIN = 0.5
"""Where two unit vectors along a path add to less than that, it turns back, and no lane goes round."""

OFF = 0.15
"""A way that leaves a straight line by more than this does not go straight on (m)."""

AHEAD = 4
"""So many points of a way are looked at to see where it goes straight on."""

LEAST = 0.05
"""Who can go on by less than this waits (m)."""


def lane_line(path: Waypoints, direction: int, lane: float, ends: float = inf) -> Waypoints:
    """The points of a path as a robot goes by them that keeps to the right.

    Args:
        path: from the source to the destination
        direction: 1 towards the destination, -1 towards the source
        lane: how far to the right (m)
        ends: it does so where the path is not longer than this up to its nearer end (m); infinite: everywhere
    """
    if not lane:
        return path
    if ends == inf:
        return tuple(_right_of(path, index, direction * lane) for index in range(len(path)))
    to = lengths_to(path)
    return tuple(
        _right_of(path, index, direction * lane) if min(way, to[-1] - way) <= ends else path[index]
        for index, way in enumerate(to)
    )


def _right_of(path: Waypoints, index: int, offset: float) -> Point:
    """A place beside a point of a path: to the right of the way to the destination, or, if negative, to the left."""
    x, y = path[index]
    before, after = path[max(0, index - 1)], path[min(len(path) - 1, index + 1)]
    (ax, ay), (bx, by) = _unit(before, path[index]), _unit(path[index], after)
    along_x, along_y = ax + bx, ay + by
    size = hypot(along_x, along_y)
    if size < HAIRPIN:
        return x, y
    scale = offset / size
    return x + scale * along_y, y - scale * along_x


def _unit(start: Point, end: Point) -> Point:
    size = dist(start, end)
    return ((end[0] - start[0]) / size, (end[1] - start[1]) / size) if size else (0.0, 0.0)


def straight_run(here: Point, ahead: Sequence[Point]) -> float:
    """How far a way through the next points goes straight on (m): up to the first one that is off its first line.

    Args:
        here: where it begins
        ahead: the points that follow; the first one gives the line
    """
    run = dist(here, ahead[0])
    if not run:
        return 0.0
    ux, uy = (ahead[0][0] - here[0]) / run, (ahead[0][1] - here[1]) / run
    for before, after in pairwise(ahead[:AHEAD]):
        dx, dy = after[0] - here[0], after[1] - here[1]
        along = dx * ux + dy * uy
        if abs(dx * uy - dy * ux) > OFF or along <= run:
            break
        run += dist(before, after)
    return run


def hop(free: float, needs: float, run: float, gap: float) -> float:
    """How far a robot in a lane goes now (m); 0: it waits.

    It goes to its next point, or less far, so that it stays behind who is ahead of it. What it sees beyond where its
    way goes straight on is not ahead of it.

    Args:
        free: how far it could go straight before it touches something
        needs: how far it is to its next point
        run: how far its way goes straight on
        gap: that it leaves to who is ahead
    """
    far = needs if free >= run else min(needs, free - gap)
    return far if far >= min(LEAST, needs) else 0.0
