"""Light readings: the published curve, several lamps, and their inverse."""

from __future__ import annotations

from math import inf, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.light import DARKEST, GAIN, REACH
from devs_robotics.core.robots.epuck2.sensing.light import level_distance, reading
from tests.approximately import near

intensities, distances = st.floats(0.1, 4.0), st.floats(0.0, 0.7)


def test_readings_of_a_lamp_of_intensity_1_are_the_published_ones() -> None:
    found = {cm: reading([(1.0, 0.01 * cm)]) for cm in (10, 20, 30, 40, 50)}
    assert found == {10: 1792, 20: 3519, 30: 3839, 40: 3951, 50: 4003}


def test_a_lamp_that_goes_out_of_reach_leaves_a_jump() -> None:
    assert [reading([(2.0, 0.5)]), reading([(2.0, 0.5001)]), reading([(1.0, 0.5001)])] == [3726, 4095, 4095]
    assert reading([]) == reading([(5.0, inf)]) == reading([(0.0, 0.1)]) == DARKEST


@pytest.mark.parametrize("intensity", [0.5, 1.0, 3.0])
def test_a_lamp_saturates_within_its_distance(intensity: float) -> None:
    edge = GAIN * intensity
    assert [reading([(intensity, share * edge)]) for share in (0.0, 0.5, 1.0)] == [0, 0, 0]
    assert reading([(intensity, 1.01 * edge)]) > 0


@given(st.lists(st.tuples(intensities, distances), max_size=5))
def test_the_terms_of_several_lamps_are_added(lamps: list[tuple[float, float]]) -> None:
    terms = [(0.075 * i) ** 2 / d**2 if d > 1e-9 else inf for i, d in lamps if d <= REACH]
    expected = 4095 * max(0.0, 1.0 - sum(terms))
    assert reading(lamps) == near(expected, 0.501)
    assert all(reading(lamps) <= reading([lamp]) for lamp in lamps)


@given(st.lists(st.tuples(intensities, distances), max_size=5), st.floats(-1.0, 1.0))
def test_noise_stays_within_the_limits(lamps: list[tuple[float, float]], error: float) -> None:
    assert reading(lamps, error) == near(min(4095.0, max(0.0, reading(lamps) + 4095 * error)), 1.0)


@given(st.floats(0.1, 6.0), st.integers(0, DARKEST - 1))
def test_a_level_is_read_at_its_distance(intensity: float, level: int) -> None:
    distance = level_distance(intensity, level)
    assert distance <= REACH
    assert reading([(intensity, distance)]) == level if distance < REACH else reading([(intensity, REACH)]) <= level


def test_a_level_of_one_lamp_is_a_circle() -> None:
    assert level_distance(1.0, 0.75 * 4095) == near(0.075 / sqrt(0.25))
    assert level_distance(1.0, 0) == near(0.075)


@pytest.mark.parametrize("level", [-1.0, 4095.0, 5000.0])
def test_a_level_that_no_sensor_reads_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="give one of at least 0, below 4095"):
        level_distance(1.0, level)
