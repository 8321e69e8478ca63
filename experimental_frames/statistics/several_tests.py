"""Several tests at once: p-values of paired differences, and Holm's correction for their number."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from devs_robotics.experimental_frames.statistics.distributions import student_tail
from devs_robotics.experimental_frames.statistics.means import Paired


def paired_p(pair: Paired) -> float:
    """The probability of a mean difference at least so far from 0, either way, if the true one is 0 (paired t test).

    It assumes what the interval of the difference assumes.
    """
    mean = pair.difference
    if not mean.deviation:
        return 0.0 if mean.mean else 1.0
    return 2.0 * student_tail(abs(mean.mean) / (mean.deviation / sqrt(mean.n)), mean.n - 1)


def holm(values: Sequence[float]) -> list[float]:
    """p-values of several tests, corrected so that any false rejection at all has the level's probability (Holm 1979).

    Nothing is assumed of how the tests depend on each other.

    Args:
        values: p-values of the tests

    Returns:
        corrected ones, in the same order
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected = [0.0] * len(values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = largest
    return corrected
