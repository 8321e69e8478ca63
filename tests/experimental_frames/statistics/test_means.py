"""Replications and paired comparisons: worked out by hand, and how often their intervals hold the truth."""

from __future__ import annotations

from math import inf, isnan, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.statistics import StatisticsError, mean_over_replications, paired_comparison
from tests.approximately import near
from tests.experimental_frames.statistics.known import waits


def test_an_interval_worked_out_by_hand() -> None:
    """Student's t of 0.975 with 4 degrees of freedom is 2.776."""
    found = mean_over_replications([1.0, 2.0, 3.0, 4.0, 5.0])
    assert (found.n, found.mean, found.deviation) == (5, 3.0, near(sqrt(2.5)))
    assert found.interval.half_width == pytest.approx(2.776 * sqrt(2.5) / sqrt(5), rel=1e-3)
    assert found.interval.holds(3.0)
    assert not found.interval.holds(5.0)


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=2, max_size=30), st.floats(0.5, 0.999))
def test_intervals_are_those_of_scipy(pairs: list[tuple[float, float]], level: float) -> None:
    """Student's of one sample, and that of its paired test."""
    mine, other = np.array(pairs).T
    assume(np.ptp(mine - other) >= 1e-3 and np.ptp(mine) >= 1e-3)
    found, paired = mean_over_replications(mine, level=level).interval, paired_comparison(mine, other, level=level)
    one = stats.ttest_1samp(mine, 0.0).confidence_interval(level)
    two = stats.ttest_rel(mine, other).confidence_interval(level)
    assert (found.low, found.high, found.level) == (near(one.low), near(one.high), level)
    assert (paired.interval.low, paired.interval.high) == (near(two.low), near(two.high))


@pytest.mark.parametrize("n", [3, 10])
def test_intervals_of_normal_values_hold_the_mean_as_often_as_is_said(n: int) -> None:
    rows = np.random.default_rng(n).normal(3.0, 2.0, (2000, n))
    held = np.mean([mean_over_replications(row, level=0.9).interval.holds(3.0) for row in rows])
    assert held == pytest.approx(0.9, abs=0.025)


def test_replications_of_a_queue_hold_its_mean_wait() -> None:
    """M/M/1 at half load, whose mean wait is 1: ten runs of 1000 customers, the first 100 left out."""
    means = waits(np.random.default_rng(1), 0.5, 4000, 1000)[:, 100:].mean(axis=1).reshape(400, 10)
    held = np.mean([mean_over_replications(row).interval.holds(1.0) for row in means])
    assert 0.91 <= held <= 0.97


def test_common_random_numbers_show_a_difference_that_independent_runs_hide() -> None:
    """The same customers served 5 % faster: 0.2 less is waited, and pairs tell it with many times fewer runs."""
    usual = waits(np.random.default_rng(4), 0.5, 20, 2000).mean(axis=1)
    faster = waits(np.random.default_rng(4), 0.5, 20, 2000, service=0.95).mean(axis=1)
    paired = paired_comparison(faster, usual)
    apart = paired_comparison(faster, waits(np.random.default_rng(5), 0.5, 20, 2000).mean(axis=1))
    truth = 0.475 * 0.95 / (1 - 0.475) - 1.0
    assert paired.interval.holds(truth)
    assert paired.interval.high < 0.0
    assert paired.correlation > 0.95
    assert paired.gain > 10.0
    assert paired.interval.half_width < apart.interval.half_width / 3.0


def test_a_paired_comparison_worked_out_by_hand() -> None:
    found = paired_comparison([2.0, 4.0, 9.0], [1.0, 4.0, 7.0])
    assert found.difference == mean_over_replications([1.0, 0.0, 2.0])
    assert found.gain == pytest.approx((13.0 + 9.0) / 1.0)


def test_pairs_that_differ_by_the_same_leave_no_doubt() -> None:
    found = paired_comparison([1.0, 5.0, 9.0], [0.0, 4.0, 8.0])
    assert (found.interval.low, found.interval.high, found.gain) == (1.0, 1.0, inf)
    same = paired_comparison([1.0, 1.0], [1.0, 1.0])
    assert isnan(same.gain)
    assert isnan(same.correlation)


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(StatisticsError, match="a confidence interval needs 2 values at least and got 1"):
        mean_over_replications([1.0])
    with pytest.raises(StatisticsError, match="got 3 values and 2 of the reference: keep the seeds that both have"):
        paired_comparison([1.0, 2.0, 3.0], [1.0, 2.0])
    with pytest.raises(
        StatisticsError, match=r"a level of 95 is not possible: give one between 0 and 1, such as 0\.95"
    ):
        mean_over_replications([1.0, 2.0], level=95)
    with pytest.raises(StatisticsError, match="not an array of 2 dimensions"):
        mean_over_replications(np.ones((2, 2)))
