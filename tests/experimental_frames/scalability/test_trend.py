"""Curves are found again in data that were made from them, as often as is said."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from experimental_frames.scalability.forecast import forecast
from experimental_frames.scalability.trend import CURVES, Model, fit_trend
from experimental_frames.statistics.series import Array
from experimental_frames.sweep.columns import column

WIDE = (10, 20, 30, 40, 100, 300, 1000)
NARROW = (10, 20, 30, 40)
ERROR, DISTANCE = column("error_at_pose_changes_m"), column("smallest_distance_m")

SLOPES: dict[Model, float] = {
    "constant": 0.0,
    "levelling off": -0.5,
    "logarithmic": 0.01,
    "square root": 0.0015,
    "linear": 5e-5,
}


def truth(model: Model, size: float) -> float:
    return 0.2 + SLOPES[model] * float(CURVES[model](np.array([size], dtype=np.float64))[0])


def made(model: Model, sizes: tuple[int, ...], rng: np.random.Generator, growth: float = 0.0) -> Array:
    """Ten replicates that have 1 cm of scatter in common at all sizes, and 4 mm of their own, which may grow with N."""
    clean = np.array([truth(model, size) for size in sizes])
    own = 0.004 * (np.array(sizes) / sizes[0]) ** growth
    return np.asarray(clean + rng.normal(0.0, 0.01, (10, 1)) + own * rng.normal(0.0, 1.0, (10, len(sizes))))


def tables(model: Model, sizes: tuple[int, ...], trials: int = 60, growth: float = 0.0) -> list[Array]:
    rng = np.random.default_rng(11)
    return [made(model, sizes, rng, growth) for _ in range(trials)]


@pytest.mark.parametrize("growth", [-0.3, 0.0, 0.3])
@pytest.mark.parametrize("model", ["levelling off", "logarithmic", "square root", "linear"])
def test_over_two_decades_the_true_curve_is_chosen(model: Model, growth: float) -> None:
    found = [fit_trend(WIDE, table) for table in tables(model, WIDE, growth=growth)]
    chosen = Counter(trend.chosen.model for trend in found)
    plausible = Counter(fit.model for trend in found for fit in trend.plausible)
    assert chosen[model] >= (0.75 if growth > 0.0 else 0.95) * len(found)
    assert plausible[model] >= 0.9 * len(found)
    assert sum(trend.describes for trend in found) >= 0.93 * len(found)


@pytest.mark.parametrize("growth", [-0.3, 0.0, 0.3])
@pytest.mark.parametrize("sizes", [WIDE, NARROW])
def test_where_there_is_no_trend_one_is_seldom_seen(sizes: tuple[int, ...], growth: float) -> None:
    found = [fit_trend(sizes, table) for table in tables("constant", sizes, 100, growth)]
    assert sum(trend.chosen.model != "constant" for trend in found) <= 12


@pytest.mark.parametrize("model", ["levelling off", "logarithmic", "square root", "linear"])
def test_over_a_factor_of_four_curves_are_hard_to_tell_and_the_true_one_stays_plausible(model: Model) -> None:
    rng = np.random.default_rng(3)
    shape = CURVES[model](np.array(NARROW, dtype=np.float64))
    rise = 0.03 * (shape - shape[0]) / (shape[-1] - shape[0])
    hits = 0
    for _ in range(60):
        table = 0.2 + rise + rng.normal(0.0, 0.01, (10, 1)) + rng.normal(0.0, 0.004, (10, 4))
        hits += model in {fit.model for fit in fit_trend(NARROW, table).plausible}
    assert hits >= 54


@pytest.mark.parametrize("model", list(CURVES))
def test_bands_hold_the_truth_also_where_nothing_was_tried(model: Model) -> None:
    held, runs_held, trials = 0, 0, 0
    rng = np.random.default_rng(5)
    for table in tables(model, WIDE, 100):
        fit = next(fit for fit in fit_trend(WIDE, table).fits if fit.model == model)
        point = fit.at(5000)
        held += point.band.holds(truth(model, 5000))
        runs_held += point.run_band.holds(truth(model, 5000) + rng.normal(0.0, 0.01) + rng.normal(0.0, 0.004))
        trials += 1
    assert held >= 0.88 * trials
    assert runs_held >= 0.90 * trials


def test_parameters_of_clean_data_are_those_that_they_were_made_with() -> None:
    for model in CURVES:
        table = np.array([[truth(model, size) for size in WIDE]] * 3)
        trend = fit_trend(WIDE, table)
        assert trend.chosen.model == model
        assert trend.chosen.slope == pytest.approx(SLOPES[model])
        assert trend.chosen.level == pytest.approx(0.2)
        assert trend.miss == pytest.approx(0.0, abs=1e-9)


def test_what_no_curve_describes_is_told() -> None:
    zigzag = np.array([0.2, 0.3, 0.2, 0.3, 0.2, 0.3, 0.2])
    trend = fit_trend(WIDE, zigzag + np.random.default_rng(1).normal(0.0, 0.003, (10, 7)))
    assert not trend.describes
    assert trend.miss > 0.1
    found = forecast(trend, ERROR, 0.5)
    assert found.earliest is found.expected is found.latest is None
    assert "no curve describes mean position error E well enough" in found.reading


def test_a_linear_trend_reaches_the_margin_where_it_should() -> None:
    rng = np.random.default_rng(2)
    table = 0.1 + 1e-4 * np.array(WIDE) + rng.normal(0.0, 0.005, (10, 1)) + rng.normal(0.0, 0.005, (10, 7))
    found = forecast(fit_trend(WIDE, table), ERROR, 0.4)
    assert found.earliest is not None
    assert found.expected is not None
    assert found.latest is not None
    assert found.earliest < found.expected < found.latest
    assert found.expected == pytest.approx(3000, rel=0.1)
    assert "by extrapolation, by a linear trend" in found.reading


def test_a_margin_that_is_out_of_reach_is_no_forecast() -> None:
    table = 0.1 + 1e-5 * np.array(WIDE) + np.random.default_rng(2).normal(0.0, 0.0001, (10, 7))
    found = forecast(fit_trend(WIDE, table), ERROR, 0.4)
    assert found.earliest is found.expected is found.latest is None
    assert found.reading == (
        "mean position error E is not forecast to reach 40 cm within 10 times the largest N that was tried (1000); "
        "nothing is said of more robots"
    )


def test_a_margin_that_was_reached_is_told() -> None:
    table = 0.1 + 1e-3 * np.array(WIDE) + np.random.default_rng(2).normal(0.0, 0.001, (10, 7))
    found = forecast(fit_trend(WIDE, table), ERROR, 0.2)
    assert found.expected == pytest.approx(100, abs=3)
    assert "within the N that were tried" in found.reading


def test_of_a_metric_of_which_more_is_better_the_margin_is_reached_from_above() -> None:
    table = 0.3 - 1e-4 * np.array(WIDE) + np.random.default_rng(2).normal(0.0, 0.001, (10, 7))
    found = forecast(fit_trend(WIDE, table), DISTANCE, 0.1)
    assert found.expected == pytest.approx(2000, rel=0.05)
