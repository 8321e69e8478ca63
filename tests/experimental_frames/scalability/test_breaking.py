"""Logistic regression of lost robots: known answers, and how often the interval holds the truth."""

from __future__ import annotations

from math import exp, inf, log

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]
from scipy.optimize import minimize, minimize_scalar  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.scalability.breaking import Breaking, breaking_size
from devs_robotics.experimental_frames.statistics.series import Interval
from devs_robotics.experimental_frames.sweep.losses import Losses

SIZES = (10, 30, 100, 300, 1000)


def breaking(lost: dict[int, int], runs: int = 10) -> Breaking:
    return breaking_size([(size, Losses(runs, times, Interval(0.0, 0.3))) for size, times in lost.items()])


def made(rng: np.random.Generator, level: float, slope: float, runs: int = 10) -> Breaking:
    shares = {size: 1.0 / (1.0 + exp(-(level + slope * log(size)))) for size in SIZES}
    return breaking({size: int(rng.binomial(runs, share)) for size, share in shares.items()}, runs)


def test_many_runs_give_the_size_they_were_made_with() -> None:
    found = made(np.random.default_rng(1), -8.0, 1.6, runs=5000)
    assert found.size == pytest.approx(exp(8.0 / 1.6), rel=0.05)
    assert found.slope == pytest.approx(1.6, rel=0.05)
    assert found.share_at(exp(8.0 / 1.6)) == pytest.approx(0.5, abs=0.03)


def test_intervals_hold_the_true_size_about_as_often_as_is_said() -> None:
    rng, held, told = np.random.default_rng(3), 0, 0
    for _ in range(60):
        found = made(rng, -8.0, 1.6)
        if found.interval is not None:
            told += 1
            held += found.interval.holds(exp(8.0 / 1.6))
    assert told >= 57
    assert held >= 0.88 * told


def test_a_clean_break_has_an_answer() -> None:
    found = breaking({10: 0, 30: 0, 100: 0, 300: 10, 1000: 10})
    assert found.size is not None
    assert 100 < found.size < 300
    assert found.interval is not None
    assert found.interval.low == pytest.approx(100, abs=8)  # it may be anywhere between the two sizes
    assert found.interval.high == pytest.approx(300, abs=20)
    assert "within the N that were tried" in found.reading


def test_the_penalised_fit_is_that_of_firth() -> None:
    """Of a table of two by two, Firth's estimate is that of the odds with half a run added to each cell."""
    found = breaking({10: 4, 100: 8})
    assert found.slope * log(10) == pytest.approx(log((8.5 / 2.5) / (4.5 / 6.5)), rel=1e-4)
    assert found.level + found.slope * log(10) == pytest.approx(log(4.5 / 6.5), rel=1e-4)


def test_the_penalised_fit_solves_firths_equations() -> None:
    """Of the score with its correction by the hat matrix (Heinze & Schemper, 2002), written with matrices here."""
    lost = {10: 0, 30: 1, 100: 2, 300: 6, 1000: 9}
    found = breaking(lost)
    design = np.array([[1.0, log(size)] for size in lost])
    share = np.array([found.share_at(size) for size in lost])
    weights = 10.0 * share * (1.0 - share)
    hat = weights * np.einsum("ij,jk,ik->i", design, np.linalg.inv(design.T @ (weights[:, None] * design)), design)
    score = design.T @ (np.array(list(lost.values())) - 10.0 * share + hat * (0.5 - share))
    assert score == pytest.approx([0.0, 0.0], abs=1e-5)


def test_the_p_value_is_that_of_the_penalised_likelihoods_ratio() -> None:
    """Searched on a grid, with the determinant of the information by numpy."""
    lost = {10: 2, 30: 2, 100: 5, 300: 6}
    design = np.array([[1.0, log(size)] for size in lost])
    times = np.array(list(lost.values()))

    def penalised(base: float, slope: float) -> float:
        share = 1.0 / (1.0 + np.exp(-(design @ [base, slope])))
        information = design.T @ ((10.0 * share * (1.0 - share))[:, None] * design)
        likelihood = (times * np.log(share) + (10.0 - times) * np.log(1.0 - share)).sum()
        return float(likelihood + 0.5 * np.linalg.slogdet(information)[1])

    found = breaking(lost)
    flat = max(penalised(base, 0.0) for base in np.linspace(-2.0, 2.0, 401))
    ratio = 2.0 * (penalised(found.level, found.slope) - flat)
    assert found.p_value == pytest.approx(float(stats.chi2.sf(ratio, 1)), rel=1e-2)


@pytest.mark.parametrize("share", [0.2, 0.5])
def test_at_the_ends_of_the_interval_the_likelihoods_ratio_is_that_of_chi_square(share: float) -> None:
    """Of the best curve at all and the best one through the ends, found by scipy from a likelihood written anew."""
    lost = {10: 0, 30: 1, 100: 3, 300: 6, 1000: 9}
    sizes, times = np.log(list(lost)), np.array(list(lost.values()))

    def unlikely(base: float, slope: float) -> float:
        odds = base + slope * sizes
        return float(-(times * odds - 10.0 * np.log1p(np.exp(odds))).sum())

    runs = [(size, Losses(10, number, Interval(0.0, 0.3))) for size, number in lost.items()]
    found = breaking_size(runs, share=share)
    assert found.interval is not None
    best = minimize(lambda both: unlikely(*both), [0.0, 1.0]).fun
    for end in (found.interval.low, found.interval.high):
        through = minimize_scalar(lambda slope, end=end: unlikely(log(share / (1 - share)) - slope * log(end), slope))
        assert 2.0 * (through.fun - best) == pytest.approx(float(stats.chi2.ppf(0.95, 1)), abs=0.01)


def test_a_beginning_of_losses_is_a_forecast_with_an_open_end() -> None:
    found = breaking({10: 0, 30: 0, 100: 0, 300: 1, 1000: 2})
    assert found.size is not None
    assert found.size > 1000
    assert found.interval is not None
    assert found.interval.high == inf
    assert "more than can be told), by extrapolation" in found.reading


def test_without_losses_there_is_no_forecast_but_a_bound() -> None:
    found = breaking({10: 0, 1000: 0})
    assert found.size is None
    assert found.reading == (
        "none of 20 runs lost a robot: no forecast of where the team breaks (at N = 1000, the largest that was "
        "tried, at most 30 % of runs do)"
    )


def test_losses_at_every_size_alike_are_no_forecast() -> None:
    found = breaking({10: 3, 30: 2, 100: 3, 300: 2, 1000: 3})
    assert found.size is None
    assert "no growth with N can be told apart from chance" in found.reading
    falling = breaking({10: 10, 30: 9, 100: 5, 300: 1, 1000: 0})
    assert falling.size is None


def test_chance_is_seldom_taken_for_growth() -> None:
    rng = np.random.default_rng(8)
    told = sum(made(rng, -1.0, 0.0).size is not None for _ in range(100))
    assert told <= 6  # of the 5 % that are taken for a dependence, half is of growth


@pytest.mark.parametrize("lost", [{10: 0, 30: 1, 100: 1}, {10: 10, 30: 9, 100: 10}, {10: 5}])
def test_too_little_to_see_a_curve_is_told(lost: dict[int, int]) -> None:
    found = breaking(lost)
    assert found.size is None
    assert "it takes two sizes, and 3 runs that lose a robot and as many that lose none" in found.reading


def test_runs_without_a_verdict_are_no_runs() -> None:
    assert breaking_size([(10, Losses(0, 0, None))]).reading.startswith("no run came to a verdict")
    assert breaking({10: 0, 30: 0, 100: 0, 300: 10, 1000: 10}).interval != Interval(0.0, inf)
