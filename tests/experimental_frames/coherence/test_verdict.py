"""The verdict on coherence: on series whose answer is known, about as often right as docs/statistics.md says."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import Generator

from devs_robotics.experimental_frames.coherence import Coherence, Criteria, coherence
from devs_robotics.experimental_frames.statistics import StatisticsError, trend
from devs_robotics.experimental_frames.statistics.series import Array
from tests.approximately import near
from tests.benchmarks.coherence import CASES, shares
from tests.experimental_frames.coherence import synthetic
from tests.experimental_frames.coherence.synthetic import MARGIN
from tests.immutable import changeable

RUNS = 100


def judged(errors: object, lost: tuple[int, ...] = (), margin: float = MARGIN, transient: int | None = 0) -> Coherence:
    values = np.asarray(errors, dtype=np.float64)
    return coherence(np.arange(values.size), values, lost, margin, transient=transient)


BOUNDED = [
    name for name in CASES if name.startswith(("bounded, independent", "bounded, rho", "bounded after", "bursting"))
]


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("cut", [None, 20])
def test_a_bounded_error_is_called_coherent_and_hardly_ever_a_rising_one(name: str, cut: int | None) -> None:
    found = shares(CASES[name], RUNS, cut)
    assert found["coherent"] >= 0.85
    assert found.get("not", 0.0) <= 0.04


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("rising")])
def test_a_rising_error_is_not_called_coherent(name: str) -> None:
    found = shares(CASES[name], RUNS, 20)
    assert found.get("not", 0.0) >= 0.97
    assert found.get("coherent", 0.0) <= 0.01


@pytest.mark.parametrize("deviation", [1.0, 2.0, 3.0, 4.0])
def test_a_rise_that_would_use_up_the_margin_is_seldom_overlooked(deviation: float) -> None:
    """With any noise: where it would be overlooked, the run is said to be too short; 10 % is what is promised."""

    def errors(draw: Generator) -> Array:
        noise = deviation * (synthetic.bounded(draw) - synthetic.LEVEL)
        return synthetic.LEVEL + noise + 0.0533 * np.linspace(0.0, 1.0, synthetic.ROUNDS)

    assert shares(errors, RUNS, 0).get("coherent", 0.0) <= 0.1


def test_the_numbers_of_a_verdict_are_those_of_the_trend_after_the_transient() -> None:
    """And what it would have shown is the slope that is found at 1 % with a probability of 90 %."""
    errors = synthetic.bounded(np.random.default_rng(5))
    found, known = judged(errors, transient=20), trend(errors[20:])
    assert (found.p, found.slope, found.interval) == (known.p, near(known.slope), known.interval)
    assert found.detectable == pytest.approx(known.detectable(0.01, 0.9))
    assert found.detectable > 1.2 * known.detectable(0.01, 0.5)


def test_a_step_that_is_not_followed_by_another_is_a_transient_if_early_and_a_doubt_if_late() -> None:
    early = shares(lambda draw: synthetic.stepping(draw, 0.2), RUNS, None)
    late = shares(lambda draw: synthetic.stepping(draw, 0.6), RUNS, 20)
    assert early["coherent"] >= 0.85
    assert late.get("coherent", 0.0) <= 0.1


def test_what_wanders_without_direction_is_undecided() -> None:
    assert shares(CASES["a random walk"], RUNS, 20)["undecided"] >= 0.9


def test_beyond_the_margin_is_not_coherent_however_steady() -> None:
    assert shares(CASES["bounded at 20 cm, beyond the margin"], RUNS, 20) == {"not": 1.0}
    found = judged([0.2, 0.21] * 60)
    assert found.reasons == ("error beyond the margin of 15.0 cm for 100.0 % of the time (10 % allowed)",)
    assert found.margin_left == pytest.approx(-0.055)


def test_short_runs_are_undecided_and_say_so() -> None:
    assert shares(CASES["bounded, 30 rounds only"], 20, None) == {"undecided": 1.0}
    found = judged([0.05] * 50, transient=20)
    assert (found.verdict, found.transient, found.mean) == ("undecided", 20, near(0.05))
    assert found.reasons == ("30 values after the transient are too few to tell: 40 are the fewest",)
    assert all(map(isnan, (found.p, found.slope, found.detectable, found.interval.low)))
    assert judged([]).verdict == "undecided"
    assert judged([0.1] * 10, transient=20).verdict == "undecided"


def test_a_short_noisy_run_tells_what_it_would_have_shown() -> None:
    errors = 0.12 + 0.03 * np.random.default_rng(1).normal(size=60)
    found = judged(errors, margin=0.14)
    assert found.verdict == "undecided"
    assert (
        "no rise is seen, but the run is too short to rule out one that uses up the margin in 59 rounds"
        in found.reasons[0]
    )


def test_a_rise_that_is_likely_but_not_sure_leaves_it_undecided() -> None:
    """Between the two levels, which bracket the p of this series."""
    errors = synthetic.bounded(np.random.default_rng(1)) + np.linspace(0.0, 0.004, synthetic.ROUNDS)
    p = judged(errors).p
    found = coherence(range(errors.size), errors, (), MARGIN, transient=0, criteria=Criteria(p / 2.0, 2.0 * p))
    assert found.verdict == "undecided"
    assert found.reasons[0].startswith("the error may be rising, by ")


@given(st.sets(st.integers(1, 40), min_size=1, max_size=4), st.integers(0, 200))
def test_a_formation_that_has_lost_a_robot_is_not_coherent(lost: set[int], rounds: int) -> None:
    found = judged([0.05] * rounds, tuple(lost))
    assert found.verdict == "not"
    assert found.reasons[0] in {f"robot {min(lost)} is lost", f"robots {', '.join(map(str, sorted(lost)))} are lost"}


def test_no_error_at_all_is_coherent_and_all_reasons_are_given() -> None:
    found = judged([0.0] * 100)
    assert found.verdict == "coherent"
    assert found.reasons[0] == "no robot is lost"
    assert found.reasons[1].startswith("the error does not rise: 0.00 cm per 100 rounds (p = 1)")
    assert len(found.reasons) == 3
    assert (found.beyond, found.margin_left) == (0.0, MARGIN)


def test_a_rise_of_which_nothing_is_ever_seen_is_none() -> None:
    """Rounding, or the last of a transient, without noise that would hide it."""
    assert judged(0.05 + 1e-15 * np.arange(100)).verdict == "coherent"
    assert judged(0.05 - 0.05 * np.exp(-np.arange(300) / 10.0), transient=100).verdict == "coherent"
    assert judged(0.05 + 1e-4 * np.arange(100)).verdict == "not"


def test_a_transient_that_takes_half_of_the_run_decides_nothing() -> None:
    """MSER-5 finds no place to cut in a series that falls all the time."""
    found = judged(np.linspace(0.14, 0.05, 200), transient=None)
    assert found.transient == 100
    assert found.reasons[-1] == "the transient takes up half of the run or more: run longer"


@pytest.mark.parametrize("scale", [0.1, 60.0])
def test_the_unit_of_time_changes_the_slope_and_not_the_verdict(scale: float) -> None:
    errors = synthetic.bounded(np.random.default_rng(3))
    rounds, other = judged(errors), coherence(scale * np.arange(errors.size), errors, (), MARGIN, transient=0)
    assert other.verdict == rounds.verdict
    assert other.slope == pytest.approx(rounds.slope / scale)
    assert other.detectable == pytest.approx(rounds.detectable / scale)


def test_what_cannot_be_is_told() -> None:
    cases: list[tuple[Callable[[], Coherence], str]] = [
        (lambda: coherence([0.0], [0.1, 0.2], (), MARGIN), "got 2 errors and 1 times: give one time for each error"),
        (lambda: judged([0.1], margin=0.0), "a margin of 0 m is not possible: give a positive length"),
        (lambda: judged([0.1, nan]), "got nan as value number 1"),
        (lambda: judged([0.1], transient=-1), "a transient of -1 values is not possible: give 0 or more"),
    ]
    for call, message in cases:
        with pytest.raises(StatisticsError, match=message):
            call()


def test_what_is_found_cannot_be_changed() -> None:
    assert changeable("devs_robotics.experimental_frames.coherence") == set()
