"""Ordinary models that are alike: one stands for all, and others are made where they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from devs_robotics.core.model import Atomic


class Alike(Sequence[Atomic]):
    """Models that differ in their robots' numbers alone, so that a million of them need no memory.

    Args:
        count: how many there are
        make: makes the one of a place, from 0; any two differ in nothing but what follows from their robots' numbers
    """

    def __init__(self, count: int, make: Callable[[int], Atomic]) -> None:
        self._count = count
        self._make = make
        self.first = make(0)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Atomic: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Atomic]: ...
    def __getitem__(self, place: int | slice) -> Atomic | Sequence[Atomic]:
        if isinstance(place, slice):
            return [self._make(each) for each in range(self._count)[place]]
        return self._make(range(self._count)[place]) if place else self.first

    def by_number(self, robots: NDArray[np.int64]) -> Mapping[int, Atomic]:
        """The same by their robots' numbers, ascending."""
        return _ByNumber(self, robots)


class _ByNumber(Mapping[int, Atomic]):
    """Models that are made when they are asked for, by their robots' numbers."""

    def __init__(self, models: Alike, robots: NDArray[np.int64]) -> None:
        self._models = models
        self._robots = robots

    def __getitem__(self, robot: int) -> Atomic:
        place = int(np.searchsorted(self._robots, robot))
        if place == len(self._robots) or self._robots[place] != robot:
            raise KeyError(robot)
        return self._models[place]

    def __iter__(self) -> Iterator[int]:
        return iter(self._robots.tolist())

    def __len__(self) -> int:
        return len(self._robots)
