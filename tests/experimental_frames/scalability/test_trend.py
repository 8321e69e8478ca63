"""Curves are found again in data that were made from them, as often as is said."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.convoy.metrics import metric_named
from devs_robotics.experimental_frames.scalability.forecast import forecast
from devs_robotics.experimental_frames.scalability.trend import CURVES, Model, fit_trend
from devs_robotics.experimental_frames.statistics.series import Array

WIDE = (10, 20, 30, 40, 100, 300, 1000)
NARROW = (10, 20, 30, 40)
ERROR, DISTANCE = metric_named("error_at_pose_changes_m"), metric_named("smallest_distance_m")

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


def made_narrow(model: Model, rng: np.random.Generator, growth: float = 0.0) -> Array:
    """The same over a factor of four, in which a curve rises by 3 cm."""
    shape = CURVES[model](np.array(NARROW, dtype=np.float64))
    rise = 0.03 * (shape - shape[0]) / (shape[-1] - shape[0]) if model != "constant" else 0.0 * shape
    own = 0.004 * (np.array(NARROW) / NARROW[0]) ** growth
    return np.asarray(0.2 + rise + rng.normal(0.0, 0.01, (10, 1)) + own * rng.normal(0.0, 1.0, (10, 4)))


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
    found = [fit_trend(NARROW, made_narrow(model, rng)) for _ in range(60)]
    assert sum(model in {fit.model for fit in trend.plausible} for trend in found) >= 54


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


@pytest.mark.parametrize("model", list(CURVES))
def test_aicc_and_the_test_for_lack_of_fit_are_those_of_least_squares_with_a_level_a_replicate(model: Model) -> None:
    """Regressions with a column for each replicate, by numpy; differences of AICc, since only those are told."""
    table = made("logarithmic", WIDE, np.random.default_rng(9), 0.3)
    replicates, sizes = table.shape
    levels = np.kron(np.eye(replicates), np.ones((sizes, 1)))
    shapes = {name: np.tile(curve(np.array(WIDE, dtype=np.float64)), replicates) for name, curve in CURVES.items()}

    def left(*columns: Array) -> float:
        design = np.column_stack([levels, *columns])
        return float(((table.ravel() - design @ np.linalg.lstsq(design, table.ravel())[0]) ** 2).sum())

    def aicc(name: Model) -> float:
        n, k = replicates * (sizes - 1), 1 if name == "constant" else 2
        unexplained = left() if name == "constant" else left(shapes[name])
        return float(n * np.log(unexplained / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1))

    trend = fit_trend(WIDE, table)
    found = {fit.model: fit.aicc for fit in trend.fits}
    assert found[model] - found["linear"] == pytest.approx(aicc(model) - aicc("linear"))
    slopes = 0 if trend.chosen.model == "constant" else 1
    pure = left(*np.tile(np.eye(sizes), (replicates, 1)).T[1:])
    more, free = sizes - 1 - slopes, (replicates - 1) * (sizes - 1)
    ratio = (left(shapes[trend.chosen.model]) - pure) / more / (pure / free)
    assert trend.lack_of_fit == pytest.approx(float(stats.f.sf(ratio, more, free)))


def test_a_run_band_is_that_of_a_run_to_come_worked_out_by_hand() -> None:
    """Three replicates of a constant, 1, 2 and 3 on average: the scatter at a size has a variance of 1."""
    fit = next(fit for fit in fit_trend((1, 2, 3), np.array([[1.0] * 3, [2.0] * 3, [3.0] * 3])).fits)
    point = fit.at(7)
    assert (fit.model, point.mean) == ("constant", 2.0)
    assert point.band.half_width == pytest.approx(4.303 * (1.0 / 3.0) ** 0.5, rel=1e-3)
    assert point.run_band.half_width == pytest.approx(4.303 * (1.0 / 3.0 + 1.0) ** 0.5, rel=1e-3)


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


def test_the_three_sizes_of_a_forecast_are_those_at_which_the_bands_reach_the_margin() -> None:
    """Looked for at every N, one by one."""
    table = 0.1 + 1e-4 * np.array(WIDE) + np.random.default_rng(4).normal(0.0, 0.004, (10, 7))
    trend = fit_trend(WIDE, table)
    found = forecast(trend, ERROR, 0.4)
    earliest = min(
        next(n for n in range(10, 10_001) if fit.at(n).run_band.high >= 0.4 or n == 10_000) for fit in trend.plausible
    )
    assert found.earliest == earliest
    assert found.expected == next(n for n in range(10, 10_001) if trend.chosen.at(n).mean >= 0.4)
    if len(trend.plausible) == 1:
        assert found.latest == next(n for n in range(10, 10_001) if trend.chosen.at(n).run_band.low >= 0.4)


@pytest.mark.parametrize(("model", "margin"), [("square root", 0.28), ("linear", 0.35)])
def test_few_runs_reach_the_margin_before_the_earliest_size_and_few_do_not_at_the_latest(
    model: Model, margin: float
) -> None:
    """2.5 % of runs to come, on average over the forecasts."""
    early, late = [], []
    deviation = (0.01**2 + 0.004**2) ** 0.5
    for table in tables(model, WIDE, 80):
        found = forecast(fit_trend(WIDE, table), ERROR, margin)
        assert found.earliest is not None
        assert found.latest is not None
        early.append(stats.norm.sf((margin - truth(model, found.earliest)) / deviation))
        late.append(stats.norm.sf((truth(model, found.latest) - margin) / deviation))
    assert 0.005 <= np.mean(early) <= 0.04
    assert 0.005 <= np.mean(late) <= 0.04


def test_a_trend_too_slight_to_be_seen_is_no_promise_that_the_margin_is_not_reached() -> None:
    """From 10 to 40 robots it is hidden by chance, at 400 it would be 8 cm."""
    rng, said = np.random.default_rng(1), 0
    for _ in range(50):
        table = 0.2 + 2e-4 * np.array(NARROW) + rng.normal(0.0, 0.01, (10, 1)) + rng.normal(0.0, 0.006, (10, 4))
        found = forecast(fit_trend(NARROW, table), ERROR, 0.26)
        said += found.earliest is not None or "trend too slight for these runs to show may reach it from N = " in (
            found.reading
        )
    assert said >= 47


def test_a_margin_that_was_reached_is_told() -> None:
    table = 0.1 + 1e-3 * np.array(WIDE) + np.random.default_rng(2).normal(0.0, 0.001, (10, 7))
    found = forecast(fit_trend(WIDE, table), ERROR, 0.2)
    assert found.expected == pytest.approx(100, abs=3)
    assert "within the N that were tried" in found.reading


def test_of_a_metric_of_which_more_is_better_the_margin_is_reached_from_above() -> None:
    table = 0.3 - 1e-4 * np.array(WIDE) + np.random.default_rng(2).normal(0.0, 0.001, (10, 7))
    found = forecast(fit_trend(WIDE, table), DISTANCE, 0.1)
    assert found.expected == pytest.approx(2000, rel=0.05)
