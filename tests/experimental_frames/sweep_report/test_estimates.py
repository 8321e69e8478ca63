from __future__ import annotations

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.statistics.estimates import MANY, mean_of
from devs_robotics.experimental_frames.sweep_report.estimates import (
    MetricEstimate,
    digits_for,
    estimate,
    number_text,
    texts,
)

LENGTH = Metric("error_m", "error", "cm", 100.0)
OFFSET = Metric("offset_m", "offset", "cm", 100.0, signed=True)
LOST = Metric("first_lost_at_s", "first robot lost at", "s", rare=True)


def test_an_interval_is_students() -> None:
    found = estimate([1.0, 2.0, 3.0], OFFSET, 3)
    half = 4.302652729749464 / 3**0.5  # t at 97.5 % with two degrees of freedom, and a deviation of 1
    assert found.mean == 2.0
    assert found.low == pytest.approx(2.0 - half)
    assert found.high == pytest.approx(2.0 + half)


def test_an_interval_of_many_runs_is_the_bootstraps() -> None:
    values = [float(number % 7) ** 2 for number in range(MANY)]
    found, told = estimate(values, OFFSET, MANY), mean_of(values, OFFSET.name)
    assert (found.mean, found.low, found.high) == (told.mean, told.low, told.high)


@given(st.lists(st.floats(0.0, 1e6), min_size=3, unique=True))
def test_only_an_interval_of_what_can_be_less_than_zero_goes_below_it(values: list[float]) -> None:
    signed = estimate(values, replace(LENGTH, signed=True), len(values))
    found = estimate(values, LENGTH, len(values))
    assert signed.low is not None
    assert found.low == max(0.0, signed.low)
    assert found.high == signed.high


@pytest.mark.parametrize("values", [[], [3.0], [3629.0, 4000.0], [5.0, 5.0, 5.0, 5.0]])
def test_few_values_and_those_that_never_change_have_no_interval(values: list[float]) -> None:
    found = estimate(values, OFFSET, 10)
    assert found.low is found.high is None


def test_the_range_of_the_values_stands_where_there_is_no_interval() -> None:
    assert texts(estimate([0.36, 0.4], LENGTH, 10), LENGTH) == ("38", "from 36 to 40 in 2 of 10 runs")
    assert texts(estimate([0.0, 0.0, 0.0, 2.0], LOST, 4), LOST) == ("0.5", "from 0 to 2 in 4 runs")
    assert texts(estimate([3629.0], LOST, 10), LOST) == ("3,629", "1 of 10 runs")


def test_what_never_changes_stands_alone() -> None:
    assert texts(estimate([100.0] * 10, LOST, 10), LOST) == ("100", "")
    assert texts(estimate([0.1234567], LENGTH, 1), LENGTH) == ("12.35", "")
    assert texts(estimate([], LENGTH, 10), LENGTH) == ("–", "")


def test_two_digits_of_the_half_width_are_told() -> None:
    assert texts(MetricEstimate(5, 5, 0.123456, 0.120, 0.127), LENGTH) == ("12.35", "12.00 to 12.70")
    assert texts(MetricEstimate(5, 5, -0.00001, -0.02, 0.02), OFFSET) == ("0.0", "−2.0 to 2.0")


@given(st.floats(-1e9, 1e9), st.floats(0.0, 1e9))
def test_digits_are_few_for_whatever_is_measured(mean: float, half: float) -> None:
    assert 0 <= digits_for(half, mean) <= 9


@given(st.one_of(st.floats(), st.just(nan)))
def test_every_number_has_a_text_that_says_it(value: float) -> None:
    text = number_text(value)
    if abs(value) < 1e9:
        assert float(text.replace("−", "-").replace(",", "")) == pytest.approx(value, rel=1e-3, abs=1e-9)
