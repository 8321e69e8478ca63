"""Batch means: by hand, and how often their intervals hold the mean of an AR(1) and of a queue."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.statistics import (
    StatisticsError,
    batch_means,
    in_batches,
    mean_over_replications,
)
from devs_robotics.experimental_frames.statistics.autocorrelation import von_neumann
from tests.experimental_frames.statistics.known import Rows, autoregressive, waits


def coverage(rows: Rows, truth: float) -> float:
    return float(np.mean([batch_means(row).interval.holds(truth) for row in rows]))


def test_batches_worked_out_by_hand() -> None:
    assert in_batches([9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 3).tolist() == [1.5, 3.5, 5.5]
    values = [float(number * number % 17) for number in range(40)]
    found = batch_means(values, 10)
    means = [sum(values[at : at + 4]) / 4 for at in range(0, 40, 4)]
    assert found.mean == mean_over_replications(means)
    assert found.size == 4


@given(st.lists(st.floats(-1e3, 1e3), min_size=20, max_size=200))
def test_there_are_ten_to_thirty_batches_and_their_check_is_told(values: list[float]) -> None:
    found = batch_means(values)
    assert 10 <= found.mean.n <= 30
    assert found.size * found.mean.n <= len(values) < (found.size + 1) * found.mean.n
    assert found.uncorrelated == (found.probability >= 0.1)


def test_an_interval_of_an_ar1_is_as_wide_as_its_known_variance_says() -> None:
    """The variance of the mean of n values is nearly (1 + phi) / (1 - phi) / n."""
    rows = autoregressive(np.random.default_rng(1), 0.8, 300, 3000)
    known = np.sqrt(9.0 / 3000)
    assert np.sqrt(np.mean([(batch_means(row).mean.deviation ** 2) / batch_means(row).mean.n for row in rows])) == (
        pytest.approx(known, rel=0.1)
    )
    assert 0.91 <= coverage(rows, 0.0) <= 0.98


def test_an_interval_of_a_queues_mean_wait_holds_it_nearly_as_often_as_is_said() -> None:
    """M/M/1 at loads of 0.5 and 0.8: 10,000 customers are many for the first and few for the second."""
    draw = np.random.default_rng(1)
    assert 0.90 <= coverage(waits(draw, 0.5, 200, 10_500)[:, 500:], 1.0) <= 0.98
    assert 0.82 <= coverage(waits(draw, 0.8, 200, 10_500)[:, 500:], 4.0) <= 0.95


def test_a_run_too_short_for_its_memory_is_told_most_of_the_time() -> None:
    rows = autoregressive(np.random.default_rng(1), 0.98, 200, 200)
    assert np.mean([batch_means(row).uncorrelated for row in rows]) < 0.4


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(StatisticsError, match="an interval by batch means needs 20 values at least and got 19"):
        batch_means([1.0] * 19)
    with pytest.raises(StatisticsError, match="over 7 batches cannot be checked: take 8 or more"):
        batch_means([1.0] * 100, 7)


@pytest.mark.parametrize("seed", range(8))
def test_there_are_as_many_batches_as_show_no_correlation(seed: int) -> None:
    """The first number from 30 down at which von Neumann's test finds a probability of 0.1 or more."""
    values = autoregressive(np.random.default_rng(seed), 0.7, 1, 300)[0]
    enough = [count for count in range(30, 9, -1) if von_neumann(in_batches(values, count)) >= 0.1]
    assert batch_means(values).mean.n == (enough[0] if enough else 10)
    assert batch_means(values).uncorrelated is bool(enough)
