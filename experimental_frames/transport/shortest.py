"""The shortest path of a round body among obstacles, to hold what robots have found against."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from math import cos, dist, hypot, pi, sin, tau

from devs_robotics.models.environment import Circle, Field, Polygon
from devs_robotics.models.environment.shapes import Point

ROUND = 16
"""Number of points about each corner: the path turns there on a polygon about the body's arc, which is at most 2 %
longer."""

GRAZE = 1e-6
"""By how much a body may come nearer to an obstacle than its radius (m)."""


def shortest_path(field: Field, start: Point, end: Point, radius: float) -> tuple[Point, ...]:
    """The shortest path of a disc from place to place; empty where there is none.

    It goes along chords between points about the corners of obstacles (a visibility graph, searched by A*, whose chords
    are looked at only when they would be taken).

    Args:
        field: with its walls and obstacles
        start, end: the places (m)
        radius: of the disc (m)
    """
    places = [end, *(place for place in _corners(field, radius) if _is_free(field, place, place, radius)), start]
    first = len(places) - 1
    lengths: dict[int, float] = {}
    before: dict[int, int] = {}
    queue = [(dist(start, end), 0.0, first, first)]
    while queue:
        _, way, at, came = heappop(queue)
        if at in lengths or not (at == came or _is_free(field, places[came], places[at], radius)):
            continue
        lengths[at], before[at] = way, came
        if at == 0:
            break
        for other, place in enumerate(places):
            if other not in lengths:
                there = way + dist(places[at], place)
                heappush(queue, (there + dist(place, end), there, other, at))
    if 0 not in lengths:
        return ()
    path, at = [places[0]], 0
    while at != first:
        at = before[at]
        path.append(places[at])
    return tuple(reversed(path))


def _corners(field: Field, radius: float) -> Iterator[Point]:
    """Places about the corners of obstacles where a body can turn."""
    for obstacle in field.obstacles:
        corners: tuple[Point, ...] = ()
        reach = radius
        if isinstance(obstacle, Polygon):
            corners = obstacle.corners
        elif isinstance(obstacle, Circle):
            corners, reach = ((obstacle.x, obstacle.y),), radius + obstacle.radius
        reach = (reach + GRAZE) / cos(pi / ROUND)
        for x, y in corners:
            for number in range(ROUND):
                angle = tau * number / ROUND
                yield x + reach * cos(angle), y + reach * sin(angle)


def _is_free(field: Field, start: Point, end: Point, radius: float) -> bool:
    """Whether a disc can go straight from place to place."""
    if field.walled:
        for x, y in (start, end):
            if min(x, y, field.width - x, field.height - y) < radius:
                return False
    middle, half = ((start[0] + end[0]) / 2.0, (start[1] + end[1]) / 2.0), dist(start, end) / 2.0
    for obstacle in field.obstacles:
        x_min, y_min, x_max, y_max = obstacle.bounds()
        off_x, off_y = max(x_min - middle[0], middle[0] - x_max, 0.0), max(y_min - middle[1], middle[1] - y_max, 0.0)
        if hypot(off_x, off_y) < half + radius and obstacle.distance_from_segment(*start, *end) < radius - GRAZE:
            return False
    return True
