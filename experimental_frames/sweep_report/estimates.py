"""Means with intervals, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite, log10, nan

from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.statistics.estimates import mean_of

FEWEST_FOR_NORMAL = 10
"""Intervals of fewer runs rest on a normal distribution that nobody has seen."""


class MetricEstimate(Struct, frozen=True):
    """A mean with its 95 % interval, or with the range of the values where there is none.

    Attributes:
        runs: that there are, whether they count for the metric or not
        n: of how many the mean is
        mean: NaN where there are none
        low, high: None where there is no interval
        least, most: of the values; NaN where there are none
    """

    runs: int
    n: int
    mean: float = nan
    low: float | None = None
    high: float | None = None
    least: float = nan
    most: float = nan


def estimate(values: Sequence[float], metric: Metric, runs: int) -> MetricEstimate:
    """The mean of independent runs with its interval, as `mean_of` gives it.

    There is no interval of values that are all the same.

    Args:
        values: of the runs that count
        metric: which one
        runs: how many there are in all
    """
    if not values:
        return MetricEstimate(runs, 0)
    mean = mean_of(values, metric.name, signed=metric.signed, rare=metric.rare)
    least, most = min(values), max(values)
    low, high = (None, None) if least == most else (mean.low, mean.high)
    return MetricEstimate(runs, mean.n, mean.mean, low, high, least, most)


def texts(found: MetricEstimate, column: Metric) -> tuple[str, str]:
    """A mean and what stands below it, in the column's unit: its interval, or the range of the values and of what runs.

    The interval leaves room for as many digits as are told.
    """
    if not found.n:
        return "–", ""
    mean = column.scale * found.mean
    if found.low is not None and found.high is not None:
        low, high = column.scale * found.low, column.scale * found.high
        digits = digits_for((high - low) / 2.0, mean)
        return _fixed(mean, digits), f"{_fixed(low, digits)} to {_fixed(high, digits)}"
    least, most = number_text(column.scale * found.least), number_text(column.scale * found.most)
    if found.n == 1 or least == most:
        return most, "" if found.n == found.runs else f"{found.n} of {found.runs} runs"
    runs = f"{found.n} runs" if found.n == found.runs else f"{found.n} of {found.runs} runs"
    return number_text(mean), f"from {least} to {most} in {runs}"


def digits_for(half: float, mean: float) -> int:
    """Digits after the point: two that count of the half-width, or three of the mean where nothing varies."""
    size, counting = (half, 2) if half > 1e-9 * abs(mean) else (abs(mean), 3)
    if not size or not isfinite(size):
        return 0
    return min(9, max(0, counting - 1 - floor(log10(size))))


def number_text(value: float) -> str:
    """A number with four digits that count, fewer where it has no more."""
    if not isfinite(value):
        return "–"
    if value == round(value) and abs(value) < 1e15:
        return _fixed(value, 0)
    text = _fixed(value, min(9, max(0, 3 - floor(log10(abs(value))))))
    return text.rstrip("0").rstrip(".") if "." in text else text


def _fixed(value: float, digits: int) -> str:
    text = f"{value:,.{digits}f}"
    if not text.strip("-0.,"):
        text = text.lstrip("-")
    return text.replace("-", "−")
