"""Batch means: a confidence interval from one long run (Schmeiser, 1982)."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.experimental_frames.statistics.autocorrelation import lag_one, von_neumann
from devs_robotics.experimental_frames.statistics.means import mean_over_replications
from devs_robotics.experimental_frames.statistics.series import (
    LEVEL,
    Array,
    Interval,
    Mean,
    Numbers,
    StatisticsError,
    checked,
)

MOST = 30
FEWEST_BATCHES = 10
"""Between these numbers of batches little is to be gained or lost (Schmeiser, 1982)."""

DOUBT = 0.1
"""Batches are taken for correlated where von Neumann's test finds a smaller probability than this."""


class BatchMeans(Struct, frozen=True):
    """The mean of a run, and how sure it is.

    Attributes:
        mean: over the batches; its n is how many these are
        size: values in a batch
        correlation: of neighbouring batches
        probability: of such a correlation or more, were they independent (von Neumann's test)
        uncorrelated: whether that is no less than 0.1; if not, the interval is too narrow and the run too short
    """

    mean: Mean
    size: int
    correlation: float
    probability: float
    uncorrelated: bool

    @property
    def interval(self) -> Interval:
        """Of the mean."""
        return self.mean.interval


def in_batches(values: Numbers, batches: int) -> Array:
    """The means of equal batches; what does not fill the batches is left out at the beginning.

    Raises:
        StatisticsError: fewer values than batches
    """
    series = checked(values, batches, f"{batches} batches")
    size = series.size // batches
    kept: Array = series[series.size - size * batches :].reshape(batches, size).mean(axis=1)
    return kept


def batch_means(values: Numbers, batches: int | None = None, *, level: float = LEVEL) -> BatchMeans:
    """The mean of a stationary series with Student's interval over the means of batches.

    It assumes that the series is stationary (cut the transient first) and that batches are so long that their means
    are nearly independent and normal. The first is checked: from 30 batches on they are made fewer and longer, down
    to 10, until von Neumann's test finds no correlation.

    Args:
        values: of one run, in order, equally spaced
        batches: how many; absent: as above
        level: of the confidence

    Raises:
        StatisticsError: fewer than two values for each of ten batches, or fewer than eight batches
    """
    if batches is not None and batches < 8:
        raise StatisticsError(f"batch means over {batches} batches cannot be checked: take 8 or more")
    series = checked(values, 2 * (batches or FEWEST_BATCHES), "an interval by batch means")
    counts = [batches] if batches else range(min(MOST, series.size // 2), FEWEST_BATCHES - 1, -1)
    for count in counts:
        means = in_batches(series, count)
        probability = von_neumann(means)
        if probability >= DOUBT:
            break
    return BatchMeans(
        mean_over_replications(means, level=level),
        series.size // count,
        lag_one(means),
        probability,
        probability >= DOUBT,
    )
