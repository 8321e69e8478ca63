"""How rounds run through the line, and how well robots aim: against closed forms."""

from __future__ import annotations

from math import isnan, nan, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.convoy import Formation, RoundRow, measure
from devs_robotics.experimental_frames.convoy.waves import heading_error, synchronisation_delay
from devs_robotics.experimental_frames.instruments.approach import Approaches
from devs_robotics.models.environment import PoseChange
from tests.models.play import tell

counts = st.integers(2, 6)


def row(number: int, robot: int, time: float, bearing: float = 0.0) -> RoundRow:
    return RoundRow(number, robot, time, 0.0, 0.0, 0.0, 0.5, bearing if robot > 1 else nan, 0.0, 0)


@given(counts, st.integers(1, 8), st.integers(0, 3), st.floats(0.0, 9.0), st.floats(10.0, 100.0))
def test_a_wave_that_takes_as_long_from_each_robot_to_the_next_takes_that_long_a_robot(
    robots: int, rounds: int, transient: int, delay: float, period: float
) -> None:
    rows = [
        row(number, robot, number * period + (robot - 1) * delay)
        for number in range(1, rounds + 1)
        for robot in range(1, robots + 1)
    ]
    found = synchronisation_delay(rows, robots, transient, rounds)
    assert isnan(found) if transient >= rounds else found == pytest.approx(delay, abs=1e-9)


def test_only_the_ends_of_the_line_count_and_waves_may_follow_close_on_each_other() -> None:
    times = {(1, 1): 1.0, (2, 1): 3.0, (1, 2): 2.0, (3, 1): 11.0, (2, 2): 12.0, (1, 3): 3.0, (3, 2): 14.0}
    rows = [row(number, robot, time) for (robot, number), time in times.items()]
    assert synchronisation_delay(rows, 3, 0, 2) == pytest.approx(((11 - 1) + (14 - 2)) / 2 / 2)
    assert synchronisation_delay(rows, 3, 1, 2) == pytest.approx((14 - 2) / 2)


@given(st.lists(st.floats(-pi, pi), min_size=1, max_size=12))
def test_the_heading_error_is_the_mean_angle_to_either_side(bearings: list[float]) -> None:
    rows = [row(number, robot, 0.0, bearing) for number, bearing in enumerate(bearings, 1) for robot in (1, 2)]
    assert heading_error(rows, 0, len(rows)) == pytest.approx(sum(map(abs, bearings)) / len(bearings))
    assert isnan(heading_error(rows, len(bearings), len(bearings)))


def test_rounds_that_not_all_have_completed_and_those_of_the_transient_are_left_out() -> None:
    rows = [row(1, 2, 0.0, 3.0), row(2, 2, 0.0, -0.5), row(2, 3, 0.0, 0.25), row(3, 2, 0.0, 2.0)]
    assert heading_error(rows, 1, 2) == pytest.approx(0.375)


def test_metrics_tell_when_robots_were_lost_and_how_near_they_came() -> None:
    line = [(2.0, 1.0, 0.0), (1.5, 1.0, 0.0), (1.0, 1.0, 0.0)]
    formation = Formation("formation", line, 0.5, 1.0)
    approaches = Approaches("approaches", 4.0, 2.0, (), [0.1] * 3, line, 0.02)
    plain = measure(formation, 0, 0.0)
    assert isnan(plain.first_lost_at_s)
    assert isnan(plain.smallest_distance_m)
    assert plain.collisions is None
    for x in (1.25, 1.7):
        tell(approaches, (approaches.pose_change, PoseChange(3, x, 0.9, 0.0)))
    metrics = measure(formation, 0, 3.0, {3: 2.5, 2: 2.0}, approaches)
    assert (metrics.first_lost_at_s, metrics.lost_at_s) == (2.0, {3: 2.5, 2: 2.0})
    assert metrics.collisions == 1
    assert metrics.smallest_distance_m == pytest.approx(0.1 - 0.2)  # it passed robot 2, 0.1 m beside its centre


def test_walls_are_no_robots() -> None:
    approaches = Approaches("approaches", 4.0, 2.0, (), [0.1] * 2, [(2.0, 1.0, 0.0), (1.0, 1.0, 0.0)], 0.02)
    tell(approaches, (approaches.pose_change, PoseChange(1, 3.89, 1.0, 0.0)))
    assert approaches.between_robots == pytest.approx(0.8)
    assert min(approach.distance for approach in approaches.nearest) == pytest.approx(0.01)
