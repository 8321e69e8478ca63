"""How high everything in a column stands, once its order is known."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from devs_robotics.drawing.arrangement import Arrangement, Item, Net
from devs_robotics.drawing.channels import GRID

_ROUNDS = 8
"""Number of passes over all columns, there and back."""

_STRIPE = 30
"""Height of an empty stripe right across the picture (px), above which it is made so high."""


def place(arrangement: Arrangement, top: int) -> None:
    """Place everything, without changing its order, from `top` on, so that many lines are straight."""
    for _ in range(_ROUNDS):
        for column in (*arrangement.columns, *reversed(arrangement.columns)):
            place_column(column, [arrangement.wishes((*item.left, *item.right)) for item in column])
    for net in arrangement.nets:
        _straighten(arrangement, net)
    _close_up([item for column in arrangement.columns for item in column], top)


def _close_up(items: Sequence[Item], top: int) -> None:
    """Move everything up to `top`, and what is below an empty stripe across the picture close to what is above."""
    ordered = sorted(items, key=lambda item: item.y - item.above)
    up, bottom = ordered[0].y - ordered[0].above - top, top
    for item in ordered:
        up += max(0, item.y - item.above - up - bottom - _STRIPE)
        item.y -= up
        bottom = max(bottom, item.y + item.height)


def place_column(column: Sequence[Item], wishes: Sequence[Sequence[int]]) -> None:
    """Place items, without changing their order, where the sum of the distances from all wishes is smallest.

    An item without a wish stays close to the one above it. The method is isotonic regression with medians: neighbours
    whose wishes are in the wrong order are pooled.
    """
    below = 0  # how far below the first item's top an item stands at least
    pools: list[tuple[list[int], list[tuple[Item, int]]]] = []
    for number, item in enumerate(column):
        if number:
            below += column[number - 1].height + gap(column[number - 1], item)
        pool = (sorted(wish - below for wish in wishes[number]), [(item, below)])
        while pools and (not pool[0] or not pools[-1][0] or _median(pools[-1][0]) > _median(pool[0])):
            before = pools.pop()
            pool = (sorted(before[0] + pool[0]), before[1] + pool[1])
        pools.append(pool)
    for values, members in pools:
        first = _median(values or [0])
        for item, distance in members:
            item.y = first + distance


def _median(values: Sequence[int]) -> int:
    return values[(len(values) - 1) // 2]


def gap(upper: Item, lower: Item) -> int:
    """Room between two neighbours in a column (px)."""
    if upper.kind == lower.kind == "pass":
        return GRID
    if upper.kind == lower.kind == "box":
        return 3 * GRID + lower.above
    return 2 * GRID + lower.above


def _straighten(arrangement: Arrangement, net: Net) -> None:
    """Let a net pass as many columns as possible at one height, at that of a terminal if there is room."""
    run: list[Item] = []
    low, high = -inf, inf
    for item in (
        pin.item for pins in net.values() for pin in pins if pin.item.kind == "pass" and pin in pin.item.right
    ):
        lowest, highest = _room(arrangement.columns[item.column], item)
        if max(low, lowest) > min(high, highest):
            _level(run, low, high, net)
            run, low, high = [], -inf, inf
        run.append(item)
        low, high = max(low, lowest), min(high, highest)
    _level(run, low, high, net)


def _room(column: Sequence[Item], item: Item) -> tuple[float, float]:
    """Between which heights an item can stand while the others stay where they are."""
    number = column.index(item)
    low, high = -inf, inf
    if number > 0:
        above = column[number - 1]
        low = above.y + above.height + gap(above, item)
    if number + 1 < len(column):
        below = column[number + 1]
        high = below.y - gap(item, below) - item.height
    return low, high


def _level(run: Sequence[Item], low: float, high: float, net: Net) -> None:
    """Put places to pass at one height between two others, as near as possible to one of the net's next pins."""
    if not run:
        return
    ends = [pin.y for pin in (*net[run[0].column - 1], *net[run[-1].column]) if pin.item not in run]
    heights = [(min(max(y, low), high), y) for y in ends or [run[0].y]]
    height, _ = min(heights, key=lambda pair: abs(pair[0] - pair[1]))
    for item in run:
        item.y = round(height)
