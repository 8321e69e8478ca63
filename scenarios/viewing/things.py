"""Lamps and floors as marks, which every case study has without a line of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, cos, sin, tau

from devs_robotics.models.environment import Circle, Field, Floor, Lamp
from devs_robotics.models.environment.floor import FloorPattern, Line, Patch, Sectors, Stripes
from devs_robotics.view import scene
from devs_robotics.view.scene import Mark

LAMP = 0.03
"""Radius of a lamp in a picture (m)."""

WHITE = "#f0e442"
CELLS = 60
"""Number of cells along the longer side of a field in which a floor that is a picture is looked at."""

MOST_STRIPES = 500
"""That are drawn; more could not be told apart."""

Corners = Sequence[tuple[float, float]]


def lamps(field: Field) -> Iterator[tuple[str, Mark]]:
    """A disc for each lamp, in its colour; white ones in yellow, since paper is white."""
    for number, lamp in enumerate(field.things.of(Lamp), 1):
        parts = [min(max(part, 0.0), 1.0) for part in lamp.colour]
        colour = WHITE if min(parts) > 0.9 else "#" + "".join(f"{round(255 * part):02x}" for part in parts)
        yield f"lamp {number}", Mark(scene.Disc(lamp.x, lamp.y, LAMP), "lamp", colour, filled=True)


def floors(field: Field) -> Iterator[tuple[str, Mark]]:
    """The ground where there is a floor, and an area for each grey of it, in the order in which they lie on each other.

    A floor is seen as it is on pages of any colour, so its ground is there even where it is white.
    """
    number = 0
    if field.things.of(Floor):
        yield "floor 0", Mark(scene.Outline(_whole(field)), colour=_grey(1.0), filled=True)
    for floor in field.things.of(Floor):
        plain = () if floor.plain == 1.0 else ((scene.Outline(_whole(field)), floor.plain),)
        for shape, grey in (*plain, *(each for pattern in floor.patterns for each in _areas(pattern, field))):
            number += 1
            yield f"floor {number}", Mark(shape, colour=_grey(grey), filled=not isinstance(shape, scene.Polyline))


def _areas(pattern: FloorPattern, field: Field) -> Iterator[tuple[scene.Shape, float]]:
    """Shapes with their greys."""
    if isinstance(pattern, Patch):
        shape = pattern.shape
        if isinstance(shape, Circle):
            yield scene.Disc(shape.x, shape.y, shape.radius), pattern.level
        else:
            yield scene.Outline(tuple((float(x), float(y)) for x, y in shape.corners)), pattern.level
    elif isinstance(pattern, Line):
        points = (*pattern.points, pattern.points[0]) if pattern.closed else pattern.points
        yield scene.Polyline(points, pattern.width), pattern.level
    elif isinstance(pattern, Stripes):
        yield from _stripes(pattern, field)
    elif isinstance(pattern, Sectors):
        yield from _sectors(pattern, field)
    else:
        yield from _cells(pattern, field)


def _stripes(pattern: Stripes, field: Field) -> Iterator[tuple[scene.Shape, float]]:
    across = cos(pattern.heading), sin(pattern.heading)
    places = [((x - pattern.x) * across[0] + (y - pattern.y) * across[1]) / pattern.width for x, y in _whole(field)]
    first, last = int(min(places) // 1), ceil(max(places))
    for number in range(first, min(last, first + MOST_STRIPES)):
        corners = _whole(field)
        for end, sign in ((number, 1.0), (number + 1, -1.0)):
            x, y = pattern.x + end * pattern.width * across[0], pattern.y + end * pattern.width * across[1]
            corners = _cut(corners, x, y, sign * across[0], sign * across[1])
        if len(corners) > 2:
            yield scene.Outline(tuple(corners)), pattern.greys[number % len(pattern.greys)]


def _sectors(pattern: Sectors, field: Field) -> Iterator[tuple[scene.Shape, float]]:
    parts = max(1, ceil(4 / len(pattern.greys)))  # less than half a turn each, so that two cuts make one
    step = tau / (len(pattern.greys) * parts)
    for number in range(len(pattern.greys) * parts):
        begin, end = pattern.heading + number * step, pattern.heading + (number + 1) * step
        corners = _cut(_whole(field), pattern.x, pattern.y, -sin(begin), cos(begin))
        corners = _cut(corners, pattern.x, pattern.y, sin(end), -cos(end))
        if len(corners) > 2:
            yield scene.Outline(tuple(corners)), pattern.greys[number // parts]


def _cells(pattern: FloorPattern, field: Field) -> Iterator[tuple[scene.Shape, float]]:
    """Rows of equal cells, each as it is in its middle."""
    side = max(field.width, field.height) / CELLS
    columns, rows = ceil(field.width / side), ceil(field.height / side)
    for row in range(rows):
        y = (row + 0.5) * side
        greys = [pattern.grey((column + 0.5) * side, y) for column in range(columns)]
        begin = 0
        for end in range(1, columns + 1):
            if end == columns or greys[end] != greys[begin]:
                grey = greys[begin]
                if grey is not None:
                    yield scene.Outline(_box(begin * side, row * side, end * side, (row + 1) * side)), grey
                begin = end


def _whole(field: Field) -> tuple[tuple[float, float], ...]:
    return _box(0.0, 0.0, field.width, field.height)


def _box(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def _cut(corners: Corners, x: float, y: float, inward_x: float, inward_y: float) -> tuple[tuple[float, float], ...]:
    """What of a convex polygon lies on one side of the line through (x, y)."""
    found: list[tuple[float, float]] = []
    sides = [(px - x) * inward_x + (py - y) * inward_y for px, py in corners]
    for (px, py), here, (qx, qy), there in zip(
        corners, sides, (*corners[1:], *corners[:1]), (*sides[1:], *sides[:1]), strict=True
    ):
        if here >= 0.0:
            found.append((px, py))
        if here * there < 0.0:
            share = here / (here - there)
            found.append((px + share * (qx - px), py + share * (qy - py)))
    return tuple(found) if _area(found) > 1e-12 else ()


def _area(corners: Corners) -> float:
    pairs = zip(corners, (*corners[1:], *corners[:1]), strict=True)
    return abs(sum(px * qy - qx * py for (px, py), (qx, qy) in pairs)) / 2.0


def _grey(level: float) -> str:
    return "#" + 3 * f"{round(255 * min(max(level, 0.0), 1.0)):02x}"
