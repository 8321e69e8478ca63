"""Sequential stopping: it stops where it should, and what it says then is true about as often as it says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.statistics import (
    StatisticsError,
    mean_over_replications,
    precision,
    replicate_until,
)

SHARE = 0.25


def test_the_half_width_is_reached_and_not_one_replication_earlier() -> None:
    values = np.random.default_rng(1).normal(10.0, 1.0, 1000)
    found = replicate_until(lambda number: float(values[number]), SHARE)
    n = found.mean.n
    assert found.enough
    assert found.interval.half_width <= SHARE
    assert found.mean == mean_over_replications(values[:n])
    assert all(mean_over_replications(values[:m]).interval.half_width > SHARE for m in range(10, n))


def test_intervals_at_the_stop_hold_the_mean_nearly_as_often_as_is_said() -> None:
    """Of normal values whose deviation is four times the half-width: (1.96 * 4)^2 = 61 replications are needed."""
    held, lengths = [], []
    for values in np.random.default_rng(1).normal(0.0, 1.0, (400, 200)):
        found = replicate_until(lambda number, values=values: float(values[number]), SHARE, most=200)  # type: ignore[misc]
        held.append(found.interval.holds(0.0))
        lengths.append(found.mean.n)
    assert 0.91 <= np.mean(held) <= 0.97
    assert np.mean(lengths) == pytest.approx(61.5, abs=5.0)


def test_a_relative_half_width_bounds_the_relative_error() -> None:
    values = np.random.default_rng(1).exponential(2.0, (200, 600))
    errors = []
    for row in values:
        found = replicate_until(lambda number, row=row: float(row[number]), 0.2, relative=True, most=600)  # type: ignore[misc]
        assert found.wanted == pytest.approx(found.mean.mean * 0.2 / 1.2)
        errors.append(abs(found.mean.mean - 2.0) / 2.0)
    assert 0.91 <= np.mean(np.array(errors) <= 0.2) <= 0.99


def test_how_many_will_be_needed_is_worked_out_from_the_spread() -> None:
    """Four times the half-width that is wanted takes sixteen times as many."""
    values = np.random.default_rng(2).normal(size=12)
    half = mean_over_replications(values).interval.half_width
    assert precision(values, half / 4.0 * 1.0001).replications == 16 * 12
    assert precision(values, half * 0.999).replications == 13


def test_it_ends_at_most_there_and_says_that_it_is_not_enough() -> None:
    found = replicate_until(lambda number: float(number % 2), 0.001, most=12)
    assert (found.enough, found.mean.n) == (False, 12)
    assert found.replications > 100_000


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=9))
def test_the_first_stage_is_always_gone_through(values: list[float]) -> None:
    found = precision(values, 1e9)
    assert not found.enough
    assert found.replications == 10


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(StatisticsError, match="a half-width of 0 cannot be reached: give a positive number"):
        precision([1.0, 2.0], 0.0)
    with pytest.raises(StatisticsError, match="a share of a mean of 0 cannot be a half-width: give an absolute one"):
        precision([-1.0, 1.0], 0.1, relative=True)
    with pytest.raises(
        StatisticsError, match="10 replications first and 5 at most are not possible: let first be 2 or more"
    ):
        replicate_until(float, 0.1, most=5)


def test_as_many_as_the_first_stage_are_enough_and_one_fewer_are_not() -> None:
    values = [1.0, 1.001] * 5
    assert precision(values, 0.1, first=10).enough
    few = precision(values[:9], 0.1, first=10)
    assert (few.enough, few.replications) == (False, 10)
