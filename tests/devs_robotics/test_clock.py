"""Clocks: fast, wall and hand-driven."""

from __future__ import annotations

import threading
import time
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import DevsRoboticsError, FastClock, HandClock, WallClock
from tests.approximately import near


def test_everything_is_due_on_a_fast_clock() -> None:
    clock = FastClock()
    clock.start(3.0)
    assert clock.now() == inf


@pytest.mark.parametrize("rate", [0.0, -1.0, inf, nan])
def test_a_wall_clock_needs_a_positive_rate(rate: float) -> None:
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


@pytest.mark.wall_clock
def test_a_wall_clock_is_woken_by_another_thread_and_remembers_that() -> None:
    clock = WallClock()
    clock.start()
    threading.Timer(0.01, clock.wake).start()
    clock.wait(60.0)
    assert clock.now() < 30.0
    clock.wake()
    clock.wait(60.0)
    assert clock.now() < 30.0


@pytest.mark.wall_clock
def test_on_a_slow_wall_clock_too_a_wait_ends_soon_so_that_an_interruption_is_noticed() -> None:
    clock = WallClock(rate=0.001)
    clock.start()
    begun = time.monotonic()
    clock.wait(0.1)  # after 100 s
    assert time.monotonic() - begun < 20.0


def test_a_wait_for_what_is_past_ends_at_once() -> None:
    clock = WallClock()
    clock.start(100.0)
    clock.wait(-5.0)
    assert clock.now() < 101.0


def test_a_wall_clock_can_begin_in_the_future() -> None:
    clock = WallClock(2.0)
    clock.start_at(time.monotonic() + 10.0)
    assert clock.now() == near(-20.0, within=1.0)


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
