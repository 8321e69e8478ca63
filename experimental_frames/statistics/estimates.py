"""A mean with its confidence interval, and a paired difference, of whatever number of runs.

Of few runs the interval is Student's; of many it is a bootstrap's (Efron, 1987: BCa), which follows a skewed
distribution, and which would be too narrow for few: at 95 % it holds the true mean of ten normal values in about 90 %
of all cases, and of five in about 83 % (``python -m tests.benchmarks.statistics``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan, nan
from zlib import crc32

import numpy as np
from msgspec import Struct
from numpy.random import PCG64, Generator, SeedSequence
from scipy.stats import bootstrap  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.statistics.means import mean_over_replications
from devs_robotics.experimental_frames.statistics.series import LEVEL, Array, Interval

RESAMPLES = 9999
"""Samples that the bootstrap draws from the values."""

FEWEST_FOR_INTERVAL = 3
"""Number of values below which there is no interval: Student's of two is thirteen times as wide as they are apart."""

MANY = 30
"""Number of values from which on the interval is the bootstrap's."""


AT_ONCE = 4_000_000
"""So many drawn values are held in memory."""


class Estimate(Struct, frozen=True):
    """A mean and how sure it is.

    Attributes:
        n: of how many values
        mean: NaN where there are none
        low, high: ends of the confidence interval; None where there is none, of too few values
        level: of the confidence
    """

    n: int
    mean: float
    low: float | None
    high: float | None
    level: float = LEVEL


def mean_of(
    values: Iterable[float],
    name: str,
    *,
    signed: bool = True,
    rare: bool = False,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Estimate:
    """The mean of independent values; NaN among them, what could not be measured, is left out.

    Args:
        values: one per run
        name: of what it is: its random numbers are its own, the same in every process, whatever else is computed
        signed: whether the values can be less than zero; where they cannot, the interval ends there, and holds the true
            mean as often
        rare: whether they count or date what few runs have; of such there is no interval, unless all are the same
        level: of the confidence
        resamples: how many samples are drawn, where there are `MANY` values
    """
    known = np.array([value for value in values if not isnan(value)])
    if not known.size:
        return Estimate(0, nan, None, None, level)
    if known.size > 1 and not np.ptp(known):
        value = float(known[0])
        return Estimate(known.size, value, value, value, level)
    if rare or known.size < FEWEST_FOR_INTERVAL:
        return Estimate(known.size, float(known.mean()), None, None, level)
    if known.size < MANY:
        interval = mean_over_replications(known, level=level).interval
    else:
        interval = bootstrap_interval(known, name, level, resamples)
    low = interval.low if signed else max(0.0, interval.low)
    return Estimate(known.size, float(known.mean()), low, interval.high, level)


def bootstrap_interval(values: Array, name: str, level: float = LEVEL, resamples: int = RESAMPLES) -> Interval:
    """The BCa interval of the mean of values, not all of which are equal; arguments as for `mean_of`."""
    mean, spread = float(values.mean()), float(np.ptp(values))
    generator = Generator(PCG64(SeedSequence(crc32(name.encode()))))
    interval = bootstrap(
        ((values - mean) / spread,),  # powers of very small and very large values would not be numbers
        np.mean,
        n_resamples=resamples,
        batch=max(1, AT_ONCE // values.size),
        confidence_level=level,
        method="BCa",
        vectorized=True,
        rng=generator,
    ).confidence_interval
    return Interval(mean + spread * float(interval.low), mean + spread * float(interval.high), level)


def paired_difference(
    values: Mapping[int, float], reference: Mapping[int, float], name: str, *, rare: bool = False, level: float = LEVEL
) -> Estimate:
    """The mean of ``values - reference`` over the seeds that both have; a seed with a NaN is left out.

    Args:
        values: by seed
        reference: the same
        name, rare, level: as for `mean_of`
    """
    seeds = sorted(values.keys() & reference.keys())
    return mean_of((values[seed] - reference[seed] for seed in seeds), name, rare=rare, level=level)
