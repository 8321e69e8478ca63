"""Closed forms that the task is held against."""

from __future__ import annotations

from itertools import permutations
from math import hypot
from statistics import mean, median, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.experimental_frames.logistics.published import (
    CHARGER,
    MEAN_WITHIN,
    POWERS,
    PUBLISHED_LIVES,
    TABLE_V,
    USABLE,
    StraightWay,
    bottleneck,
    chance_towards,
    interval_of_mean,
    least_time,
    share_at_dock,
)


def test_least_times_have_ramps() -> None:
    assert StraightWay(3.0, 0.5).seconds() == pytest.approx(6.35, abs=1e-9)
    assert StraightWay(3.0, 0.3).seconds() == pytest.approx(10.25, abs=1e-9)
    assert least_time(3.0, 3.0) == pytest.approx(26.6, abs=1e-9)


@pytest.mark.parametrize(("variance", "chance"), [(9.0, 0.507), (3.0, 0.642), (1.0, 0.884)])
def test_the_second_parameter_of_equation_1_is_a_variance(variance: float, chance: float) -> None:
    assert chance_towards(variance) == pytest.approx(chance, abs=6e-4)


def test_table_v() -> None:
    assert mean(TABLE_V) == pytest.approx(178.2)
    assert stdev(TABLE_V) == pytest.approx(93.9, abs=0.05)
    assert median(TABLE_V) == 136.0
    assert interval_of_mean(TABLE_V) == pytest.approx(MEAN_WITHIN, abs=0.6)


def test_lives_by_powers() -> None:
    for what in ("usual", "all"):
        power, life = PUBLISHED_LIVES[what]
        assert sum(POWERS[what]) == power
        assert USABLE / power == pytest.approx(life, abs=0.1)
    assert USABLE / sum(POWERS["idle"]) == pytest.approx(17.0)  # printed: 14 h at 6 W, and 16 h
    assert share_at_dock(14.0, 54.0) == pytest.approx(0.206, abs=5e-4)
    assert CHARGER > 54.0


places = st.lists(st.tuples(st.floats(0.3, 3.4), st.floats(0.3, 3.4)), min_size=3, max_size=3)


@settings(max_examples=30)
@given(places, places)
def test_the_bottleneck_is_that_of_the_best_of_all_assignments(
    robots: list[tuple[float, float]], carriers: list[tuple[float, float]]
) -> None:
    def time(robot: tuple[float, float], carrier: tuple[float, float]) -> float:
        way = hypot(robot[0] - carrier[0], robot[1] - carrier[1])
        return least_time(way, max(0.0, 3.1 - carrier[0]))

    best = min(max(map(time, order, carriers)) for order in permutations(robots))
    assert bottleneck(robots, carriers, 3.1) == pytest.approx(best, abs=1e-9)
    assert bottleneck(robots[:1], carriers, 3.1) >= min(time(robots[0], carrier) for carrier in carriers)
