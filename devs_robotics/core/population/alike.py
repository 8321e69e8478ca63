"""Ordinary models that are alike: one stands for all, and others are made where they are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import overload

from devs_robotics.core.model import Atomic


class Alike(Sequence[Atomic]):
    """Models that differ in their robots' numbers alone, so that a million of them need no memory.

    Args:
        count: how many there are
        make: makes the one of a place, from 0; any two differ in nothing but what follows from their robots' numbers

    Attributes:
        firsts: one model that stands for each group of models that are alike
        counts: how many models there are in each group
    """

    def __init__(self, count: int, make: Callable[[int], Atomic]) -> None:
        self.firsts = [make(0)]
        self.counts = [count]
        self._makes = [make]

    @classmethod
    def joined(cls, groups: Sequence[Alike]) -> Alike:
        """Groups one after the other, as one sequence; models of two groups may differ in more than their numbers."""
        joined = cls.__new__(cls)
        joined.firsts = [first for group in groups for first in group.firsts]
        joined.counts = [count for group in groups for count in group.counts]
        joined._makes = [make for group in groups for make in group._makes]
        return joined

    def __len__(self) -> int:
        return sum(self.counts)

    @overload
    def __getitem__(self, place: int) -> Atomic: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Atomic]: ...
    def __getitem__(self, place: int | slice) -> Atomic | Sequence[Atomic]:
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        place = range(len(self))[place]
        ends = list(accumulate(self.counts))
        group = next(number for number, end in enumerate(ends) if place < end)
        within = place - ends[group] + self.counts[group]
        return self._makes[group](within) if within else self.firsts[group]
