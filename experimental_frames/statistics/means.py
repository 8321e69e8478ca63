"""Means over replications, and paired differences under common random numbers."""

from __future__ import annotations

from math import nan, sqrt

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.statistics.distributions import student_quantile
from devs_robotics.experimental_frames.statistics.series import (
    LEVEL,
    Interval,
    Mean,
    Numbers,
    StatisticsError,
    checked,
    checked_level,
)


class Paired(Struct, frozen=True):
    """Two settings under common random numbers.

    Attributes:
        difference: the mean of ``values - reference``
        correlation: of the pairs; NaN where one of the two never changes
        gain: variance of the difference of independent runs over that of the pairs: so many times fewer runs are
            needed; infinite where the pairs differ by the same everywhere, NaN where nothing varies
    """

    difference: Mean
    correlation: float
    gain: float

    @property
    def interval(self) -> Interval:
        """Of the mean difference."""
        return self.difference.interval


def mean_over_replications(values: Numbers, *, level: float = LEVEL) -> Mean:
    """The mean of independent replications with Student's interval.

    It assumes that the values are independent (one per run, each run with a seed of its own) and that their mean is
    nearly normal: exact for normal values, and for skewed ones too narrow where they are fewer than some 40.

    Args:
        values: one per run
        level: of the confidence

    Raises:
        StatisticsError: fewer than two values, or one that is not finite
    """
    known, level = checked(values, 2, "a confidence interval"), checked_level(level)
    mean, deviation = float(known.mean()), float(known.std(ddof=1))
    half = student_quantile((1.0 + level) / 2.0, known.size - 1) * deviation / sqrt(known.size)
    return Mean(known.size, mean, Interval(mean - half, mean + half, level), deviation)


def paired_comparison(values: Numbers, reference: Numbers, *, level: float = LEVEL) -> Paired:
    """How two settings differ, run by run with the same seeds.

    It assumes that place i of both comes from the same seed, that pairs are independent of each other, and that
    the mean difference is nearly normal. Nothing is assumed of the two within a pair.

    Args:
        values: one per seed
        reference: the same seeds in the same order
        level: of the confidence

    Raises:
        StatisticsError: fewer than two pairs, unequal lengths, or a value that is not finite
    """
    mine, other = checked(values, 2, "a paired comparison"), checked(reference, 2, "a paired comparison")
    if mine.size != other.size:
        raise StatisticsError(
            f"a paired comparison got {mine.size} values and {other.size} of the reference: "
            "keep the seeds that both have, in the same order"
        )
    difference = mean_over_replications(mine - other, level=level)
    apart = float(mine.var(ddof=1) + other.var(ddof=1))
    paired = difference.deviation**2
    varies = bool(np.ptp(mine) and np.ptp(other))
    correlation = float(np.corrcoef(mine, other)[0, 1]) if varies else nan
    gain = apart / paired if paired else (float("inf") if apart else nan)
    return Paired(difference, correlation, gain)
