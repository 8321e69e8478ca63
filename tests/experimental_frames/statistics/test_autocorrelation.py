"""Autocorrelation: by hand, and of series whose own is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.statistics import StatisticsError, lag_one, memory, von_neumann
from tests.experimental_frames.statistics.known import autoregressive


def test_neighbours_worked_out_by_hand() -> None:
    assert lag_one([1.0, 2.0, 3.0, 4.0]) == pytest.approx((2.25 * 0.0 + 0.75 - 0.25 + 0.75) / 5.0)
    assert lag_one([1.0, 1.0, 1.0]) == 0.0


@pytest.mark.parametrize("known", [0.0, 0.5, 0.9])
def test_the_memory_of_a_series_is_found_beside_its_trend(known: float) -> None:
    rows = autoregressive(np.random.default_rng(1), known, 300, 320) + np.linspace(0.0, 20.0, 320)
    assert np.mean([memory(row) for row in rows]) == pytest.approx(known, abs=0.015)
    assert all(lag_one(row) > 0.9 for row in rows)  # the trend itself, if it is not taken out


@pytest.mark.parametrize("known", [0.5, 0.8])
def test_in_a_short_series_too_it_is_found_without_bias(known: float) -> None:
    """The bias of the plain autocorrelation about a line is (2 + 5 rho) / n, 0.06 and 0.08 here."""
    rows = autoregressive(np.random.default_rng(1), known, 3000, 80) + np.linspace(0.0, 5.0, 80)
    assert np.mean([memory(row) for row in rows]) == pytest.approx(known, abs=0.014)


def test_a_line_has_nothing_beside_its_trend() -> None:
    assert memory(0.05 + 1e-4 * np.arange(100)) == 0.0
    assert memory([0.3] * 20) == 0.0


@given(st.lists(st.floats(-100.0, 100.0), min_size=8, max_size=40).filter(lambda values: np.ptp(values) > 0.01))
def test_von_neumanns_statistic_is_the_correlation_of_neighbours_and_of_what_the_ends_lack(values: list[float]) -> None:
    """The same number by another way (Fishman, 1978), and scipy's normal distribution."""
    around, n = np.array(values) - np.mean(values), len(values)
    c = lag_one(values) + (around[0] ** 2 + around[-1] ** 2) / (2.0 * (around**2).sum())
    assert von_neumann(values) == pytest.approx(float(stats.norm.sf(c * np.sqrt((n**2 - 1) / (n - 2)))), abs=1e-9)


def test_von_neumanns_test_is_as_often_wrong_as_it_says_and_finds_correlation() -> None:
    draw = np.random.default_rng(1)
    for n in (10, 30):
        found = [von_neumann(row) for row in draw.normal(size=(2000, n))]
        assert np.mean(np.array(found) < 0.1) == pytest.approx(0.1, abs=0.02)
    assert np.mean([von_neumann(row) < 0.1 for row in autoregressive(draw, 0.8, 300, 30)]) > 0.9
    assert von_neumann([2.0] * 10) == 1.0


def test_too_few_values_are_told() -> None:
    with pytest.raises(StatisticsError, match="von Neumann's test needs 8 values at least and got 7"):
        von_neumann([1.0] * 7)
