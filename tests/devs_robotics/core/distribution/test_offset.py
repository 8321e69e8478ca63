"""Clock offsets are estimated as well as round trips and drift allow."""

from __future__ import annotations

import random
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.distribution.offset import LARGEST_DRIFT, ClockEstimate, Offset, PingExchange

ROUNDING = 1e-9
HOUR = 3600.0

delays = st.floats(0.0, 0.5)


class Clock:
    """A clock that is ahead of the one here, and goes faster.

    Args:
        ahead: at time 0 (s)
        drift: how much faster (s per s)
    """

    def __init__(self, ahead: float, drift: float = 0.0) -> None:
        self.ahead, self.drift = ahead, drift

    def shows(self, time: float) -> float:
        """What it shows at a time of the clock here."""
        return time + self.ahead_at(time)

    def ahead_at(self, time: float) -> float:
        return self.ahead + self.drift * time

    def exchange(self, sent: float, there: float, thinking: float, back: float) -> PingExchange:
        """A ping and its pong with these delays."""
        got = sent + there
        return PingExchange(sent, self.shows(got), self.shows(got + thinking), got + thinking + back)


@given(
    st.floats(-1e5, 1e5),
    st.floats(-LARGEST_DRIFT, LARGEST_DRIFT),
    st.lists(st.tuples(st.floats(0.0, 1000.0), delays, delays, delays), min_size=1, max_size=20),
)
def test_the_error_is_at_most_what_is_told(
    ahead: float, drift: float, exchanges: list[tuple[float, float, float, float]]
) -> None:
    clock, offset, now = Clock(ahead, drift), Offset(), 0.0
    for pause, there, thinking, back in exchanges:
        exchange = clock.exchange(now + pause, there, thinking, back)
        now, before = exchange.returned, offset.exchanges
        offset.take(exchange)
        if offset.exchanges > before:
            assert abs(offset.value - clock.ahead_at(now)) <= offset.error + ROUNDING
            assert (
                offset.error
                <= (there + back) / 2.0 + LARGEST_DRIFT * (1.5 * there + 1.5 * thinking + 1.5 * back) + ROUNDING
            )
            assert offset.estimate == ClockEstimate(offset.value, offset.error)


@given(st.lists(st.tuples(delays, delays), min_size=1, max_size=20))
def test_of_exchanges_that_follow_each_other_at_once_the_one_with_the_least_round_trip_is_believed(
    ways: list[tuple[float, float]],
) -> None:
    offset = Offset()
    for there, back in ways:
        # all come back at one instant
        offset.take(PingExchange(10.0 - there - back, 15.0 - back, 15.0 - back, 10.0))
    if offset.exchanges == len(ways):
        assert abs(offset.round_trip - min(there + back for there, back in ways)) <= ROUNDING
        assert offset.round_trip / 2.0 <= offset.error <= offset.round_trip * (0.5 + LARGEST_DRIFT) + ROUNDING


@pytest.mark.parametrize("drift", [50e-6, -50e-6])
def test_over_hours_the_estimate_follows_the_drift(drift: float) -> None:
    clock, offset, chance = Clock(0.1427, drift), Offset(), random.Random(1)
    worst, told = 0.0, 0.0
    for second in range(int(4 * HOUR)):
        there, back = 0.0005 + 0.01 * chance.random(), 0.0005 + 0.01 * chance.random()
        offset.take(clock.exchange(float(second), there, 0.001, back))
        wrong = abs(offset.value - clock.ahead_at(second + there + 0.001 + back))
        assert wrong <= offset.error + ROUNDING
        worst, told = max(worst, wrong), max(told, offset.error if second > 60 else 0.0)
    assert abs(offset.value - (0.1427 + 4 * HOUR * drift)) < 0.005
    assert worst < 0.01
    assert told < 0.008


def test_a_network_that_has_become_slow_is_told_as_a_larger_error_and_a_good_exchange_is_kept_for_a_while() -> None:
    clock, offset = Clock(5.0), Offset()
    offset.take(clock.exchange(0.0, 0.001, 0.0, 0.001))
    offset.take(clock.exchange(10.0, 0.1, 0.0, 0.3))
    assert offset.value == pytest.approx(5.0)
    assert offset.error == pytest.approx(0.001 + LARGEST_DRIFT * 10.4)
    offset.take(clock.exchange(2000.0, 0.1, 0.0, 0.3))
    assert offset.error == pytest.approx(0.2 + LARGEST_DRIFT * 0.4)
    assert offset.round_trip == pytest.approx(0.4)
    assert offset.value == pytest.approx(4.9)


@given(delays, st.floats(-1e6, 1e6))
def test_equal_delays_both_ways_give_the_offset_itself(delay: float, true: float) -> None:
    offset = Offset()
    offset.take(PingExchange(1.0, 1.0 + delay + true, 2.0 + delay + true, 2.0 + 2.0 * delay))
    assert offset.exchanges == 0 or abs(offset.value - true) < 1e-9


def test_an_exchange_that_took_less_than_no_time_is_not_believed() -> None:
    offset = Offset()
    offset.take(PingExchange(sent=1.0, got=5.0, replied=9.0, returned=2.0))
    assert (offset.exchanges, offset.round_trip, offset.error) == (0, inf, inf)
    offset.take(Clock(3.0).exchange(2.0, 0.25, 1.0, 0.25))
    offset.take(PingExchange(sent=3.0, got=5.0, replied=9.0, returned=3.5))
    assert (offset.exchanges, offset.value, offset.error) == (1, 3.0, 0.25 + LARGEST_DRIFT * 1.5)
