"""In which order everything in a column stands, so that lines cross seldom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from devs_robotics.drawing.arrangement import Arrangement, Item, Pin
from devs_robotics.drawing.placing import gap, place_column

_SWEEPS = 16
"""Number of passes over all columns, there and back in turn, in search of the best order."""

_EXCHANGES = 8
"""Largest number of passes in which neighbours are tried the other way round."""

_MOST_NETS = 50
"""Number of nets above which it would take too long to count how often they cross."""

_UNCOUNTED_SWEEPS = 4
"""Number of passes over all columns in that case."""

_DISORDER = 4
"""Number of crossings that two boxes in the order in which they were added are worth."""


def order(arrangement: Arrangement) -> None:
    """Find an order of the items in each column, and of the pins of those that are free, with few crossings.

    First by barycentres, sweeping over the columns to and fro; then by exchanging neighbours.
    """
    for column in arrangement.columns:
        place_column(column, [[] for _ in column])
    if len(arrangement.nets) > _MOST_NETS:
        for sweep in range(_UNCOUNTED_SWEEPS):
            _sweep(arrangement, rightwards=sweep % 2 == 0)
        return
    best = _Found(_cost(arrangement), arrangement)
    for sweep in range(_SWEEPS):
        _sweep(arrangement, rightwards=sweep % 2 == 0)
        cost = _cost(arrangement)
        if cost < best.cost:
            best = _Found(cost, arrangement)
    best.restore(arrangement)
    for _ in range(_EXCHANGES):
        if not _exchange(arrangement):
            break
        for column in arrangement.columns:
            place_column(column, [[item.y] for item in column])


class _Found:
    """An order that was found, to be come back to."""

    def __init__(self, cost: int, arrangement: Arrangement) -> None:
        self.cost = cost
        self.columns = [[(item, item.y) for item in column] for column in arrangement.columns]
        pins = [pin for column in arrangement.columns for item in column for pin in (*item.left, *item.right)]
        self.offsets = [(pin, pin.offset) for pin in pins]

    def restore(self, arrangement: Arrangement) -> None:
        for column, found in zip(arrangement.columns, self.columns, strict=True):
            column[:] = [item for item, _ in found]
            for item, y in found:
                item.y = y
        for pin, offset in self.offsets:
            pin.offset = offset


def _cost(arrangement: Arrangement) -> int:
    return arrangement.crossings(arrangement.channels) + sum(map(_disorder, arrangement.columns))


def _disorder(column: Sequence[Item]) -> int:
    """The cost of pairs of boxes that stand the other way round than they were added."""
    return _DISORDER * sum(a > b for a, b in combinations([item.rank for item in column if item.kind == "box"], 2))


def _sweep(arrangement: Arrangement, *, rightwards: bool) -> None:
    for column in arrangement.columns if rightwards else reversed(arrangement.columns):
        _sort(arrangement, column, rightwards)


def _sort(arrangement: Arrangement, column: list[Item], rightwards: bool) -> None:
    """Put the items of a column into the order of what they are connected to on one side."""
    wishes = {}
    for item in column:
        here, there = (item.left, item.right) if rightwards else (item.right, item.left)
        wishes[item] = arrangement.wishes(here) or arrangement.wishes(there)
        if item.free:
            _sort_pins(arrangement, item.left)
            _sort_pins(arrangement, item.right)
    column.sort(key=lambda item: fmean(wishes[item] or [item.y]))
    place_column(column, [wishes[item] for item in column])


def _sort_pins(arrangement: Arrangement, pins: list[Pin]) -> None:
    offsets = sorted(pin.offset for pin in pins)
    ends = {pin: arrangement.ends(pin) for pin in pins}
    pins.sort(key=lambda pin: (not ends[pin], fmean(ends[pin] or [0])))
    for pin, offset in zip(pins, offsets, strict=True):
        pin.offset = offset


def _exchange(arrangement: Arrangement) -> bool:
    """Exchange neighbours where that costs less; returns whether any were."""
    better = False
    for number, column in enumerate(arrangement.columns):
        beside = [channel for channel in (number - 1, number) if channel in arrangement.channels]
        better |= _exchange_items(arrangement, column, beside)
        for item in column:
            if item.free:
                better |= _exchange_pins(arrangement, item.left)
                better |= _exchange_pins(arrangement, item.right)
    return better


def _exchange_items(arrangement: Arrangement, column: list[Item], beside: Sequence[int]) -> bool:
    better = False
    cost = arrangement.crossings(beside) + _disorder(column)
    for place in range(len(column) - 1):
        upper, lower = column[place : place + 2]
        heights = upper.y, lower.y
        column[place : place + 2] = lower, upper
        lower.y = upper.y - upper.above + lower.above
        upper.y = lower.y + lower.height + gap(lower, upper)
        after = arrangement.crossings(beside) + _disorder(column)
        if after < cost:
            cost, better = after, True
        else:
            column[place : place + 2] = upper, lower
            upper.y, lower.y = heights
    return better


def _exchange_pins(arrangement: Arrangement, pins: list[Pin]) -> bool:
    better = False
    pins.sort(key=lambda pin: pin.offset)
    cost = arrangement.crossings([pin.channel for pin in pins[:1]])
    for place in range(len(pins) - 1):
        upper, lower = pins[place : place + 2]
        upper.offset, lower.offset = lower.offset, upper.offset
        after = arrangement.crossings([upper.channel])
        if after < cost:
            pins[place : place + 2] = lower, upper
            cost, better = after, True
        else:
            upper.offset, lower.offset = lower.offset, upper.offset
    return better
