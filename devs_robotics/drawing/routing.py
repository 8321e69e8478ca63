"""The lines of nets, once it is known where boxes, terminals and vertical lines stand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf

from msgspec import Struct

from devs_robotics.drawing.arrangement import Arrangement, Pin
from devs_robotics.drawing.channels import Trunk

Point = tuple[int, int]
"""(x, y) (px)."""

WirePath = list[Point]
"""Its corners."""


class NetRoute(Struct, eq=False):
    """How one net is drawn.

    Attributes:
        lines: the corners of each line
        dots: where its lines branch off from one another
    """

    lines: list[WirePath] = []
    dots: list[Point] = []


def routes(arrangement: Arrangement, channels: Sequence[Sequence[Trunk]]) -> list[NetRoute]:
    """The lines of all nets, whose items and trunks (by channel) stand at their places."""
    found = []
    for number, net in enumerate(arrangement.nets):
        route = NetRoute()
        for channel, pins in net.items():
            trunks = [trunk for trunk in channels[channel] if trunk.net == number]
            for trunk in trunks:
                _add_trunk(route, trunk, pins)
            if not trunks:
                xs = [_x(pin) for pin in pins]
                route.lines.append([(min(xs), pins[0].y), (max(xs), pins[0].y)])
            for pin in pins:
                if pin.item.kind == "pass" and _looks_right(pin):
                    route.lines.append([(pin.item.x, pin.y), (_x(pin), pin.y)])
        found.append(route)
    return found


def _looks_right(pin: Pin) -> bool:
    return pin.channel == pin.item.column


def _x(pin: Pin) -> int:
    return pin.item.x + pin.item.width if _looks_right(pin) else pin.item.x


def _add_trunk(route: NetRoute, trunk: Trunk, pins: Sequence[Pin]) -> None:
    """A vertical line with the lines that lead to it; its two ends are bends, the others branches."""
    ends = [(pin.y, _x(pin)) for pin in pins if pin.y in (trunk.left if _looks_right(pin) else trunk.right)]
    if trunk.twin is not None and trunk.bridge is not None:
        ends.append((trunk.bridge, trunk.twin.x if trunk.bridge in trunk.right else trunk.x))
    ends.sort()
    (top, first), *between, (bottom, last) = ends
    route.lines.append([(first, top), (trunk.x, top), (trunk.x, bottom), (last, bottom)])
    for y, x in between:
        route.lines.append([(trunk.x, y), (x, y)])
        route.dots.append((trunk.x, y))


def crossings(routes: Sequence[NetRoute], length: int) -> list[list[WirePath]]:
    """For each route those pieces of it, `length` long each way, that cross routes before it.

    Where two routes meet to end at one terminal, they do not cross.
    """
    upright = sorted(
        (x, min(y, end), max(y, end), number)
        for number, route in enumerate(routes)
        for (x, y), (other, end) in _pieces(route)
        if x == other and y != end
    )
    dots = [set(route.dots) for route in routes]
    found: list[list[WirePath]] = [[] for _ in routes]
    for number, route in enumerate(routes):
        for (x, y), (end, other) in _pieces(route):
            left, right = sorted((x, end))
            between = slice(bisect_right(upright, (left, inf)), bisect_left(upright, (right,)))
            for at, top, bottom, net in upright[between] if y == other else ():
                if net == number or not top < y < bottom or (at, y) in dots[net]:
                    continue
                if net < number:
                    found[number].append([(at - length, y), (at + length, y)])
                else:
                    found[net].append([(at, y - length), (at, y + length)])
    return found


def _pieces(route: NetRoute) -> Iterator[tuple[Point, Point]]:
    for line in route.lines:
        yield from pairwise(line)
