"""MSER-5: against its definition, and on transients that are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.statistics import StatisticsError, mser5
from tests.approximately import near
from tests.experimental_frames.statistics.known import autoregressive, waits


@given(st.lists(st.integers(-50, 50), min_size=20, max_size=60), st.sampled_from([1, 2]))
def test_no_other_cut_in_the_first_half_has_a_smaller_standard_error(values: list[int], batch: int) -> None:
    means = [sum(values[at : at + batch]) / batch for at in range(0, len(values) // batch * batch, batch)]
    errors = [np.var(means[cut:]) / (len(means) - cut) for cut in range(len(means) // 2 + 1)]
    found = mser5(values, batch)
    assert errors[found.length // batch] == pytest.approx(min(errors), abs=1e-9)
    assert found.mean == pytest.approx(np.mean(values[found.length :]))
    assert found.settled == (found.length // batch < len(means) // 2)


def test_a_beginning_that_lies_apart_is_cut_off_and_nothing_else() -> None:
    found = mser5([100.0] * 15 + [1.0, 2.0, 3.0, 2.0, 1.0] * 20)
    assert (found.length, found.settled, found.mean) == (15, True, near(1.8))


def test_a_transient_that_dies_away_is_cut_where_little_of_it_is_left() -> None:
    """One of 10 deviations that falls to 1 / e in 20 values: at the cuts some 1 % to 20 % of it are left."""
    rows = autoregressive(np.random.default_rng(1), 0.5, 200, 600) + 10.0 * np.exp(-np.arange(600) / 20.0)
    lengths = [mser5(row).length for row in rows]
    assert np.quantile(lengths, 0.05) >= 35
    assert np.quantile(lengths, 0.95) <= 110


def test_it_takes_away_the_bias_of_a_queue_that_was_full_at_first() -> None:
    rows = waits(np.random.default_rng(1), 0.5, 100, 2000)
    rows[:, :150] += np.linspace(15.0, 0.0, 150)
    cut = np.array([mser5(row).mean for row in rows])
    assert rows.mean() == pytest.approx(1.0 + 0.56, abs=0.1)
    assert cut.mean() == pytest.approx(1.0, abs=0.1)


def test_a_series_that_rises_all_the_time_has_not_settled() -> None:
    assert not mser5([float(number) for number in range(100)]).settled


def test_values_that_are_all_the_same_need_no_cut() -> None:
    assert mser5([0.1] * 50).length == 0


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(StatisticsError, match="a warm-up by MSER needs 50 values at least and got 49: run longer"):
        mser5([1.0] * 49)
    with pytest.raises(StatisticsError, match="batches of 0 values"):
        mser5([1.0] * 50, 0)
    with pytest.raises(StatisticsError, match="got nan as value number 3: leave out"):
        mser5([1.0] * 3 + [float("nan")] + [1.0] * 50)
