"""Autocorrelation: by hand, and of series whose own is known."""

from __future__ import annotations

import numpy as np
import pytest

from experimental_frames.statistics import StatisticsError, lag_one, memory, von_neumann
from tests.experimental_frames.statistics.known import autoregressive


def test_neighbours_worked_out_by_hand() -> None:
    assert lag_one([1.0, 2.0, 3.0, 4.0]) == pytest.approx((2.25 * 0.0 + 0.75 - 0.25 + 0.75) / 5.0)
    assert lag_one([1.0, 1.0, 1.0]) == 0.0


@pytest.mark.parametrize("known", [0.0, 0.5, 0.9])
def test_the_memory_of_a_series_is_found_beside_its_trend(known: float) -> None:
    rows = autoregressive(np.random.default_rng(1), known, 300, 320) + np.linspace(0.0, 20.0, 320)
    assert np.mean([memory(row) for row in rows]) == pytest.approx(known, abs=0.015)
    assert all(lag_one(row) > 0.9 for row in rows)  # the trend itself, if it is not taken out


def test_a_line_has_nothing_beside_its_trend() -> None:
    assert memory(0.05 + 1e-4 * np.arange(100)) == 0.0
    assert memory([0.3] * 20) == 0.0


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
