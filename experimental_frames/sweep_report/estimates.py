"""Means with intervals, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite, log10, nan

from msgspec import Struct

from experimental_frames.statistics.means import mean_over_replications
from experimental_frames.sweep.columns import Column

FEWEST = 10
"""Intervals of fewer runs rest on a normal distribution that nobody has seen."""


class Estimate(Struct, frozen=True):
    """A mean and its 95 % interval.

    Attributes:
        n: of how many runs
        mean: NaN where there are none
        low, high: None where there is no interval, since one value says nothing of others
    """

    n: int
    mean: float
    low: float | None = None
    high: float | None = None


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent runs with Student's interval."""
    if not values:
        return Estimate(0, nan)
    if len(values) == 1:
        return Estimate(1, values[0])
    found = mean_over_replications(values)
    return Estimate(found.n, found.mean, found.interval.low, found.interval.high)


def texts(found: Estimate, column: Column, *, sign: bool = False) -> tuple[str, str]:
    """A mean and its interval in the column's unit, with as many digits as the interval leaves room for."""
    if not found.n:
        return "–", ""
    if found.low is None or found.high is None:
        return number_text(column.scale * found.mean, sign=sign), ""
    low, mean, high = (column.scale * value for value in (found.low, found.mean, found.high))
    digits = digits_for((high - low) / 2.0, mean)
    return _fixed(mean, digits, sign), f"{_fixed(low, digits, sign)} to {_fixed(high, digits, sign)}"


def digits_for(half: float, mean: float) -> int:
    """Digits after the point: two that count of the half-width, or three of the mean where nothing varies."""
    size, counting = (half, 2) if half > 1e-9 * abs(mean) else (abs(mean), 3)
    if not size or not isfinite(size):
        return 0
    return min(9, max(0, counting - 1 - floor(log10(size))))


def number_text(value: float, *, sign: bool = False) -> str:
    """A number with four digits that count."""
    if not isfinite(value):
        return "–"
    if value == round(value) and abs(value) < 1e15:
        return _fixed(value, 0, sign)
    return _fixed(value, min(9, max(0, 3 - floor(log10(abs(value))))), sign)


def _fixed(value: float, digits: int, sign: bool) -> str:
    text = f"{value:{'+' if sign else ''},.{digits}f}"
    if not text.strip("+-0.,"):
        text = text.lstrip("+-")
    return text.replace("-", "−")
