"""Instants and rasters: times that are the same whoever computes them."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment.instants import PER_SECOND, Raster, instant, instant_from, raster

times = st.floats(0.0, 1e5)
periods = st.sampled_from([0.05, 0.1, 1.0 / 3.0, 0.032, 1.0, 7.3])


@given(times)
def test_an_instant_is_a_whole_part_of_a_second_near_the_time(seconds: float) -> None:
    found, first = instant(seconds), instant_from(seconds)
    for each in (found, first):
        assert (Fraction(each) * 2**30).denominator == 1
    assert abs(Fraction(found) - Fraction(seconds)) <= Fraction(1, 2**31)
    assert 0 <= Fraction(first) - Fraction(seconds) < Fraction(1, 2**30)
    assert instant(found) == found == instant_from(found)


def test_never_is_never() -> None:
    assert (instant(inf), instant_from(inf), Raster(0.1).reached(0.0, inf)) == (inf, inf, inf)
    assert PER_SECOND == 2.0**30


@given(periods, st.sampled_from([0.0, 0.013, 2.5]), st.integers(0, 100_000))
def test_points_are_whole_periods_after_the_offset(period: float, offset: float, point: int) -> None:
    points = Raster(period, offset)
    time = points.time(point)
    assert time == instant(offset + point * period)
    assert points.is_point(time)
    assert not points.is_point(time + 1e-3)
    assert points.after(time) == points.time(point + 1)
    assert points.after(time + 1e-3) == points.time(point + 1)
    if point:
        assert points.after(time - 1e-3) == time


@given(periods, st.sampled_from([0.0, 0.013]), st.integers(0, 1000), st.integers(0, 1000))
def test_a_prediction_is_reached_at_the_first_point_that_is_not_before_it(
    period: float, offset: float, now: int, ahead: int
) -> None:
    points = Raster(period, offset)
    here, there = points.time(now), points.time(now + ahead)
    later = there if ahead else points.time(now + 1)
    assert points.reached(here, there) == later
    assert points.reached(here, there - 1e-3) == later
    assert points.reached(here, there + 1e-10) == later, "so much rounding is no delay"
    assert points.reached(here, there + 1e-3) == points.time(now + ahead + 1)


def test_before_the_first_point_there_is_none() -> None:
    points = Raster(0.5, 2.0)
    assert points.after(0.25) == 2.0
    assert not points.is_point(1.5)
    assert points.reached(0.25, 0.5) == 2.0
    assert points.after(2.0) == 2.5


def test_who_look_together_have_one_raster() -> None:
    assert raster(0.25, 0.125) is raster(0.25, 0.125)
    assert raster(0.25, 0.125) == Raster(0.25, 0.125)
    assert Raster(0.25) == Raster(0.25, 0.0)
    with pytest.raises(AttributeError):
        raster(0.25, 0.125).period = 1.0  # type: ignore[misc]
