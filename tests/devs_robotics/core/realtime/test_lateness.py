"""Lateness: what is measured, how it is summed up, and what is done about it."""

from __future__ import annotations

import random
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Lateness
from devs_robotics.core.realtime.lateness import LatenessDistribution, LatenessError


def test_a_distribution_is_that_of_the_values_in_whatever_order_they_came() -> None:
    values = [float(number) for number in range(200)]
    random.Random(1).shuffle(values)
    lateness = Lateness("record", 149.0)
    for time, late in enumerate(values):
        lateness.record(float(time), late)
    assert lateness.distribution() == LatenessDistribution(200, 100.0, 190.0, 198.0, 199.0, 50)
    assert list(lateness.times) == [float(number) for number in range(200)]
    assert list(lateness.values) == values


@given(st.lists(st.floats(0.0, 10.0), min_size=1, max_size=300))
def test_a_percentile_has_its_share_below_it(values: list[float]) -> None:
    lateness = Lateness()
    for late in values:
        lateness.record(0.0, late)
    found = lateness.distribution()
    for share, at in ((0.5, found.p50), (0.95, found.p95), (0.99, found.p99)):
        assert at in values
        assert sum(late < at for late in values) <= share * len(values)
        assert sum(late <= at for late in values) >= share * len(values)


def test_one_value_is_all_there_is_and_none_is_nothing() -> None:
    lateness = Lateness()
    nothing = lateness.distribution()
    assert (nothing.events, nothing.too_late) == (0, 0)
    assert all(map(isnan, (nothing.p50, nothing.p95, nothing.p99, nothing.maximum)))
    lateness.record(1.0, 0.25)
    assert lateness.distribution() == LatenessDistribution(1, 0.25, 0.25, 0.25, 0.25, 0)


@pytest.mark.parametrize("policy", ["record", "warn"])
def test_only_a_run_that_is_to_be_aborted_is(policy: str) -> None:
    Lateness(policy, 0.1).record(1.0, 0.2)  # type: ignore[arg-type]
    lateness = Lateness("abort", 0.1)
    lateness.record(1.0, 0.1)
    with pytest.raises(LatenessError, match=r"the event at 2\.000 s was handled 200\.0 ms late, .* is 100 ms"):
        lateness.record(2.0, 0.2)
    assert lateness.too_late == 1
