"""How much the values of a series depend on those before them."""

from __future__ import annotations

from math import sqrt

import numpy as np

from devs_robotics.experimental_frames.statistics.distributions import normal_tail
from devs_robotics.experimental_frames.statistics.series import Numbers, checked

ROUNDING = 1e-24
"""Share of a series' squares that may be left by rounding."""


def lag_one(values: Numbers) -> float:
    """The autocorrelation of a series at lag one; 0 where it never changes.

    Raises:
        StatisticsError: fewer than three values
    """
    around = checked(values, 3, "an autocorrelation")
    around = around - around.mean()
    total = float(around @ around)
    return float(around[1:] @ around[:-1]) / total if total else 0.0


def von_neumann(values: Numbers) -> float:
    """The probability of so much positive correlation of neighbours, or more, in independent values (von Neumann).

    With C = 1 - sum((y_i+1 - y_i)^2) / (2 sum((y_i - mean)^2)), C / sqrt((n - 2) / (n^2 - 1)) is standard normal for
    independent normal values, very nearly from 8 on (Fishman, 1978). 1 where the values never change.

    Raises:
        StatisticsError: fewer than eight values
    """
    series = checked(values, 8, "von Neumann's test")
    around = series - series.mean()
    total = float(around @ around)
    if not total:
        return 1.0
    steps = np.diff(series)
    c = 1.0 - float(steps @ steps) / (2.0 * total)
    return normal_tail(c / sqrt((series.size - 2.0) / (series.size**2 - 1.0)))


def memory(values: Numbers) -> float:
    """The autocorrelation at lag one of what a series is beside its linear trend, without its bias.

    About a fitted line, `lag_one` of n values comes out too small by about (2 + 5 rho) / n: a line costs
    (2 + 4 rho) / n where a mean costs (1 + 3 rho) / n (Kendall, 1954), and a sum of n - 1 products over one of n
    squares costs rho / n more. The result is at most 1, and 0 for a line.

    Raises:
        StatisticsError: fewer than ten values
    """
    series = checked(values, 10, "an autocorrelation about a trend")
    places = np.arange(series.size) - (series.size - 1) / 2.0
    residuals = series - series.mean() - float(places @ series) / float(places @ places) * places
    if float(residuals @ residuals) <= ROUNDING * float(series @ series):
        return 0.0
    return min((series.size * lag_one(residuals) + 2.0) / (series.size - 5.0), 1.0)
