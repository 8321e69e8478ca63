"""Clocks: fast, wall and hand-driven."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import DevsRoboticsError, FastClock, HandClock, WallClock
from devs_robotics.core.distribution import AgreedClock
from devs_robotics.core.realtime.clock import Clock, PacedClock
from tests.approximately import near
from tests.hand_time import HandTime


def test_everything_is_due_on_a_fast_clock() -> None:
    clock = FastClock()
    clock.start(3.0)
    assert clock.now() == inf


@pytest.mark.parametrize("rate", [0.0, -1.0, inf, nan, "1", None])
def test_a_wall_clock_needs_a_positive_rate(rate: Any) -> None:
    with pytest.raises(DevsRoboticsError, match="give a positive number"):
        WallClock(rate)


@pytest.mark.wall_clock
@pytest.mark.parametrize("rate", [0.5, 1.0, 50.0])
def test_a_wall_clock_keeps_its_rate_and_does_not_drift(rate: float) -> None:
    clock = WallClock(rate)
    begun = time.monotonic()
    clock.start(7.0)
    for step in range(1, 21):
        clock.wait(7.0 + step * 0.002 * rate)
        assert clock.now() >= 7.0 + step * 0.002 * rate
    assert 0.04 <= time.monotonic() - begun < 1.0
    assert clock.now() - 7.0 <= (time.monotonic() - begun) * rate


def seconds(wait: Callable[[], None]) -> float:
    """How long something takes (real s)."""
    begun = time.monotonic()
    wait()
    return time.monotonic() - begun


@pytest.mark.wall_clock
@pytest.mark.parametrize("clock", [WallClock(), FastClock()], ids=["wall", "fast"])
def test_a_clock_is_woken_by_another_thread_and_remembers_that_once(
    clock: WallClock | FastClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devs_robotics.core.realtime.clock.LONGEST_WAIT", 30.0)
    clock.start()
    threading.Timer(0.01, clock.wake).start()
    assert seconds(lambda: clock.wait(60.0)) < 20.0
    clock.wake()
    clock.wake()
    assert seconds(lambda: clock.wait(60.0)) < 20.0
    monkeypatch.setattr("devs_robotics.core.realtime.clock.LONGEST_WAIT", 0.05)
    assert seconds(lambda: clock.wait(60.0)) >= 0.05


@pytest.mark.wall_clock
def test_nobody_waits_for_a_fast_clock_for_long() -> None:
    assert seconds(lambda: FastClock().wait(inf)) < 20.0


def test_a_clock_that_is_set_back_has_its_deadlines_later() -> None:
    wall, hand = WallClock(4.0), HandClock()
    for clock in (wall, hand):
        clock.start(100.0)
        clock.set_back(40.0)
        assert clock.now() == near(60.0, within=20.0)
    begun = time.monotonic()
    wall.start(0.0)
    wall.set_back(0.1)
    while wall.now() < 0.1:
        wall.wait(0.1)
    assert time.monotonic() - begun >= 0.05 - 1e-9
    hand.wait(61.0)
    assert hand.now() == 61.0
    hand.go_on(2.0)
    assert hand.now() == 63.0


@pytest.mark.parametrize("clock", [FastClock(), AgreedClock(1.0, 0.0)], ids=["fast", "agreed"])
def test_other_clocks_cannot_be_set_back(clock: FastClock | AgreedClock) -> None:
    assert not clock.can_stand
    with pytest.raises(DevsRoboticsError, match=f"a {type(clock).__name__} cannot be set back"):
        clock.set_back(1.0)


@pytest.mark.wall_clock
def test_on_a_slow_wall_clock_too_a_wait_ends_soon_so_that_an_interruption_is_noticed() -> None:
    clock = WallClock(rate=0.001)
    clock.start()
    assert seconds(lambda: clock.wait(0.1)) < 20.0  # not 100


def test_a_wait_for_what_is_past_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = WallClock()
    clock.start(100.0)
    monkeypatch.setattr("devs_robotics.core.realtime.clock.LONGEST_WAIT", 30.0)
    assert seconds(lambda: clock.wait(-5.0)) < 20.0


def test_a_wall_clock_can_begin_in_the_future() -> None:
    clock = WallClock(2.0)
    clock.start_at(time.monotonic() + 10.0)
    assert clock.now() == near(-20.0, within=1.0)


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> HandTime:
    """The real time, which stands still but for the test."""
    hand = HandTime(512.0)
    monkeypatch.setattr("devs_robotics.core.realtime.clock.time", hand)
    monkeypatch.setattr("devs_robotics.core.realtime.clock._monotonic", hand.monotonic)
    return hand


@pytest.mark.parametrize("clock", [WallClock(2.0), PacedClock(2.0), HandClock()], ids=["wall", "paced", "hand"])
def test_a_clock_begins_at_zero_unless_it_is_told_otherwise(clock: Clock, real: HandTime) -> None:
    clock.start(3.0)
    assert clock.now() == 3.0
    real.now += 64.0
    clock.start()
    assert clock.now() == 0.0


def test_a_paced_clock_without_a_pace_has_everything_due_and_can_be_waited_for(real: HandTime) -> None:
    clock = PacedClock()
    assert (clock.now(), clock.pace, clock.rate, clock.is_real, clock.can_stand) == (inf, inf, 1.0, False, True)
    clock.start(3.0)
    clock.wake()
    clock.wait(5.0)
    clock.stand()
    assert clock.now() == inf
    clock.resume()
    assert clock.now() == inf


def test_a_hand_clock_stands_while_what_was_planned_goes_on_to_happen() -> None:
    clock, seen = HandClock(), list[float]()
    clock.start(1.0)
    clock.stand()
    clock.at(2.0, lambda: seen.append(clock.now()))
    clock.wait(3.0)
    assert (clock.now(), seen) == (1.0, [1.0])
    clock.set_back(-0.5)
    assert clock.now() == 1.5
    clock.resume()
    clock.resume()
    clock.wait(2.0)
    assert clock.now() == 2.0


@given(st.lists(st.floats(0.0, 100.0), max_size=20), st.floats(0.0, 0.5))
def test_a_hand_clock_carries_out_its_plan_in_order_on_the_way(times: list[float], oversleep: float) -> None:
    clock = HandClock(oversleep)
    clock.start()
    seen: list[float] = []
    for planned in times:
        clock.at(planned, lambda: seen.append(clock.now()))
    clock.wait(50.0)
    assert clock.now() == 50.0 + oversleep
    assert len(seen) == sum(planned <= 50.0 for planned in times)
    clock.wait(100.0)
    assert seen == [planned if planned <= 50.0 else max(planned, 50.0 + oversleep) for planned in sorted(times)]


def test_an_action_that_wakes_a_hand_clock_ends_the_wait() -> None:
    clock = HandClock()
    clock.start()
    clock.at(1.0, clock.wake)
    clock.wait(5.0)
    assert clock.now() == 1.0
    clock.wait(5.0)
    assert clock.now() == 5.0
