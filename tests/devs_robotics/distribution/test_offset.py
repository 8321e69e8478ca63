"""Clock offsets are estimated as well as the least round trip allows."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.distribution.offset import Exchange, Offset

delays = st.floats(0.0, 0.5)


@given(
    st.floats(-1e6, 1e6),
    st.lists(st.tuples(st.floats(0.0, 1000.0), delays, delays, delays), min_size=1, max_size=20),
)
def test_the_error_is_at_most_half_of_the_least_round_trip(
    true: float, exchanges: list[tuple[float, float, float, float]]
) -> None:
    offset = Offset()
    for sent, there, thinking, back in exchanges:
        got = sent + there
        offset.take(Exchange(sent, got + true, got + thinking + true, got + thinking + back))
    least = min(there + back for _, there, _, back in exchanges)
    rounding = 1e-9
    assert abs(offset.round_trip - least) <= rounding or offset.exchanges < len(exchanges)
    if offset.exchanges:
        assert abs(offset.value - true) <= offset.round_trip / 2.0 + rounding


@given(delays, st.floats(-1e6, 1e6))
def test_equal_delays_both_ways_give_the_offset_itself(delay: float, true: float) -> None:
    offset = Offset()
    offset.take(Exchange(1.0, 1.0 + delay + true, 2.0 + delay + true, 2.0 + 2.0 * delay))
    assert offset.exchanges == 0 or abs(offset.value - true) < 1e-9


def test_an_exchange_that_took_less_than_no_time_is_not_believed() -> None:
    offset = Offset()
    offset.take(Exchange(sent=1.0, got=5.0, replied=9.0, returned=2.0))
    assert (offset.exchanges, offset.round_trip) == (0, inf)
