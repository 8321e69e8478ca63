"""Whether a series rises or falls: Mann-Kendall's test and Sen's slope, also for autocorrelated series."""

from __future__ import annotations

from math import asin, copysign, pi, sqrt
from typing import Literal

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.statistics.autocorrelation import memory
from devs_robotics.experimental_frames.statistics.batch_means import in_batches
from devs_robotics.experimental_frames.statistics.distributions import normal_quantile, normal_tail, student_quantile
from devs_robotics.experimental_frames.statistics.series import (
    LEVEL,
    Array,
    Interval,
    Numbers,
    StatisticsError,
    checked,
    checked_level,
)

Direction = Literal["up", "down", "either"]

BATCHES = 20
FEWEST_VALUES = 20
"""Values that a trend of an autocorrelated series needs; then each is a batch of its own."""

EFFICIENCY = 3.0 / pi
"""Variance of the slope of least squares over that of Sen's, for normal values (Sen, 1968)."""

ALTERNATIVES = {"up": "greater", "down": "less", "either": "two-sided"}


class MannKendall(Struct, frozen=True):
    """Mann-Kendall's test for a trend.

    Attributes:
        s: pairs of values in which the later one is larger, less those in which it is smaller
        p: probability of such an s or one further off, were there no trend
    """

    s: int
    p: float


class Slope(Struct, frozen=True):
    """Sen's slope: the median of the slopes of all pairs of values.

    Attributes:
        slope: in units of the values per unit of time
        interval: of the slope
    """

    slope: float
    interval: Interval


class Trend(Struct, frozen=True):
    """The trend of an autocorrelated series.

    Attributes:
        p: of Mann-Kendall's test on batch means, in the direction that was asked for
        slope: Sen's, of the batch means, in units of the values per unit of time
        interval: of the slope
        deviation: standard error of the slope
        batches, size: how many there are, and values in each
        memory: autocorrelation of neighbouring values, about the trend
        inflation: by how much the correlation of batches multiplies the variance of the test's statistic
        independent: so many independent values would tell as much of the mean as the series does
    """

    p: float
    slope: float
    interval: Interval
    deviation: float
    batches: int
    size: int
    memory: float
    inflation: float
    independent: float

    def detectable(self, alpha: float, power: float) -> float:
        """The slope that the test would find with probability `power` at the one-sided error `alpha`."""
        freedom = self.batches - 2
        ends = student_quantile(1.0 - checked_level(alpha), freedom), student_quantile(checked_level(power), freedom)
        return sum(ends) * self.deviation


def mann_kendall(values: Numbers, direction: Direction = "either") -> MannKendall:
    """The test for independent values of any distribution, by Kendall's tau of values and their order (Mann, 1945).

    Exact without ties and up to 33 values, normal otherwise. It assumes independence: with
    an autocorrelation of 0.5 it finds trends where there are none three times as often as is said; see `trend`.

    Args:
        values: in order
        direction: of the trends that count

    Raises:
        StatisticsError: fewer than four values
    """
    series = checked(values, 4, "Mann-Kendall's test")
    if not np.ptp(series):
        return MannKendall(0, 1.0)
    from scipy.stats import kendalltau  # type: ignore[import-untyped]

    found = kendalltau(np.arange(series.size), series, alternative=ALTERNATIVES[direction])
    return MannKendall(_s(series), float(found.pvalue))


def sen_slope(values: Numbers, times: Numbers | None = None, *, level: float = LEVEL) -> Slope:
    """Sen's slope of independent values with its interval by Kendall's statistic (Sen, 1968).

    Args:
        values: in order
        times: of the values, each later than the one before; absent: 0, 1, 2 ...
        level: of the confidence

    Raises:
        StatisticsError: fewer than four values, or times that do not fit
    """
    series = checked(values, 4, "Sen's slope")
    return _sen(series, _times(times, series.size), level, 1.0)


def trend(
    values: Numbers,
    times: Numbers | None = None,
    *,
    direction: Direction = "up",
    level: float = LEVEL,
    batches: int = BATCHES,
) -> Trend:
    """Mann-Kendall's test and Sen's slope on batch means, with a variance that knows of their autocorrelation.

    The values are averaged in batches, which are then nearly normal and nearly independent. How correlated they still
    are follows from the autocorrelation of the values about their trend, taken as an AR(1), which is known far better
    than that of so few batches; it multiplies the variance of Mann-Kendall's S as Hamed and Rao (1998) say, and
    Sen's interval is widened to match.

    It assumes that, but for the trend, the series is stationary and forgets about as fast as an AR(1) does. It is long
    enough where `independent` is 10 or more: below, the errors are several times as frequent as is said.

    Args:
        values: of one run, in order, about equally spaced
        times: of the values, each later than the one before; absent: 0, 1, 2 ...
        direction: of the trends that count
        level: of the slope's confidence
        batches: how many at most

    Raises:
        StatisticsError: fewer than 20 values, times that do not fit, or fewer than ten batches
    """
    if batches < 10:
        raise StatisticsError(f"a trend of {batches} batches is not possible: take 10 or more")
    series = checked(values, FEWEST_VALUES, "a trend")
    clock = _times(times, series.size)
    count = min(batches, series.size)
    size = series.size // count
    correlation = min(max(0.0, memory(series)), 0.99)
    inflation = inflation_of_batches(count, size, correlation)
    means, middles = in_batches(series, count), in_batches(clock, count)
    slope = _sen(means, middles, checked_level(level), inflation)
    around = middles - middles.mean()
    residuals = means - means.mean() - slope.slope * around
    freedom = count - 2.0 * inflation  # a mean and a slope take the more of it, the more the batches are alike
    variance = float(residuals @ residuals) / max(freedom, 1.0) * inflation / EFFICIENCY
    return Trend(
        p=_p(means, inflation, direction),
        slope=slope.slope,
        interval=slope.interval,
        deviation=sqrt(variance / float(around @ around)),
        batches=count,
        size=size,
        memory=correlation,
        inflation=inflation,
        independent=series.size * (1.0 - correlation) / (1.0 + correlation),
    )


def _times(times: Numbers | None, count: int) -> Array:
    if times is None:
        return np.arange(count, dtype=np.float64)
    clock = checked(times, 2, "a trend")
    if clock.size != count:
        raise StatisticsError(f"a trend got {count} values and {clock.size} times: give one time for each value")
    back = np.flatnonzero(np.diff(clock) <= 0.0)
    if back.size:
        place = int(back[0]) + 1
        raise StatisticsError(f"a trend got times that go back or stand still at number {place}: sort them")
    return clock


def _s(series: Array) -> int:
    """Mann-Kendall's S."""
    later, earlier = series[None, :], series[:, None]
    return int(np.triu(np.sign(later - earlier), 1).sum())


def _deviation(series: Array) -> float:
    """Of S, for independent values, of which some may be equal."""
    _, ties = np.unique(series, return_counts=True)
    pairs = series.size * (series.size - 1) * (2 * series.size + 5) - (ties * (ties - 1) * (2 * ties + 5)).sum()
    return sqrt(float(pairs) / 18.0)


def _p(series: Array, inflation: float, direction: Direction) -> float:
    """Normal, with S moved by one towards 0 for it is discrete."""
    s, deviation = _s(series), _deviation(series) * sqrt(inflation)
    if not deviation:
        return 1.0
    if direction == "either":
        return min(1.0, 2.0 * normal_tail(max(0, abs(s) - 1) / deviation))
    upward = s if direction == "up" else -s
    return normal_tail((upward - copysign(1.0, upward) if upward else 0.0) / deviation)


def _sen(series: Array, times: Array, level: float, inflation: float) -> Slope:
    """The median of the slopes of all pairs; its interval reaches from one of them to another (Sen, 1968, 2.6)."""
    earlier, later = np.triu_indices(series.size, 1)
    slopes = np.sort((series[later] - series[earlier]) / (times[later] - times[earlier]))
    apart = normal_quantile((1.0 + checked_level(level)) / 2.0) * _deviation(series) * sqrt(inflation)
    low = max(round((slopes.size - apart) / 2.0) - 1, 0)
    high = min(round((slopes.size + apart) / 2.0), slopes.size - 1)
    return Slope(float(np.median(slopes)), Interval(float(slopes[low]), float(slopes[high]), level))


def inflation_of_batches(count: int, size: int, correlation: float) -> float:
    """By how much the variance of S grows for the means of `count` batches of `size` values of an AR(1).

    The correlation of batch means k batches apart is that of neighbours times ``correlation^(size (k - 1))``, that
    of their ranks 6 / pi asin(half of it), and these are weighted as Hamed and Rao (1998) say.
    """
    if not correlation:
        return 1.0
    forgotten = 1.0 - correlation**size
    variance = size * (1.0 - correlation**2) - 2.0 * correlation * forgotten
    neighbours = correlation * forgotten**2 / variance
    total = 0.0
    for lag in range(1, count):
        ranks = 6.0 / pi * asin(neighbours * correlation ** (size * (lag - 1)) / 2.0)
        total += (count - lag) * (count - lag - 1) * (count - lag - 2) * ranks
    return 1.0 + 2.0 * total / (count * (count - 1) * (count - 2))
