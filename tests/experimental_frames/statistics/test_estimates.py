"""Means with their intervals: known answers, and how often the intervals hold the truth."""

from __future__ import annotations

from math import isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.statistics import estimates
from devs_robotics.experimental_frames.statistics.estimates import MANY, Estimate, mean_of, paired_difference
from tests.approximately import near

numbers = st.floats(-1e6, 1e6)


def coverage(n: int, trials: int = 500) -> float:
    """Share of intervals of the mean of n normal values that hold the true one."""
    samples = np.random.default_rng(7).normal(3.0, 2.0, (trials, n))
    held = 0
    for number, sample in enumerate(samples):
        estimate = mean_of(sample, f"trial {number}", resamples=999)
        assert estimate.low is not None
        assert estimate.high is not None
        held += estimate.low <= 3.0 <= estimate.high
    return held / trials


@pytest.mark.parametrize(
    ("n", "least", "most"), [(3, 0.92, 0.98), (5, 0.92, 0.98), (10, 0.92, 0.98), (40, 0.915, 0.975)]
)
def test_intervals_hold_the_true_mean_about_as_often_as_is_said(n: int, least: float, most: float) -> None:
    assert least <= coverage(n) <= most


def test_of_many_normal_values_the_interval_is_students() -> None:
    values = np.random.default_rng(1).normal(0.35, 0.05, 60)
    estimate = mean_of(values, "error")
    assert estimate.mean == pytest.approx(values.mean(), rel=1e-12)
    low, high = stats.t.interval(0.95, 59, values.mean(), values.std(ddof=1) / sqrt(60))
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.low == pytest.approx(low, abs=0.07 * (high - low))
    assert estimate.high == pytest.approx(high, abs=0.07 * (high - low))


def test_a_skewed_sample_has_a_skewed_interval() -> None:
    values = np.random.default_rng(1).exponential(1.0, 30)
    estimate = mean_of(values, "error")
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.high - estimate.mean > 1.1 * (estimate.mean - estimate.low)


def test_without_values_there_is_no_mean_and_one_value_has_no_interval() -> None:
    none = mean_of([nan, nan], "error")
    assert none.n == 0
    assert isnan(none.mean)
    assert none.low is none.high is None
    assert mean_of([nan, 0.3], "error") == Estimate(1, 0.3, None, None)
    assert mean_of([0.1, 0.3], "error") == Estimate(2, near(0.2), None, None)


@given(numbers, st.integers(2, 40))
def test_equal_values_have_an_interval_without_width(value: float, n: int) -> None:
    assert mean_of([value] * n, "error") == Estimate(n, value, value, value)


def test_of_few_values_the_interval_is_students() -> None:
    values = [0.1, 0.4, 0.2, 0.9]
    low, high = stats.t.interval(0.95, 3, np.mean(values), np.std(values, ddof=1) / 2.0)
    assert mean_of(values, "error") == Estimate(4, near(0.4), near(low), near(high))


@pytest.mark.parametrize("n", [5, MANY + 5])
def test_an_interval_of_what_cannot_be_less_than_zero_ends_there(n: int) -> None:
    values = [0.0] * (n - 1) + [1.0]
    signed, cut = mean_of(values, "error"), mean_of(values, "error", signed=False)
    assert signed.low is not None
    assert cut == Estimate(n, signed.mean, max(0.0, signed.low), signed.high)


def test_of_what_few_runs_have_there_is_no_interval_unless_all_are_the_same() -> None:
    assert mean_of([0.0] * 5 + [6.0], "lost", rare=True) == Estimate(6, 1.0, None, None)
    assert mean_of([2.0] * 6, "lost", rare=True) == Estimate(6, 2.0, 2.0, 2.0)


def test_more_values_than_fit_in_memory_at_once_have_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).exponential(1.0, 50)
    whole = mean_of(values, "error", resamples=99)
    monkeypatch.setattr(estimates, "AT_ONCE", 500)
    assert mean_of(values, "error", resamples=99) == whole


@given(st.lists(numbers, min_size=MANY, max_size=MANY + 10))
def test_an_interval_of_many_lies_within_the_values_and_is_the_same_each_time(values: list[float]) -> None:
    estimate = mean_of(values, "error", resamples=199)
    assert estimate.low is not None
    assert estimate.high is not None
    margin = 1e-9 * max(map(abs, values))
    assert min(values) - margin <= estimate.low <= estimate.high <= max(values) + margin
    assert estimate == mean_of(values, "error", resamples=199)


def test_a_name_has_random_numbers_of_its_own() -> None:
    values = np.random.default_rng(1).normal(size=MANY)
    assert mean_of(values, "one", resamples=99) != mean_of(values, "other", resamples=99)


def test_pairs_cancel_what_a_seed_has_in_common() -> None:
    """Runs that differ much from seed to seed, all of them larger by one: pairing is what shows it."""
    reference = {seed: 100.0 * seed for seed in range(10)}
    values = {seed: value + 1.0 for seed, value in reference.items()}
    assert paired_difference(values, reference, "d") == Estimate(10, 1.0, 1.0, 1.0)


def test_seeds_without_a_partner_are_left_out() -> None:
    difference = paired_difference({1: 2.0, 2: 5.0, 3: nan, 4: 1.0}, {1: 1.0, 2: 2.0, 3: 0.0, 9: 0.0}, "d")
    assert (difference.n, difference.mean) == (2, 2.0)
    assert paired_difference({1: 1.0}, {2: 1.0}, "d").n == 0
