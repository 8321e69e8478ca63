"""Where the vertical lines of nets stand in a channel between two columns, so that they stay apart and cross seldom."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec import Struct

GRID = 10
"""All places where nets come into a channel are multiples of this, so that lines are straight or clearly bent (px)."""


class Trunk(Struct, eq=False):
    """The vertical line of a net in a channel, or one of two where one alone would lie on another net.

    Attributes:
        net: the net's number
        left: where lines come to it from the left, from top to bottom (px)
        right: where lines come to it from the right, from top to bottom (px)
        twin: the net's other vertical line
        bridge: where it is connected to the twin: in `right` here and in `left` there, or the other way round (px)
        slot: its place in the channel, from 0 on, from left to right
        x: where that is, for the caller (px)
        top: its upper end (px)
        bottom: its lower end (px)
    """

    net: int
    left: list[int]
    right: list[int]
    twin: Trunk | None = None
    bridge: int | None = None
    slot: int = 0
    x: int = 0
    top: int = 0
    bottom: int = 0

    def __post_init__(self) -> None:
        self.top, self.bottom = min(self.left + self.right), max(self.left + self.right)


def crossings(first: Trunk, second: Trunk) -> int:
    """How often two nets cross when the vertical line of the first is left of that of the second."""
    if first.bottom < second.top or second.bottom < first.top:
        return 0
    return _between(first.right, second.top, second.bottom) + _between(second.left, first.top, first.bottom)


def _between(heights: Sequence[int], top: int, bottom: int) -> int:
    return bisect_right(heights, bottom) - bisect_left(heights, top)


def arranged(nets: Sequence[Trunk]) -> list[Trunk]:
    """Give the nets of a channel their slots; a straight net needs none and is left out."""
    ordered = _ordered(_without_cycles([net for net in nets if net.top < net.bottom]))
    for number, trunk in enumerate(ordered):
        before = [
            other.slot
            for other in ordered[:number]
            if _must_precede(other, trunk) or (other.top <= trunk.bottom and trunk.top <= other.bottom)
        ]
        trunk.slot = max(before, default=-1) + 1
    return ordered


def _must_precede(first: Trunk, second: Trunk) -> bool:
    """Whether lines of both would lie on one another if the first were not left of the second."""
    return first.net != second.net and not set(first.left).isdisjoint(second.right)


def _without_cycles(trunks: list[Trunk]) -> list[Trunk]:
    """Split trunks until an order exists in which no lines lie on one another."""
    before = {id(trunk): [other for other in trunks if _must_precede(other, trunk)] for trunk in trunks}
    waiting = list(trunks)
    settled: set[int] = set()
    result: list[Trunk] = []
    bridges: set[int] = set()
    while waiting:
        ready = [trunk for trunk in waiting if all(id(other) in settled for other in before[id(trunk)])]
        if ready:
            result += ready
        else:
            ready = [_in_a_cycle(waiting[0], before, settled)]
            result += _split(ready[0], bridges)
        settled.update(map(id, ready))
        waiting = [trunk for trunk in waiting if id(trunk) not in settled]
    return result


def _in_a_cycle(trunk: Trunk, before: dict[int, list[Trunk]], settled: set[int]) -> Trunk:
    seen: set[int] = set()
    while id(trunk) not in seen:
        seen.add(id(trunk))
        trunk = next(other for other in before[id(trunk)] if id(other) not in settled)
    return trunk


def _split(trunk: Trunk, bridges: set[int]) -> tuple[Trunk, Trunk]:
    """Two trunks in place of one, the first for what comes from the left, with a bridge at a height of its own."""
    bridge = (trunk.top + trunk.bottom) // (2 * GRID) * GRID + GRID // 2
    while bridge in bridges:
        bridge += GRID
    bridges.add(bridge)
    first = Trunk(trunk.net, trunk.left, [bridge], bridge=bridge)
    second = Trunk(trunk.net, [bridge], trunk.right, twin=first, bridge=bridge)
    first.twin = second
    return first, second


def _ordered(trunks: list[Trunk]) -> list[Trunk]:
    """From left to right: what must precede first, and of that what crosses fewest of the others."""
    gains = [[crossings(one, other) - crossings(other, one) for other in trunks] for one in trunks]
    scores = [sum(row) for row in gains]
    blockers = [sum(_must_precede(other, trunk) for other in trunks) for trunk in trunks]
    remaining = list(range(len(trunks)))
    order: list[Trunk] = []
    while remaining:
        best = min((number for number in remaining if blockers[number] == 0), key=lambda number: scores[number])
        remaining.remove(best)
        order.append(trunks[best])
        for number in remaining:
            scores[number] -= gains[number][best]
            blockers[number] -= _must_precede(trunks[best], trunks[number])
    return order
