"""Tails and quantiles of the distributions that the verdict of a run needs, without scipy.

Every run ends with a verdict. A plain install has no scipy, and importing it takes longer than many a run; Student's
quantile is found from the incomplete beta function here, to 12 digits, and is the same with scipy and without.
"""

from __future__ import annotations

from functools import lru_cache
from math import erfc, exp, inf, lgamma, log, nan, sqrt
from statistics import NormalDist

TINY = 1e-300
CLOSE = 1e-15
MOST_TERMS = 10_000


def normal_tail(value: float) -> float:
    """The probability of a larger value than this, of a standard normal one."""
    return erfc(value / sqrt(2.0)) / 2.0


def normal_quantile(probability: float) -> float:
    """The value that a standard normal one is below with this probability."""
    return NormalDist().inv_cdf(probability)


def student_tail(value: float, freedom: float) -> float:
    """The probability of a larger value than this, of Student's t (Abramowitz & Stegun, 26.7.1 and 26.5.27)."""
    square = value * value
    tail = 0.5 * _incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + square), square / (freedom + square))
    return tail if value >= 0.0 else 1.0 - tail


@lru_cache(maxsize=4096)  # rules of stopping ask for the same ones again and again
def student_quantile(probability: float, freedom: float) -> float:
    """The value that Student's t is below with this probability.

    Args:
        probability: 0 to 1
        freedom: number of degrees of freedom, above 0
    """
    if not (0.0 <= probability <= 1.0 and freedom > 0.0):
        return nan
    if probability in (0.0, 1.0):
        return inf if probability else -inf
    if probability == 0.5:
        return 0.0
    tail = min(probability, 1.0 - probability)
    low, high = 0.0, 1.0
    while student_tail(high, freedom) > tail:
        low, high = high, 2.0 * high
    while high - low > CLOSE * high:  # halves the interval until no float is between
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if student_tail(middle, freedom) > tail else (low, middle)
    return high if probability > 0.5 else -high


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function I_x(a, b); `rest` is 1 - x, which may be too small to be had from x."""
    if x <= 0.0 or rest <= 0.0:
        return 0.0 if x <= 0.0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _continued_fraction(a, b, x) / a
    return 1.0 - front * _continued_fraction(b, a, rest) / b


def _continued_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (Abramowitz & Stegun, 26.5.8), by Lentz's method."""
    numerator, denominator = 1.0, 1.0 / _not_zero(1.0 - (a + b) * x / (a + 1.0))
    value = denominator
    for m in range(1, MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        for term in (even, odd):
            denominator = 1.0 / _not_zero(1.0 + term * denominator)
            numerator = _not_zero(1.0 + term / numerator)
            value *= denominator * numerator
        if abs(denominator * numerator - 1.0) < CLOSE:
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY
