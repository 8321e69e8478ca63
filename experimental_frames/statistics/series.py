"""What goes into a statistic, checked, and the intervals that come out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError

Numbers = Sequence[float] | np.ndarray[Any, np.dtype[Any]]
"""What every statistic takes: a list, a tuple, an array."""

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

LEVEL = 0.95
"""Of the confidence, where none is asked for."""


class StatisticsError(DevsRoboticsError):
    """A statistic cannot be had from these values."""


class Interval(Struct, frozen=True):
    """A confidence interval, its ends included.

    Attributes:
        low, high: ends
        level: of the confidence
    """

    low: float
    high: float
    level: float = LEVEL

    @property
    def half_width(self) -> float:
        """Half the distance of the ends."""
        return (self.high - self.low) / 2.0

    def holds(self, value: float) -> bool:
        """Whether a value is in it."""
        return self.low <= value <= self.high


class Mean(Struct, frozen=True):
    """A mean, and how sure it is.

    Attributes:
        n: of how many independent values
        mean: of them
        interval: that holds the true mean at the level of confidence
        deviation: standard deviation of one value
    """

    n: int
    mean: float
    interval: Interval
    deviation: float


def checked(values: Numbers, fewest: int, what: str) -> Array:
    """The values as an array.

    Args:
        values: one after the other
        fewest: so many are needed
        what: needs them, for people: "a confidence interval"

    Raises:
        StatisticsError: they are too few, not finite, or not a sequence of numbers
    """
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1:
        raise StatisticsError(
            f"{what} needs a sequence of numbers, not an array of {found.ndim} dimensions: flatten it"
        )
    if found.size < fewest:
        raise StatisticsError(f"{what} needs {fewest} values at least and got {found.size}: run longer or more often")
    bad = np.flatnonzero(~np.isfinite(found))
    if bad.size:
        raise StatisticsError(f"{what} got {found[bad[0]]} as value number {bad[0]}: leave out what was not measured")
    return found


def checked_level(level: float) -> float:
    """A level of confidence or a power.

    Raises:
        StatisticsError: it is not between 0 and 1
    """
    if not 0.0 < level < 1.0:
        raise StatisticsError(f"a level of {level:g} is not possible: give one between 0 and 1, such as 0.95")
    return level
