"""Ratios of means: known answers, and how often the intervals hold the truth."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.sweep.ratios import FEWEST_PAIRS, log_ratio_interval, ratio_of_means

VALUES = dict(enumerate([3.0, 4.0, 5.0, 6.0, 9.0, 4.0, 5.0, 7.0]))
positive = st.dictionaries(st.integers(0, 20), st.floats(0.1, 1e3), min_size=FEWEST_PAIRS, max_size=12)


def coverage(pairs: int, trials: int = 300) -> float:
    """Share of intervals that hold the true ratio of log-normal pairs that have most of their scatter in common."""
    rng = np.random.default_rng(5)
    held = 0
    for trial in range(trials):
        common, apart = rng.normal(0.0, 0.3, pairs), rng.normal(0.0, 0.1, (2, pairs))
        values, reference = 1.1 * np.exp(common + apart[0]), np.exp(common + apart[1])
        found = ratio_of_means(dict(enumerate(values)), dict(enumerate(reference)), str(trial), resamples=999)
        assert found.interval is not None
        held += found.interval.holds(1.1)
    return held / trials


@pytest.mark.parametrize("pairs", [FEWEST_PAIRS, 12, 20])
def test_intervals_hold_the_true_ratio_about_as_often_as_is_said(pairs: int) -> None:
    assert 0.90 <= coverage(pairs) <= 0.98


def test_with_the_fewest_pairs_no_interval_explodes() -> None:
    """None of 200 is more than three times as wide as Student's of the logarithms, which is exact here."""
    rng = np.random.default_rng(5)
    for trial in range(200):
        a, b = np.exp(rng.normal(0.0, 0.3, (2, FEWEST_PAIRS)))
        interval = ratio_of_means(dict(enumerate(a)), dict(enumerate(b)), str(trial), resamples=999).interval
        assert interval is not None
        half = 2.365 * np.log(a / b).std(ddof=1) / FEWEST_PAIRS**0.5  # t at 97.5 % with seven degrees of freedom
        assert np.log(interval.high / interval.low) < 3.0 * 2.0 * half


def test_below_the_fewest_pairs_there_is_a_ratio_without_an_interval() -> None:
    few = {replicate: 1.0 + replicate for replicate in range(FEWEST_PAIRS - 1)}
    found = ratio_of_means(few, dict.fromkeys(few, 1.0), "few")
    assert found.value == pytest.approx((FEWEST_PAIRS - 1 + 1) / 2)
    assert found.interval is None


def test_what_pairs_have_in_common_does_not_widen_the_interval() -> None:
    rng = np.random.default_rng(2)
    common = np.exp(rng.normal(0.0, 0.5, 10))
    values, reference = 1.05 * common * np.exp(rng.normal(0.0, 0.01, 10)), common
    shuffled = np.roll(reference, 3)
    paired = ratio_of_means(dict(enumerate(values)), dict(enumerate(reference)), "a").interval
    apart = ratio_of_means(dict(enumerate(values)), dict(enumerate(shuffled)), "a").interval
    assert paired is not None
    assert apart is not None
    assert paired.half_width < 0.1 * apart.half_width
    assert paired.low > 1.0


@given(positive, st.floats(0.1, 10.0))
def test_values_with_one_ratio_have_no_doubt(values: dict[int, float], factor: float) -> None:
    found = ratio_of_means({key: factor * value for key, value in values.items()}, values, "scaled", resamples=99)
    assert found.value == pytest.approx(factor, rel=1e-9)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((factor, factor), rel=1e-6)


@given(positive, positive)
def test_the_interval_is_ordered_and_only_common_replicates_count(a: dict[int, float], b: dict[int, float]) -> None:
    found = ratio_of_means(a, b, "any", resamples=99)
    common = a.keys() & b.keys()
    assert found.pairs == len(common)
    if len(common) < FEWEST_PAIRS:
        assert found.interval is None
    else:
        assert found.interval is not None
        assert 0.0 < found.interval.low <= found.interval.high


def test_the_error_of_a_logarithm_of_a_ratio_is_that_of_its_linear_part() -> None:
    """Worked out with numpy: the standard error of the mean of what the pairs add to the logarithm."""
    over, under = np.array([3.0, 4.0, 5.0, 6.0]), np.array([2.0, 2.0, 3.0, 5.0])
    _, error = log_ratio_interval(over, under, "E", level=0.95, resamples=99)
    assert error == pytest.approx((over / over.mean() - under / under.mean()).std(ddof=1) / 4**0.5)


def test_the_same_name_gives_the_same_interval() -> None:
    reference = dict(enumerate([3.1, 3.9, 5.2, 6.3, 8.0, 4.2, 4.9, 7.1]))
    assert ratio_of_means(VALUES, reference, "E") == ratio_of_means(VALUES, reference, "E")


def test_of_means_that_are_not_above_zero_there_is_no_ratio() -> None:
    for other in ({}, dict.fromkeys(VALUES, 0.0)):
        assert isnan(ratio_of_means(VALUES, other, "E").value)
        assert isnan(ratio_of_means(other, VALUES, "E").value)


def test_a_few_zeros_do_no_harm() -> None:
    found = ratio_of_means(dict(enumerate([0.0] * 7 + [1.0])), VALUES, "collisions")
    assert found.interval is None or 0.0 <= found.interval.low <= found.interval.high
