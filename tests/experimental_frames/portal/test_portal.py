"""How long experiments wait for arenas: against a recursion, closed forms, and the queue that is used in earnest."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Coupled, Simulator
from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.experimental_frames.portal import (
    ExperimentSource,
    Portal,
    PortalVisit,
    RunTimes,
    fixed_run_time_wait,
    many_arenas_wait,
    portal_visits,
    random_run_time_wait,
)


def recursion(arrived: list[float], run_times: list[float], arenas: int) -> list[float]:
    """How long each waits (Kiefer & Wolfowitz; Lindley's recursion for one arena)."""
    free = [0.0] * arenas
    waits = []
    for time, need in zip(arrived, run_times, strict=True):
        first = min(range(arenas), key=free.__getitem__)
        begun = max(time, free[first])
        waits.append(begun - time)
        free[first] = begun + need
    return waits


@settings(max_examples=20)
@given(
    load=st.sampled_from([0.3, 0.8, 1.2]),
    arenas=st.integers(1, 3),
    run_times=st.sampled_from(["fixed", "exponential"]),
    certification=st.sampled_from([0.0, 35.0]),
    seed=st.integers(0, 10**6),
)
def test_each_experiment_waits_as_long_as_a_recursion_says(
    load: float, arenas: int, run_times: RunTimes, certification: float, seed: int
) -> None:
    visits = portal_visits(
        load, 60.0, arenas=arenas, run_times=run_times, certification=certification, count=80, seed=seed
    )
    visits.sort(key=lambda visit: visit.number)
    assert [visit.number for visit in visits] == list(range(1, 81))
    certified = [visit.arrived + certification for visit in visits]
    wanted = recursion(certified, [visit.run_time for visit in visits], arenas)
    assert [visit.waited for visit in visits] == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize(("run_times", "times"), [("fixed", 2.0), ("exponential", 4.0)])
def test_at_a_load_of_four_fifths_the_recursion_waits_for_two_or_four_run_times(run_times: str, times: float) -> None:
    """Which makes that recursion an oracle: two million experiments, in numpy."""
    chance = np.random.default_rng(1)
    count = 2_000_000
    need = np.ones(count) if run_times == "fixed" else chance.exponential(1.0, count)
    walk = np.concatenate([[0.0], np.cumsum((need - chance.exponential(1.25, count))[:-1])])
    waits = walk - np.minimum.accumulate(walk)
    assert waits.mean() == pytest.approx(times, rel=0.03)
    closed = fixed_run_time_wait if run_times == "fixed" else random_run_time_wait
    assert closed(0.8, 60.0) == pytest.approx(60.0 * times, rel=1e-12)


@pytest.mark.parametrize(("run_times", "expected"), [("fixed", 0.5), ("exponential", 1.0)])
def test_a_portal_waits_on_average_as_closed_forms_say(run_times: RunTimes, expected: float) -> None:
    """At a load of one half, where means settle sooner; the interval is that of 20 batches."""
    waits = np.array([each.waited for each in portal_visits(0.5, 1.0, run_times=run_times, count=12_000, seed=5)])
    batches = waits.reshape(20, -1).mean(axis=1)
    error = 2.86 * batches.std(ddof=1) / sqrt(20)  # t, 99 %, 19 degrees of freedom
    assert error < 0.2 * expected
    assert waits.mean() == pytest.approx(expected, abs=error)


@given(load=st.floats(0.0, 0.99), arenas=st.integers(1, 40))
def test_several_arenas_wait_as_the_sum_in_erlangs_formula_says(load: float, arenas: int) -> None:
    offered = load * arenas
    terms = [1.0]
    for count in range(1, arenas + 1):
        terms.append(terms[-1] * offered / count)
    last = terms[-1] / (1.0 - load)
    waiting = last / (sum(terms[:-1]) + last)
    assert many_arenas_wait(load, 3.0, arenas) == pytest.approx(waiting * 3.0 / (arenas * (1.0 - load)), rel=1e-9)


def test_a_portal_gives_the_same_for_the_same_seed_and_frees_its_arena_first() -> None:
    assert portal_visits(0.8, 60.0, count=50) == portal_visits(0.8, 60.0, count=50)
    first = portal_visits(0.8, 60.0, count=1)
    assert first == [PortalVisit(1, first[0].arrived, 0.0, 60.0)]


def test_more_arenas_do_not_shift_arrivals_or_run_times() -> None:
    one = portal_visits(0.4, 60.0, run_times="exponential", count=50)
    two = portal_visits(0.2, 60.0, arenas=2, run_times="exponential", count=50)
    by_number = {visit.number: visit for visit in one}
    assert all(each.arrived == pytest.approx(by_number[each.number].arrived, rel=1e-12) for each in two)
    assert all(each.run_time == by_number[each.number].run_time for each in two)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Portal(arenas=0),
        lambda: Portal(certification=-1.0),
        lambda: ExperimentSource(every=0.0, run_time=1.0, count=1),
        lambda: many_arenas_wait(1.0, 1.0, 1),
    ],
)
def test_what_cannot_be_is_refused(wrong: object) -> None:
    assert callable(wrong)
    with pytest.raises(DevsRoboticsError):
        wrong()


def test_a_portal_without_orders_is_at_rest() -> None:
    model = Coupled("empty")
    model.add_component(Portal())
    with Simulator(model) as simulator:
        simulator.run()
        assert simulator.time == 0.0
