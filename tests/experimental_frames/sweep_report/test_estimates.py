from __future__ import annotations

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experimental_frames.sweep.columns import Column
from experimental_frames.sweep_report.estimates import Estimate, digits_for, estimate, number_text, texts

LENGTH = Column("error_m", "error", "cm", 100.0)


def test_an_interval_is_students() -> None:
    found = estimate([1.0, 2.0, 3.0])
    half = 4.302652729749464 / 3**0.5  # t at 97.5 % with two degrees of freedom, and a deviation of 1
    assert found.mean == 2.0
    assert found.low == pytest.approx(2.0 - half)
    assert found.high == pytest.approx(2.0 + half)


def test_one_value_has_no_interval_and_none_has_no_mean() -> None:
    assert estimate([3.0]) == Estimate(1, 3.0)
    assert texts(estimate([]), LENGTH) == ("–", "")
    assert texts(estimate([0.1234567]), LENGTH) == ("12.35", "")


def test_two_digits_of_the_half_width_are_told() -> None:
    assert texts(Estimate(5, 0.123456, 0.120, 0.127), LENGTH) == ("12.35", "12.00 to 12.70")
    assert texts(Estimate(5, -0.00001, -0.02, 0.02), LENGTH) == ("0.0", "−2.0 to 2.0")
    assert texts(Estimate(5, 0.5, 0.4, 0.6), LENGTH, sign=True) == ("+50", "+40 to +60")


@given(st.floats(-1e9, 1e9), st.floats(0.0, 1e9))
def test_digits_are_few_for_whatever_is_measured(mean: float, half: float) -> None:
    assert 0 <= digits_for(half, mean) <= 9


@given(st.one_of(st.floats(), st.just(nan)))
def test_every_number_has_a_text_that_says_it(value: float) -> None:
    text = number_text(value)
    if abs(value) < 1e9:
        assert float(text.replace("−", "-").replace(",", "")) == pytest.approx(value, rel=1e-3, abs=1e-9)
