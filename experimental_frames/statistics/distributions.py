"""Tails and quantiles of distributions; scipy is imported when the first one is wanted that Python does not have.

Every run ends with a verdict, and importing ``scipy.stats`` takes longer than many a run: ``scipy.special`` has the
same functions in a fraction of the time, and is not needed for the normal distribution.
"""

from __future__ import annotations

from math import erfc, sqrt
from statistics import NormalDist


def normal_tail(value: float) -> float:
    """The probability of a larger value than this, of a standard normal one."""
    return erfc(value / sqrt(2.0)) / 2.0


def normal_quantile(probability: float) -> float:
    """The value that a standard normal one is below with this probability."""
    return NormalDist().inv_cdf(probability)


def student_tail(value: float, freedom: float) -> float:
    """The probability of a larger value than this, of Student's t."""
    from scipy.special import stdtr  # type: ignore[import-untyped]

    return float(stdtr(freedom, -value))


def student_quantile(probability: float, freedom: float) -> float:
    """The value that Student's t is below with this probability."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))
