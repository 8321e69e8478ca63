"""Means and paired differences with bootstrap confidence intervals (Efron, 1987: BCa)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan, nan
from zlib import crc32

import numpy as np
from msgspec import Struct
from numpy.random import PCG64, Generator, SeedSequence
from scipy.stats import bootstrap  # type: ignore[import-untyped]

LEVEL = 0.95
RESAMPLES = 9999


class Estimate(Struct, frozen=True):
    """A mean and how sure it is.

    With few values a bootstrap interval is too narrow: one at 95 % holds the true mean of ten normal values in about
    90 % of all cases, and of five in about 83 %.

    Attributes:
        n: of how many values
        mean: NaN where there are none
        low, high: ends of the confidence interval; None where there is none, since one value says nothing of others
        level: of the confidence
    """

    n: int
    mean: float
    low: float | None
    high: float | None
    level: float = LEVEL


def mean_of(values: Iterable[float], name: str, *, level: float = LEVEL, resamples: int = RESAMPLES) -> Estimate:
    """The mean of independent values; NaN among them, what could not be measured, is left out.

    Args:
        values: one per run
        name: of what it is: its random numbers are its own, the same in every process, whatever else is computed
        level: of the confidence
        resamples: how many samples are drawn from the values
    """
    known = np.array([value for value in values if not isnan(value)])
    if not known.size:
        return Estimate(0, nan, None, None, level)
    mean = float(known.mean())
    if known.size == 1:
        return Estimate(1, mean, None, None, level)
    spread = float(np.ptp(known))
    if not spread:
        value = float(known[0])
        return Estimate(known.size, value, value, value, level)
    generator = Generator(PCG64(SeedSequence(crc32(name.encode()))))
    interval = bootstrap(
        ((known - mean) / spread,),  # powers of very small and very large values would not be numbers
        np.mean,
        n_resamples=resamples,
        confidence_level=level,
        method="BCa",
        vectorized=True,
        rng=generator,
    ).confidence_interval
    low, high = (mean + spread * float(end) for end in (interval.low, interval.high))
    return Estimate(known.size, mean, low, high, level)


def paired_difference(
    values: Mapping[int, float], reference: Mapping[int, float], name: str, *, level: float = LEVEL
) -> Estimate:
    """The mean of ``values - reference`` over the seeds that both have; a seed with a NaN is left out.

    Args:
        values: by seed
        reference: the same
        name, level: as for `mean_of`
    """
    seeds = sorted(values.keys() & reference.keys())
    return mean_of((values[seed] - reference[seed] for seed in seeds), name, level=level)
