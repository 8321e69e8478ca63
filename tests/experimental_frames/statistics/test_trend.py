"""Mann-Kendall's test and Sen's slope: by hand, and how often they are right on series that are known."""

from __future__ import annotations

from itertools import combinations, permutations
from math import pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.statistics import StatisticsError, in_batches, mann_kendall, sen_slope, trend
from devs_robotics.experimental_frames.statistics.trend import inflation_of_batches
from tests.approximately import near
from tests.experimental_frames.statistics.known import autoregressive

LENGTH = 320


def test_a_test_worked_out_by_hand() -> None:
    """Of the 24 orders of four values, four have one inversion or none."""
    found = mann_kendall([1.0, 3.0, 2.0, 4.0], "up")
    assert (found.s, found.p) == (4, near(4 / 24))
    assert mann_kendall([1.0, 3.0, 2.0, 4.0], "down").p == pytest.approx(23 / 24)
    assert mann_kendall([1.0, 3.0, 2.0, 4.0]).p == pytest.approx(8 / 24)
    assert mann_kendall([5.0] * 6).p == 1.0


@pytest.mark.parametrize("values", [(3, 1, 4, 2, 6, 5), (1, 2, 3, 5, 4, 6), (6, 5, 1, 4, 3, 2)])
def test_the_probability_is_the_share_of_orders_with_such_a_sum_or_more(values: tuple[int, ...]) -> None:
    """Of all 720, counted one by one."""
    found = mann_kendall(values, "up")

    def s(order: tuple[int, ...]) -> int:
        return sum(int(np.sign(later - earlier)) for earlier, later in combinations(order, 2))

    assert found.s == s(values)
    assert found.p == pytest.approx(np.mean([s(order) >= found.s for order in permutations(values)]))


@given(
    st.lists(st.integers(-6, 6), min_size=4, max_size=40),
    st.lists(st.integers(1, 3), min_size=40, max_size=40),
    st.floats(0.51, 0.999),
)
def test_sens_slope_and_its_interval_are_those_of_scipy(values: list[int], steps: list[int], level: float) -> None:
    times = np.cumsum(steps)[: len(values)]
    found, other = sen_slope(values, times, level=level), stats.theilslopes(values, times, level)
    assert (found.slope, found.interval.low, found.interval.high) == pytest.approx(
        (other.slope, other.low_slope, other.high_slope)
    )


def test_a_lower_level_has_a_narrower_interval() -> None:
    values = np.random.default_rng(1).normal(size=30)
    widths = [sen_slope(values, level=level).interval.half_width for level in (0.1, 0.3, 0.5, 0.7, 0.95)]
    assert widths == sorted(set(widths))


def test_a_slope_worked_out_by_hand() -> None:
    """The slopes of the pairs are -1, 0.5, 0.5, 1, 2, 2."""
    assert sen_slope([1.0, 3.0, 2.0, 4.0]).slope == pytest.approx(0.75)
    assert sen_slope([1.0, 3.0, 2.0, 4.0], [0.0, 2.0, 4.0, 6.0]).slope == pytest.approx(0.375)
    assert sen_slope([2.0] * 5).slope == 0.0


@given(
    st.lists(st.floats(-10, 10), min_size=20, max_size=80),
    st.floats(0.1, 10.0),
    st.floats(-5.0, 5.0),
    st.floats(-1.0, 1.0),
)
def test_a_change_of_units_or_an_added_line_changes_the_slope_alike(
    values: list[float], scale: float, shift: float, line: float
) -> None:
    times = [2.0 * number for number in range(len(values))]
    found = trend(values, times)
    other = trend([scale * (value + line * time) + shift for value, time in zip(values, times, strict=True)], times)
    assert other.slope == pytest.approx(scale * (found.slope + line), abs=1e-6)
    assert found.interval.low - 1e-9 <= found.slope <= found.interval.high + 1e-9


def test_of_independent_values_it_is_mann_kendalls_own_test() -> None:
    """Twenty values that have no positive correlation: each is a batch, and nothing is corrected."""
    values = [(-1.0) ** number * (1.0 + number % 7) + 0.05 * number for number in range(20)]
    found = trend(values, direction="either")
    assert (found.batches, found.size, found.memory, found.inflation) == (20, 1, 0.0, 1.0)
    s, variance = mann_kendall(values).s, 20 * 19 * 45 / 18
    assert s < 0
    assert found.p == pytest.approx(2.0 * float(stats.norm.sf((abs(s) - 1) / sqrt(variance))))
    assert trend(values).p == pytest.approx(float(stats.norm.sf((s + 1) / sqrt(variance))))
    assert found.slope == pytest.approx(sen_slope(values).slope)


@pytest.mark.parametrize(("memory", "length"), [(0.8, 320), (0.95, 320), (0.8, 80), (0.5, 20)])
def test_the_statistic_varies_as_much_more_as_is_said(memory: float, length: int) -> None:
    """Of batch means of an AR(1): Hamed and Rao's factor, and that of 3000 series."""
    rows = autoregressive(np.random.default_rng(5), memory, 3000, length)
    means = np.array([in_batches(row, 20) for row in rows])
    signs = np.sign(means[:, None, :] - means[:, :, None])
    s = np.triu(signs, 1).sum(axis=(1, 2))
    assert inflation_of_batches(20, length // 20, memory) == pytest.approx(s.var() / (20 * 19 * 45 / 18), rel=0.1)


@pytest.mark.parametrize(("memory", "length"), [(0.0, 320), (0.8, 320), (0.9, 80)])
def test_the_standard_error_of_a_slope_is_that_of_many_series(memory: float, length: int) -> None:
    """Their median, since of a short series with a long memory some are very large."""
    found = [trend(row) for row in autoregressive(np.random.default_rng(6), memory, 800, length)]
    known = np.std([one.slope for one in found])
    assert np.median([one.deviation for one in found]) == pytest.approx(known, rel=0.1)


def test_what_is_detectable_is_the_standard_error_times_two_quantiles() -> None:
    found = trend(np.random.default_rng(7).normal(size=100))
    quantiles = float(stats.t.ppf(0.99, 18) + stats.t.ppf(0.9, 18))
    assert found.detectable(0.01, 0.9) == pytest.approx(quantiles * found.deviation)


@pytest.mark.parametrize(("memory", "most"), [(0.0, 0.02), (0.8, 0.02), (0.9, 0.025), (0.95, 0.045)])
def test_series_without_a_trend_are_seldom_called_rising(memory: float, most: float) -> None:
    """Asked at 1 % and at 5 %, up and down, whatever the autocorrelation."""
    rows = autoregressive(np.random.default_rng(2), memory, 500, LENGTH)
    p = np.array([trend(row).p for row in rows])
    down = np.array([trend(row, direction="down").p for row in rows])
    assert np.mean(p < 0.01) <= most
    assert np.mean(p < 0.05) == pytest.approx(0.05, abs=0.03)
    assert np.mean(down < 0.05) == pytest.approx(0.05, abs=0.03)


def test_the_plain_test_is_misled_by_autocorrelation() -> None:
    rows = autoregressive(np.random.default_rng(2), 0.8, 200, LENGTH)
    assert np.mean([mann_kendall(row, "up").p < 0.05 for row in rows]) > 0.15


@pytest.mark.parametrize("memory", [0.0, 0.8])
def test_the_slope_that_is_said_to_be_detectable_is_detected_that_often(memory: float) -> None:
    rows = autoregressive(np.random.default_rng(3), memory, 400, LENGTH)
    slope = np.mean([trend(row).detectable(0.05, 0.9) for row in rows])
    found = np.mean([trend(row + slope * np.arange(LENGTH)).p < 0.05 for row in rows])
    assert found == pytest.approx(0.88, abs=0.05)


@pytest.mark.parametrize("memory", [0.0, 0.8])
def test_the_interval_of_a_slope_holds_it_nearly_as_often_as_is_said(memory: float) -> None:
    rows = autoregressive(np.random.default_rng(4), memory, 400, LENGTH) + 0.02 * np.arange(LENGTH)
    assert 0.91 <= np.mean([trend(row).interval.holds(0.02) for row in rows]) <= 0.985


def test_values_that_never_change_have_no_trend() -> None:
    found = trend([0.0] * 50)
    assert (found.p, found.slope, found.deviation) == (1.0, 0.0, 0.0)
    assert found.detectable(0.05, 0.9) == 0.0


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(StatisticsError, match="a trend needs 20 values at least and got 19"):
        trend([1.0] * 19)
    with pytest.raises(StatisticsError, match="a trend of 5 batches is not possible: take 10 or more"):
        trend([1.0] * 100, batches=5)
    with pytest.raises(StatisticsError, match="got 20 values and 3 times: give one time for each value"):
        trend([1.0] * 20, [1.0, 2.0, 3.0])
    with pytest.raises(StatisticsError, match="times that go back or stand still at number 2: sort them"):
        sen_slope([1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 1.0, 2.0])


def test_the_error_of_a_slope_worked_out_by_hand() -> None:
    """Of least squares, over the efficiency of Sen's slope, which is 3 / pi: values that are alternately too large."""
    values = 0.1 * np.arange(20.0) + np.tile([1.0, -1.0], 10)
    found = trend(values)
    assert (found.batches, found.size, found.memory, found.inflation) == (20, 1, 0.0, 1.0)
    places = np.arange(20.0) - 9.5
    left = values - values.mean() - found.slope * places
    assert found.deviation == pytest.approx(((left @ left) / 18.0 * pi / 3.0 / (places @ places)) ** 0.5)


def test_a_series_is_worth_as_many_independent_values_as_its_memory_leaves_of_all() -> None:
    values = autoregressive(np.random.default_rng(1), 0.8, 1, 343)[0]
    found = trend(values)
    assert found.batches * found.size == 340
    assert found.memory == pytest.approx(0.8, abs=0.1)
    assert found.independent == pytest.approx(343 * (1.0 - found.memory) / (1.0 + found.memory))
