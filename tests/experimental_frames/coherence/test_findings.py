"""Each bound of the verdict on coherence: just inside of it the verdict is another one than just outside."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from numpy.random import default_rng

from devs_robotics.experimental_frames.coherence import Coherence, Criteria, coherence
from devs_robotics.experimental_frames.coherence.verdict import DEFAULT, FEWEST_SETTLED, INDEPENDENT, NEGLIGIBLE
from devs_robotics.experimental_frames.statistics import batch_means, trend
from devs_robotics.experimental_frames.statistics.series import Array
from tests.experimental_frames.coherence import synthetic
from tests.experimental_frames.coherence.synthetic import MARGIN

NOISE = 0.05 + 0.01 * default_rng(1).normal(size=200)
"""Bounded, independent, and so far from the margin that it is always within."""

HEIGHTS = np.where(default_rng(4).random(300) < 0.1, 0.2, 0.05)
"""Beyond the margin in about every tenth round."""


def judged(errors: object, criteria: Criteria = DEFAULT, margin: float = MARGIN, start: float = 0.0) -> Coherence:
    values = np.asarray(errors, dtype=np.float64)
    return coherence(start + np.arange(values.size), values, (), margin, transient=0, criteria=criteria)


# the trend


def test_the_horizon_is_so_many_times_the_observed_length() -> None:
    """The longest horizon in which a rise that was overlooked would leave some of the margin."""
    known = trend(NOISE)
    longest = (MARGIN - NOISE.mean()) / (known.detectable(0.01, 0.9) * (NOISE.size - 1))
    assert judged(NOISE, Criteria(horizon=0.99 * longest)).verdict == "coherent"
    found = judged(NOISE, Criteria(horizon=1.01 * longest))
    assert found.verdict == "undecided"
    assert f"rule out one that uses up the margin in {1.01 * longest * 199:g} rounds" in found.reasons[0]


@pytest.mark.parametrize("horizon", [0.5, 1.0, 8.0])
def test_a_sure_rise_is_none_while_it_takes_a_negligible_share_of_the_margin_within_the_horizon(horizon: float) -> None:
    negligible = NEGLIGIBLE * MARGIN / (99.0 * horizon)
    for share, verdict in ((0.99, "coherent"), (1.01, "not")):
        assert judged(0.05 + share * negligible * np.arange(100), Criteria(horizon=horizon)).verdict == verdict


def test_the_observed_length_is_from_the_first_time_to_the_last_whenever_the_first_was() -> None:
    negligible = NEGLIGIBLE * MARGIN / 99.0
    for start in (-500.0, 0.0, 500.0):
        for share, verdict in ((0.99, "coherent"), (1.01, "not")):
            assert judged(0.05 + share * negligible * np.arange(100), start=start).verdict == verdict


def test_a_slow_fall_may_come_back() -> None:
    """It surely falls, and is still too short to be called bounded."""
    found = judged(0.07 + 0.03 * np.cos(np.pi * np.arange(200) / 200.0))
    assert found.interval.high < 0.0
    assert (found.verdict, len(found.reasons)) == ("undecided", 1)
    assert found.reasons[0].startswith("the error wanders too slowly for so short a run")


def test_a_slope_of_nothing_is_no_proof_that_nothing_rises() -> None:
    """Its interval is: in a short and noisy run that is the same backwards, much may rise unseen."""
    half = 0.12 + 0.03 * default_rng(1).normal(size=30)
    found = judged(np.concatenate((half, half[::-1])), Criteria(beyond=1.0), margin=0.14)
    assert found.slope == pytest.approx(0.0, abs=1e-12)
    assert (found.verdict, len(found.reasons)) == ("undecided", 1)
    assert found.reasons[0].startswith(
        "no rise is seen, but the run is too short to rule out one that uses up the margin"
    )


@pytest.mark.parametrize("memory", [0.88, 0.9, 0.92])
def test_a_run_must_be_worth_ten_independent_values(memory: float) -> None:
    worth = set()
    for seed in range(20):
        errors = synthetic.bounded(default_rng(seed), memory, rounds=200)
        enough = trend(errors).independent >= INDEPENDENT
        worth.add(enough)
        assert any("wanders too slowly" in reason for reason in judged(errors).reasons) != enough
    assert worth == {True, False}


def test_the_levels_of_the_trend_test_are_those_of_the_criteria() -> None:
    errors = synthetic.bounded(default_rng(1)) + np.linspace(0.0, 0.012, synthetic.ROUNDS)
    p = judged(errors).p
    assert 1e-4 < p < 0.4
    assert judged(errors, Criteria(alpha=1.01 * p, doubt=1.02 * p)).reasons[0].startswith("the error rises by ")
    assert judged(errors, Criteria(alpha=0.5 * p, doubt=1.01 * p)).reasons[0].startswith("the error may be rising, by ")
    assert judged(errors, Criteria(alpha=0.5 * p, doubt=0.99 * p)).verdict == "coherent"


def test_the_rise_that_would_have_shown_is_that_of_the_criteria() -> None:
    for criteria in (Criteria(alpha=0.001), Criteria(power=0.99), Criteria(doubt=0.2)):
        expected = trend(NOISE).detectable(criteria.alpha, criteria.power)
        assert judged(NOISE, criteria).detectable == pytest.approx(expected)


def test_where_the_margin_is_used_up_already_no_rise_could_use_it_up() -> None:
    """Whether that is too much is asked of the share of the time alone."""
    errors = 0.2 + 0.05 * default_rng(3).normal(size=100)
    assert judged(errors, Criteria(beyond=1.0)).verdict == "coherent"


def test_a_rise_is_told_in_centimetres_in_a_hundred_units() -> None:
    found = judged(0.05 + 1e-4 * np.arange(100))
    assert found.reasons == ("the error rises by 1.00 cm per 100 rounds (p = 4.3e-10)",)
    assert found.slope == pytest.approx(1e-4)


def test_the_trend_is_that_of_the_times_after_the_transient() -> None:
    clock = np.cumsum(1.0 + 0.3 * default_rng(2).random(NOISE.size))
    found = coherence(clock, NOISE, (), MARGIN, transient=30)
    known = trend(NOISE[30:], clock[30:])
    assert (found.slope, found.interval, found.mean) == (known.slope, known.interval, NOISE[30:].mean())


# the share of the time beyond the margin


def share_of(errors: Array, allowed: float) -> str:
    """What the share of the time beyond the margin comes to, where all else is coherent."""
    return judged(errors, Criteria(beyond=allowed)).verdict


def test_the_share_of_the_time_is_held_against_its_interval_by_batch_means() -> None:
    interval = batch_means((HEIGHTS > MARGIN).astype(float)).interval
    assert 0.0 < interval.low < interval.high < 0.2
    assert [share_of(HEIGHTS, interval.low + shift) for shift in (-1e-6, 1e-6)] == ["not", "undecided"]
    assert [share_of(HEIGHTS, interval.high + shift) for shift in (-1e-6, 1e-6)] == ["undecided", "coherent"]


def test_the_share_that_is_allowed_is_told() -> None:
    found = judged(HEIGHTS, Criteria(beyond=0.25))
    assert found.beyond == (HEIGHTS > MARGIN).mean()
    expected = f"for {100.0 * found.beyond:.1f} % of the time (25 % allowed)"
    assert found.reasons[-1] == f"error beyond the margin of 15.0 cm {expected}"


def test_an_error_at_the_margin_is_within_it() -> None:
    found = judged([0.25] * 100, margin=0.25)
    assert (found.verdict, found.beyond, found.margin_left) == ("coherent", 0.0, 0.0)


# the length of the run


def test_forty_values_after_the_transient_are_enough() -> None:
    few, enough = (
        coherence(range(n + 5), [0.05] * (n + 5), (), MARGIN, transient=5) for n in (FEWEST_SETTLED - 1, FEWEST_SETTLED)
    )
    assert (few.verdict, isnan(few.p)) == ("undecided", True)
    assert (enough.verdict, isnan(enough.p)) == ("coherent", False)


def test_a_series_too_short_for_mser_has_no_transient_and_may_be_coherent() -> None:
    found = coherence(range(45), [0.05] * 45, (), MARGIN)
    assert (found.verdict, found.transient) == ("coherent", 0)


def test_what_speaks_against_coherence_counts_more_than_what_leaves_it_open() -> None:
    """A run that is too short to tell of its error, and beyond the margin all the time, has lost robots."""
    found = coherence(range(20), [0.2] * 20, (12, 3, 7), MARGIN, transient=0)
    assert (found.verdict, found.reasons) == ("not", ("robots 3, 7, 12 are lost",))
    assert found.margin_left == pytest.approx(MARGIN - 0.2)
