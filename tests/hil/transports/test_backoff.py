"""How long a lost link waits, on a clock that the test drives."""

from __future__ import annotations

import pytest

from devs_robotics.hil.transports import backoff
from devs_robotics.hil.transports.backoff import FIRST, LONGEST, STEADY, Backoff
from tests.hand_time import HandTime


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HandTime:
    clock = HandTime(1000.0)
    monkeypatch.setattr(backoff, "time", clock)
    return clock


def lasted(waits: Backoff, clock: HandTime, seconds: float) -> float:
    """The wait after a link that lasted for so long."""
    waits.up()
    clock.now += seconds
    return waits.lost()


def test_waits_double_up_to_the_longest(clock: HandTime) -> None:
    waits = Backoff()
    assert [waits.lost() for _ in range(6)] == [FIRST, 2 * FIRST, 4 * FIRST, 8 * FIRST, LONGEST, LONGEST]


def test_after_a_link_that_has_lasted_they_begin_anew_and_double_again(clock: HandTime) -> None:
    waits = Backoff()
    for _ in range(4):
        waits.lost()
    assert lasted(waits, clock, STEADY) == FIRST
    assert waits.lost() == 2 * FIRST


def test_after_one_that_has_not_they_go_on_doubling(clock: HandTime) -> None:
    waits = Backoff()
    assert [lasted(waits, clock, 0.9 * STEADY) for _ in range(3)] == [FIRST, 2 * FIRST, 4 * FIRST]


def test_only_the_time_of_the_last_link_counts_and_no_time_without_one(clock: HandTime) -> None:
    waits = Backoff()
    assert lasted(waits, clock, 5 * STEADY) == FIRST
    clock.now += 10 * STEADY
    assert waits.lost() == 2 * FIRST
    assert lasted(waits, clock, 0.5 * STEADY) == 4 * FIRST
