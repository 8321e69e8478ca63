"""How many replications are enough: sequential stopping at a wanted half-width (Chow and Robbins, 1965)."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf

from msgspec import Struct

from devs_robotics.experimental_frames.statistics.means import mean_over_replications
from devs_robotics.experimental_frames.statistics.series import LEVEL, Interval, Mean, Numbers, StatisticsError, checked

FIRST = 10
"""Replications of the first stage: with fewer, a spread that comes out small by chance ends it too soon."""


class Precision(Struct, frozen=True):
    """Whether a mean is known well enough.

    Attributes:
        enough: whether it is
        mean: with its interval
        wanted: half-width that the interval may have
        replications: how many will probably be needed in all
    """

    enough: bool
    mean: Mean
    wanted: float
    replications: int

    @property
    def interval(self) -> Interval:
        """Of the mean."""
        return self.mean.interval


def precision(
    values: Numbers, half_width: float, *, relative: bool = False, level: float = LEVEL, first: int = FIRST
) -> Precision:
    """Whether so many replications give the wanted half-width.

    It assumes what `mean_over_replications` does. Looked at after each replication, the rule stops sooner where the
    spread comes out small by chance, so that its intervals hold the truth a little less often than is said, and just as
    often only when the half-width goes to nothing (Chow and Robbins, 1965). A first stage of ten keeps the loss small.

    Args:
        values: one per run so far
        half_width: wanted, in the units of the values; if relative, as a share of the true mean, for which
            the interval must come down to ``w / (1 + w)`` of the mean that is found
        relative: whether it is
        level: of the confidence
        first: replications below which it is never enough

    Raises:
        StatisticsError: fewer than two values, one that is not finite, or a half-width that cannot be
    """
    if not 0.0 < half_width < inf:
        raise StatisticsError(f"a half-width of {half_width:g} cannot be reached: give a positive number")
    known = checked(values, 2, "a rule of stopping")
    mean = mean_over_replications(known, level=level)
    wanted = abs(mean.mean) * half_width / (1.0 + half_width) if relative else half_width
    enough = mean.n >= first and mean.interval.half_width <= wanted
    if enough:
        return Precision(True, mean, wanted, mean.n)
    if not wanted:
        raise StatisticsError("a share of a mean of 0 cannot be a half-width: give an absolute one")
    needed = ceil(mean.n * (mean.interval.half_width / wanted) ** 2)
    return Precision(False, mean, wanted, max(needed, first, mean.n + 1))


def replicate_until(
    run: Callable[[int], float],
    half_width: float,
    *,
    relative: bool = False,
    level: float = LEVEL,
    first: int = FIRST,
    most: int = 1000,
) -> Precision:
    """Run replication after replication until the half-width is reached, or there are `most` of them.

    Args:
        run: gives the value of replication number i, from 0
        half_width, relative, level, first: as for `precision`
        most: replications at which to end all the same; the result then says that it is not enough

    Raises:
        StatisticsError: `most` is less than `first`, or what `precision` raises
    """
    if first < 2 or most < first:
        raise StatisticsError(
            f"{first} replications first and {most} at most are not possible: let first be 2 or more, and most no less"
        )
    values = [run(number) for number in range(first)]
    found = precision(values, half_width, relative=relative, level=level, first=first)
    while not found.enough and len(values) < most:
        values.append(run(len(values)))
        found = precision(values, half_width, relative=relative, level=level, first=first)
    return found
