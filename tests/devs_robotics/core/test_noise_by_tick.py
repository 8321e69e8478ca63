"""Noise that belongs to a robot, a sensor and a tick."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.noise_by_tick import key, normal, uniform, uniforms

keys = st.integers(0, 2**64 - 1)
ticks = st.integers(0, 2**62)


def test_the_generator_is_the_published_one() -> None:
    """The first numbers of SplitMix64 from 1234567, as its authors' program gives them."""
    published = (6457827717110365317, 3203168211198807973, 9817491932198370423)
    assert [uniform(1234567, tick) for tick in range(3)] == [(n >> 11) * 2.0**-52 - 1.0 for n in published]


@given(st.lists(keys, min_size=1, max_size=8), st.lists(ticks, min_size=1, max_size=8))
def test_arrays_have_the_same_numbers(some: list[int], at: list[int]) -> None:
    found = uniforms(np.array(some, np.uint64)[:, None], np.array(at, np.int64))
    assert found.tolist() == [[uniform(each, tick) for tick in at] for each in some]
    assert uniforms(np.array(some, np.uint64), at[0]).tolist() == [uniform(each, at[0]) for each in some]


@given(keys, ticks)
def test_a_number_is_at_least_minus_one_and_below_one(each: int, tick: int) -> None:
    assert -1.0 <= uniform(each, tick) < 1.0


def test_every_part_of_the_key_makes_another_sequence() -> None:
    names = [(7, 3, "proximity noise", 0), (8, 3, "proximity noise", 0), (7, 4, "proximity noise", 0)]
    names += [(7, 3, "light noise", 0), (7, 3, "proximity noise", 1)]
    assert len({uniform(key(*name), tick) for name in names for tick in range(100)}) == 500
    assert [key(*names[0]), key(*names[4])] == KEYS, "published results must come out again"


KEYS = [373203876022185777, 17887673531730626306]


def test_numbers_are_uniform_and_do_not_hang_together() -> None:
    """Along the ticks of one key, and along the sensors of one tick; within five standard errors."""
    some = np.array([key(1, robot, "proximity noise", sensor) for robot in range(50) for sensor in range(8)], np.uint64)
    numbers = uniforms(some[:, None], np.arange(250))
    n = numbers.size
    assert abs(numbers.mean()) < 5.0 * (1.0 / 3.0 / n) ** 0.5
    assert abs((numbers**2).mean() - 1.0 / 3.0) < 5.0 * (4.0 / 45.0 / n) ** 0.5
    for one, other in ((numbers[:, 1:], numbers[:, :-1]), (numbers[1:], numbers[:-1])):
        assert abs((one * other).mean()) < 5.0 / 3.0 / n**0.5
    counts = np.bincount(((numbers + 1.0) * 50.0).astype(int).ravel(), minlength=100)
    expected = n / 100
    assert ((counts - expected) ** 2 / expected).sum() < 99.0 + 5.0 * (2.0 * 99.0) ** 0.5


@given(keys, st.integers(0, 2**61))
def test_a_normal_number_is_made_of_two_uniform_ones_as_box_and_muller_have_it(each: int, tick: int) -> None:
    one, other = (0.5 * (uniform(each, 2 * tick + later) + 1.0) for later in (0, 1))
    expected = np.sqrt(-2.0 * np.log(one + 2.0**-53)) * np.cos(2.0 * np.pi * other)
    assert normal(each, tick) == pytest.approx(expected, abs=1e-12)


def test_normal_numbers_are_normal() -> None:
    numbers = np.array([normal(9, tick) for tick in range(10_000)])
    assert abs(numbers.mean()) < 0.05
    assert abs(numbers.std() - 1.0) < 0.036
    assert abs((np.abs(numbers) < 1.0).mean() - 0.6827) < 0.024
    assert abs((np.abs(numbers) > 2.0).mean() - 0.0455) < 0.011
