"""Sharing: two robots with paths take, between each two crossings, the shorter piece (Pansuriya 2023, Algorithm 7).

Pure functions; metres.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import dist
from typing import NamedTuple

from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.path import SAME, Waypoints, along, crossings, length, lengths_to

GAIN = 1e-6
"""A path that is shorter by less than this is no shorter one (m)."""

KEPT = 128
"""So many results are kept: both robots of an exchange compute the same, and most paths have been seen before."""

Piece = tuple[float, int, int, float, float]
"""What it counts as (m), whose it is (0 or 1), the crossing where it ends, and from where to where it is (m)."""


class Tolls(NamedTuple):
    """The price of company: paths count as longer where robots came upon others.

    Attributes:
        each: for each time (m)
        own, other: where that was, on either path (m)
    """

    each: float = 0.0
    own: Waypoints = ()
    other: Waypoints = ()


FREE = Tolls()
"""Company costs nothing."""


def shared(own: Waypoints, other: Waypoints, tolls: Tolls = FREE) -> Waypoints:
    """What a path becomes when it is shared with another one that has the same ends.

    Loops are left out. Both are cut at all crossings, and of what goes on from each crossing the shorter is taken.
    Where crossings come in another order on the other path, it is the shortest way along pieces of both, each in its
    direction: so both robots end with paths of the same length, and none is longer than before. Where company has a
    price, this holds for what paths count as.
    """
    (one, mine), (two, its) = sorted(((without_loops(own), tolls.own), (without_loops(other), tolls.other)))
    best, counts = _shortest(one, two, tolls.each, mine, its)
    return best if counts < length(own) + tolls.each * len(tolls.own) - GAIN else own


@lru_cache(KEPT)
def without_loops(path: Waypoints) -> Waypoints:
    """A path without what lies between two visits of one place: a robot that explores comes where it has been."""
    loops = [(each.on_one, -each.on_other) for each in crossings(path, path) if each.on_other > each.on_one + SAME]
    if not loops:
        return path
    points: list[Point] = [path[0]]
    way = 0.0
    for begin, end in sorted(loops):
        if begin >= way - SAME:
            points += _cut(path, way, max(way, begin))
            way = -end
    return (*_without_doubles([*points, *_cut(path, way, length(path))])[:-1], path[-1])


@lru_cache(KEPT)
def _shortest(
    one: Waypoints, two: Waypoints, toll: float, met_on_one: Waypoints, met_on_two: Waypoints
) -> tuple[Waypoints, float]:
    """The shortest way from end to end along pieces of two paths, and what it counts as (m)."""
    met = crossings(one, two)
    ends = length(one), length(two)
    start = next((k for k, each in enumerate(met) if max(each.on_one, each.on_other) <= SAME), None)
    goal = next((k for k, each in enumerate(met) if min(each.on_one - ends[0], each.on_other - ends[1]) >= -SAME), None)
    if start is None or goal is None:
        raise ValueError("paths that are shared have the same ends: those of the source and the destination")
    tolls = [_ways_to(path, places) if toll else [] for path, places in ((one, met_on_one), (two, met_on_two))]
    onward = _pieces([(each.on_one, each.on_other) for each in met], toll, tolls)
    reached: dict[int, float] = {start: 0.0}
    came: dict[int, tuple[int, Piece]] = {}
    queue = [(0.0, start)]
    while queue:
        way, at = heappop(queue)
        if at == goal:
            break
        if way > reached[at]:
            continue
        for piece in onward[at]:
            there = way + piece[0]
            if there < reached.get(piece[2], float("inf")):
                reached[piece[2]] = there
                came[piece[2]] = at, piece
                heappush(queue, (there, piece[2]))
    taken: list[Piece] = []
    at = goal
    while at != start:
        at, piece = came[at]
        taken.append(piece)
    points: list[Point] = [one[0]]
    for _, whose, _, begin, end in reversed(taken):
        points += _cut(two if whose else one, begin, end)
    return (*_without_doubles(points)[:-1], one[-1]), reached[goal]


def _ways_to(path: Waypoints, places: Waypoints) -> list[float]:
    """How long a path is up to where it is nearest to each of some places (m), ascending."""
    to = lengths_to(path)
    return sorted(min(along(path, to, place))[1] for place in places)


def _pieces(met: list[tuple[float, float]], toll: float, tolls: list[list[float]]) -> list[list[Piece]]:
    """The pieces that begin at each crossing.

    Args:
        met: how long either path is up to each crossing (m)
        toll: what a piece counts as in addition for each place on it (m)
        tolls: how long either path is up to these places (m)
    """
    onward: list[list[Piece]] = [[] for _ in met]
    for whose in (0, 1):
        order = sorted(range(len(met)), key=lambda k: (met[k][whose], met[k][1 - whose]))
        for at, there in pairwise(order):
            begin, end = met[at][whose], met[there][whose]
            count = bisect_left(tolls[whose], end) - bisect_left(tolls[whose], begin) if toll else 0
            onward[at].append((end - begin + toll * count, whose, there, begin, end))
            if end - begin <= SAME:  # one place, which the other path passes twice
                onward[there].append((end - begin, whose, at, begin, end))
    return onward


def _cut(path: Waypoints, begin: float, end: float) -> list[Point]:
    """The points of a path between two distances from its beginning (m), with the places there."""
    to = lengths_to(path)
    inner = [point for point, way in zip(path, to, strict=True) if begin < way < end]
    return [_at(path, to, begin), *inner, _at(path, to, end)]


def _at(path: Waypoints, to: list[float], way: float) -> Point:
    """The place at a distance from the beginning of a path (m)."""
    for index in range(len(path) - 1):
        if way <= to[index + 1] and to[index + 1] > to[index]:
            share = max(0.0, (way - to[index]) / (to[index + 1] - to[index]))
            if share == 0.0 or share == 1.0:
                return path[index + int(share)]
            (ax, ay), (bx, by) = path[index], path[index + 1]
            return ax + share * (bx - ax), ay + share * (by - ay)
    return path[-1]


def _without_doubles(points: list[Point]) -> list[Point]:
    kept = points[:1]
    for point in points[1:]:
        if dist(point, kept[-1]) > SAME:
            kept.append(point)
    return kept if len(kept) > 1 else [points[0], points[-1]]
