"""Proximity readings: the published values, their inverse, arrays, and on which side a wall is."""

from __future__ import annotations

from math import cos, inf, pi, radians, sin
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.body import RADIUS
from devs_robotics.core.robots.epuck2.responses import BRIGHTEST, RESPONSES, ResponseName
from devs_robotics.core.robots.epuck2.ring import RINGS, Ring, RingName
from devs_robotics.core.robots.epuck2.sensing.proximity import farthest, level_distance, reading, readings
from tests.approximately import near

PAPER = RESPONSES["paper"]
PUBLISHED = {0: 4095, 5: 3539, 10: 2976, 20: 1971, 30: 1128, 40: 448, 45: 168, 48: 20, 48.5: 0, 50.1: 0}
"""Readings by distance (mm)."""

names = st.sampled_from(get_args(ResponseName))
distances = st.floats(0.0, 0.12) | st.sampled_from((0.05, 0.07, 0.1, inf))
errors = st.floats(-1.5, 1.5) | st.just(0.0)


def test_readings_are_the_published_ones() -> None:
    assert {mm: reading(PAPER, 0.001 * mm) for mm in PUBLISHED} == PUBLISHED


@pytest.mark.parametrize(("name", "value"), [("paper", 1971), ("webots", 384), ("inverse-square", 485)])
def test_three_responses_read_three_things_at_20_mm(name: ResponseName, value: int) -> None:
    assert reading(RESPONSES[name], 0.02) == value


def test_where_the_fit_leaves_its_range_it_is_clamped() -> None:
    """It is above 1 below 0.383 mm only, and negative from 48.427 mm to 50 mm."""
    assert [reading(PAPER, 1e-6 * um) for um in (0, 200, 383, 48_428, 49_000, 50_000)] == [4095] * 3 + [0] * 3
    assert reading(PAPER, 0.00051) < 4095
    assert reading(PAPER, 0.0483) > 0
    assert (reading(PAPER, 0.0, 0.5), reading(PAPER, inf, -0.5)) == (4095, 0)
    assert reading(PAPER, 0.05, 0.001) == 4  # the noise is added to 0, not to what the fit would be there


@pytest.mark.parametrize(("value", "mm"), [(1, 48.405), (1000, 31.717), (2000, 19.688), (4095, 0.383)])
def test_the_inverse_is_the_published_one(value: int, mm: float) -> None:
    assert 1000.0 * level_distance(PAPER, value) == near(mm, 5e-4)


@given(names, st.integers(1, BRIGHTEST))
def test_a_reading_is_had_again_at_the_distance_that_it_means(name: ResponseName, value: int) -> None:
    response = RESPONSES[name]
    darkest = reading(response, farthest(response))
    assert reading(response, level_distance(response, value)) == max(value, darkest)


@given(names, st.integers(1, BRIGHTEST))
def test_a_reading_is_reached_where_its_level_is(name: ResponseName, value: int) -> None:
    response = RESPONSES[name]
    edge = level_distance(response, value - 0.5)
    assert reading(response, max(0.0, edge - 1e-9)) >= value
    assert reading(response, edge + 1e-9) < value


@pytest.mark.parametrize("level", [0.0, -1.0, 4095.1])
def test_a_level_that_no_sensor_reads_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match=r"give one above 0, at most 4095"):
        level_distance(PAPER, level)


@settings(max_examples=50)
@given(names, st.lists(st.tuples(distances, errors), max_size=8))
def test_arrays_read_the_same_to_the_last_bit(name: ResponseName, pairs: list[tuple[float, float]]) -> None:
    response = RESPONSES[name]
    d, e = np.array([each[0] for each in pairs]), np.array([each[1] for each in pairs])
    assert readings(response, d, e).tolist() == [reading(response, *pair) for pair in pairs]
    assert readings(response, d).tolist() == [reading(response, each) for each, _ in pairs]


@pytest.mark.parametrize("name", RESPONSES)
def test_a_long_array_reads_the_same_too(name: ResponseName) -> None:
    response = RESPONSES[name]
    many = np.random.default_rng(4).uniform(0.0, 1.1 * farthest(response), (50, 400))
    found = readings(response, many)
    assert found.shape == many.shape
    assert found.ravel().tolist() == [reading(response, each) for each in many.ravel().tolist()]


def beyond(ring: Ring, gap: float, bearing: float) -> list[float]:
    """From each sensor to a wall that is `gap` from the body's edge, in a direction."""
    away = []
    for looks, (x, y) in zip(ring.bearings, ring.places, strict=True):
        slope = cos(looks - bearing)
        way = RADIUS + gap - (x * cos(bearing) + y * sin(bearing))
        away.append(way / slope if slope > 1e-9 else inf)
    return away


@pytest.mark.parametrize("name", RINGS)
def test_a_wall_on_the_left_is_seen_on_the_left(name: RingName) -> None:
    wall_left = [reading(PAPER, each) for each in beyond(RINGS[name], 0.01, 0.5 * pi)]
    assert wall_left[:4] == [0] * 4
    assert max(wall_left) == wall_left[5] > 2500
    assert wall_left[6] > 0
    wall_right = [reading(PAPER, each) for each in beyond(RINGS[name], 0.01, -0.5 * pi)]
    assert wall_right == wall_left[::-1]


@given(st.floats(0.0, 0.04), st.floats(-pi, pi))
def test_a_wall_is_further_away_for_a_sensor_that_looks_at_it_at_an_angle(gap: float, bearing: float) -> None:
    ring = RINGS["paper"]
    for looks, away in zip(ring.bearings, beyond(ring, gap, bearing), strict=True):
        if away < inf:
            assert away == near((gap + RADIUS) / cos(looks - bearing) - RADIUS, 1e-6 * max(1.0, away))


def test_all_readings_return_after_a_turn_and_are_largest_across_from_a_wall() -> None:
    """A robot that turns about its middle, 10 mm from a wall."""
    ring, turns = RINGS["paper"], [radians(step) for step in range(360)]
    for sensor, looks in enumerate(ring.bearings):
        seen = [reading(PAPER, beyond(ring, 0.01, -turn)[sensor]) for turn in turns]
        assert max(seen) == 2976
        assert seen.index(2976) == round((2.0 * pi - looks) * 180.0 / pi) % 360
        assert seen[0] == reading(PAPER, beyond(ring, 0.01, -2.0 * pi)[sensor])
