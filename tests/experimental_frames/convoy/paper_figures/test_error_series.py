from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from devs_robotics.experimental_frames.convoy import Formation, RoundRow
from devs_robotics.experimental_frames.convoy.paper_figures.error_series import ends, stretches
from devs_robotics.experimental_frames.convoy.paper_figures.runs import band, of, ratios
from tests.experimental_frames.convoy.paper_figures.runs import run

SECOND = (0.1, 0.08)


def formation(moves: list[float], times: list[float], sums: list[float]) -> Formation:
    """Two robots that complete rounds at some times, and whose errors add up to some sums at others."""
    made = Formation("formation", [(0.0, 0.0, 0.0), (-0.5, 0.0, 0.0)], 0.5, 1.0)
    row = RoundRow(1, 1, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0)
    made.rows.extend(replace(row, time_s=time) for time in moves)
    made.times.extend(times)
    made.error_sums.extend(sums)
    return made


def test_each_stretch_has_the_mean_over_its_pose_changes() -> None:
    made = formation([1.0, 2.0, 3.0, 4.0], [0.5, 1.5, 2.5, 3.5, 3.6], [2.0, 4.0, 6.0, 8.0, 10.0])
    assert stretches(made, 2, 2).tolist() == [1.5, 4.0]
    assert ends(2, 2).tolist() == [2.0, 4.0]


def test_a_stretch_that_was_not_reached_has_no_number() -> None:
    found = stretches(formation([1.0, 2.0], [0.5, 1.5], [2.0, 2.0]), 1, 4)
    assert found[:2].tolist() == [1.0, 1.0]
    assert np.isnan(found[2:]).all()


@given(st.lists(st.floats(0.0, 100.0), min_size=1, max_size=50), st.floats(0.0, 10.0), st.integers(1, 5))
def test_a_constant_error_is_the_same_in_every_stretch(times: list[float], error: float, width: int) -> None:
    moves = [float(place) for place in range(100)]
    found = stretches(formation(moves, sorted(times), [2.0 * error] * len(times)), width, 101)
    assert np.allclose(found[~np.isnan(found)], error)
    assert not np.isnan(found).all()


def test_a_band_holds_the_mean_and_two_runs_have_none() -> None:
    rows = [np.array([1.0, 5.0]), np.array([3.0, 5.0]), np.array([2.0, 5.0])]
    found = band(rows)
    assert found.mean.tolist() == [2.0, 5.0]
    half = 4.302652730 / 3**0.5  # t at 97.5 % with two degrees of freedom, and a deviation of 1
    assert np.allclose(found.high - found.mean, [half, 0.0])
    assert np.isnan(band(rows[:2]).low).all()
    assert band(rows[:2]).mean.tolist() == [2.0, 5.0]
    assert band([]).runs == 0


def test_only_runs_that_kept_the_formation_count() -> None:
    some = [run(SECOND, 30, 2, 13.0), run(SECOND, 30, 1, 12.0), run(SECOND, 30, 3, 9.0, ended="rejected")]
    some += [run(SECOND, 30, 4, 9.0, ended="failed"), run(SECOND, 20, 5, 9.0), run((0.2, 0.1), 30, 6, 9.0)]
    assert [kept.seed for kept in of(some, SECOND, 30)] == [1, 2]


def test_ratios_pair_seeds() -> None:
    first = [run((0.04, 0.04), 30, seed, 10.0 * seed) for seed in (1, 2, 3)]
    assert np.allclose(ratios([run(SECOND, 30, seed, 12.0 * seed) for seed in (2, 3, 4)], first), [1.2, 1.2])
