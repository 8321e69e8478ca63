"""Who else is at a carrier, by rays cast at discs and walls."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin, tau

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.activities.range_ring import HALF_VIEW, SENSORS
from devs_robotics.models.logistics.carry import ALIGNED
from devs_robotics.models.logistics.company import LOOKS, is_alone, is_end_free
from devs_robotics.models.logistics.layout import PREDOCK, RADIUS, SHAPE, turned

AWAY = PREDOCK + SHAPE.half
"""From the middle of a carrier to that of a robot where docking begins (m)."""

REACH = 1.3
RAYS = 40

headings = st.floats(-pi, pi)
aligned = st.builds(lambda side, off: side * pi / 2.0 + off, st.integers(-1, 2), st.floats(-ALIGNED, ALIGNED))
"""Of a robot that has raised a carrier."""


def readings(discs: list[tuple[float, float, float]], wall: float, heading: float) -> list[float]:
    """Of sensors at the origin: discs (m, m, m), and walls that far along y on both sides of the middle (m)."""
    axes = heading + np.arange(SENSORS)[:, None] * (tau / SENSORS)
    angles = axes + np.linspace(-HALF_VIEW, HALF_VIEW, RAYS)
    east, north = np.cos(angles), np.sin(angles)
    with np.errstate(divide="ignore", invalid="ignore"):
        nearest = np.where(north == 0.0, inf, wall / np.abs(north))
        for x, y, radius in discs:
            along, aside = x * east + y * north, y * east - x * north
            meets = (along > 0.0) & (np.abs(aside) < radius)
            nearest = np.where(meets, np.minimum(nearest, along - np.sqrt(radius * radius - aside * aside)), nearest)
    found = nearest.min(axis=1) - RADIUS
    return [float(value) if value < REACH else inf for value in found]


def alone(others: list[tuple[float, float]], heading: float, wall: float = inf, noise: int | None = None) -> bool:
    """For a robot at the origin, before a carrier that is along x; others by their middles (m)."""
    discs = [(x, y, SHAPE.leg_radius) for x, y in SHAPE.legs_from(AWAY, 0.0, 0.0)]
    values = readings(discs + [(x, y, RADIUS) for x, y in others], wall, heading)
    looks = [values] * LOOKS
    if noise is not None:
        chance = np.random.default_rng(noise)
        looks = [[value + chance.normal(0.0, 0.01) for value in values] for _ in range(LOOKS)]
    return is_alone(looks, -heading, AWAY, SHAPE)


@given(headings, st.floats(0.5, 1.0), st.integers(0, 1000))
def test_nobody_is_there_though_there_are_legs_and_walls(heading: float, wall: float, noise: int) -> None:
    assert alone([], heading)
    assert alone([], heading, wall)
    assert alone([], heading, noise=noise)


@given(headings, st.sampled_from([pi / 2.0, -pi / 2.0]), st.integers(0, 1000))
def test_who_stands_at_the_next_side_is_found(heading: float, side: float, noise: int) -> None:
    x, y = turned(-AWAY, 0.0, side)
    assert not alone([(AWAY + x, y)], heading)
    assert not alone([(AWAY + x, y)], heading, noise=noise)


@given(headings, st.floats(0.45, AWAY + 0.02), st.sampled_from([pi / 2.0, -pi / 2.0]))
def test_so_is_who_has_just_set_out(heading: float, left: float, side: float) -> None:
    x, y = turned(-left, 0.0, side)
    assert not alone([(AWAY + x, y)], heading)


@given(headings, st.floats(0.8, 2.0), st.floats(-pi, pi))
def test_who_is_further_off_is_not_at_it(heading: float, away: float, bearing: float) -> None:
    x, y = AWAY + away * cos(bearing), away * sin(bearing)
    if hypot(x, y) > 2.0 * RADIUS:
        assert alone([(x, y)], heading)


def test_readings_that_are_multipath_of_a_leg_are_nobody() -> None:
    values = readings([(x, y, SHAPE.leg_radius) for x, y in SHAPE.legs_from(AWAY, 0.0, 0.0)], inf, 0.0)
    assert min(values) < 0.25
    for times in (2.0, 3.0):
        assert is_alone([[value * times for value in values]] * LOOKS, 0.0, AWAY, SHAPE)


@pytest.mark.parametrize(("times", "expected"), [(2, True), (3, False)])
def test_few_false_readings_are_nobody(times: int, expected: bool) -> None:
    heading = 0.0
    discs = [(x, y, SHAPE.leg_radius) for x, y in SHAPE.legs_from(AWAY, 0.0, 0.0)]
    clear = readings(discs, inf, heading)
    taken = readings([*discs, (AWAY, AWAY, RADIUS)], inf, heading)
    assert is_alone([taken] * times + [clear] * (LOOKS - times), 0.0, AWAY, SHAPE) is expected


OUT = SHAPE.half + RADIUS + 0.04
"""Of the way out from the middle of a carrier (m)."""


def end_is_free(
    others: list[tuple[float, float]], heading: float, middle: float = 0.0, end: float = OUT, noise: int | None = None
) -> bool:
    """For a robot at the origin, between the legs of a carrier, of which the way out is along x."""
    discs = [(x, y, SHAPE.leg_radius) for x, y in SHAPE.legs_from(middle, 0.0, 0.0)]
    values = readings(discs + [(x, y, RADIUS) for x, y in others], inf, heading)
    chance = np.random.default_rng(noise)
    spread = 0.0 if noise is None else 0.01
    looks = [[value + chance.normal(0.0, spread) for value in values] for _ in range(LOOKS)]
    return is_end_free(looks, -heading, end, middle, SHAPE)


@given(headings, st.floats(-0.005, 0.005), st.integers(0, 1000))
def test_where_only_its_own_legs_are_the_end_of_the_way_out_is_free(heading: float, middle: float, noise: int) -> None:
    assert end_is_free([], heading, middle, noise=noise)
    assert end_is_free([], heading, middle - 0.2, OUT - 0.2, noise=noise)


@given(aligned, st.floats(0.25, 0.27), st.floats(-pi * 0.57, pi * 0.57), st.integers(0, 1000))
def test_it_is_not_where_somebody_stands_that_a_robot_would_touch(
    heading: float, away: float, bearing: float, noise: int
) -> None:
    x, y = OUT + away * cos(bearing), away * sin(bearing)
    assert not end_is_free([(x, y)], heading)
    assert not end_is_free([(x, y)], heading, noise=noise)


@given(headings, st.floats(0.4, 1.0), st.floats(-pi, pi))
def test_who_stands_further_off_does_not_bar_the_way_out(heading: float, away: float, bearing: float) -> None:
    x, y = OUT + away * cos(bearing), away * sin(bearing)
    if hypot(x, y) > SHAPE.half_diagonal + RADIUS:
        assert end_is_free([(x, y)], heading)


def test_legs_that_read_twice_as_far_do_not_bar_the_way_out() -> None:
    values = readings([(x, y, SHAPE.leg_radius) for x, y in SHAPE.legs_from(0.0, 0.0, 0.0)], inf, 0.0)
    for times in (2.0, 3.0):
        assert is_end_free([[value * times for value in values]] * LOOKS, 0.0, OUT, 0.0, SHAPE)
