"""Step counters: no fraction of a step is lost, and they wrap."""

from __future__ import annotations

from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.body import AXLE, STEP_LENGTH
from devs_robotics.core.robots.epuck2.sensing.encoders import count

TURN = pi * 0.041
"""Way of a wheel in one revolution (m)."""


def test_a_revolution_is_1000_steps() -> None:
    assert [count(TURN), count(-TURN)] == [1000, -1000]


def test_a_turn_in_place_is_1292_steps_forward_and_1293_backward() -> None:
    way = pi * AXLE
    assert (count(way), count(-way)) == (1292, -1293)


def test_half_a_step_twice_is_one_step() -> None:
    half = TURN * 0.18 / 360.0
    assert [count(half), count(half + half)] == [0, 1]


@given(st.integers(-32768, 32767))
def test_whole_steps_are_counted_in_spite_of_rounding(steps: int) -> None:
    assert count(steps * STEP_LENGTH) == steps


@pytest.mark.parametrize(("steps", "told"), [(32767, 32767), (32768, -32768), (65536, 0), (-32769, 32767)])
def test_it_wraps_at_16_bits(steps: int, told: int) -> None:
    assert count(steps * STEP_LENGTH) == told


@given(st.floats(-3.0, 3.0))
def test_there_and_back_is_nothing(travel: float) -> None:
    assert count(travel - travel) == 0
    assert travel / STEP_LENGTH - 1.0 <= count(travel) <= travel / STEP_LENGTH + 1e-5


@given(st.lists(st.floats(-0.05, 0.05), max_size=200))
def test_travel_in_pieces_is_counted_as_in_one(pieces: list[float]) -> None:
    """It does not matter into how many looks a way is divided."""
    travel = told = 0.0
    for piece in pieces:
        travel += piece
        told += (count(travel) - told + 32768) % 65536 - 32768
    assert told == count(sum(pieces)) or abs(told - count(sum(pieces))) == 65536
