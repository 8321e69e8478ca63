"""How charges fall: published figures, what the four models must have in common, and what lies between two curves."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, inf, nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import ModelError
from devs_robotics.models.batteries import (
    DISCHARGES,
    ApproximatedDischarge,
    CubicDischarge,
    Curve,
    Discharge,
    LinearDischarge,
    SimpleDischarge,
    shipped,
)
from devs_robotics.models.batteries.coefficients import HOURS, ILLUSTRATIVE, SHAPE
from devs_robotics.models.batteries.curves import rises_at
from tests.approximately import near
from tests.models.batteries.discharges import (
    charges,
    curve,
    curves,
    discharges,
    durations,
    published_steps,
    shapes,
    speeds,
    steep_curves,
)

HOUR = 3600.0
FEW = 40
"""Examples of a property: what is between two curves takes milliseconds to be made."""

OF_CURVES = ("linear", "cubic", "approximated")


def hours(discharge: Discharge, speed: float) -> float:
    """How long a full battery lasts (h)."""
    return discharge.seconds_until(1.0, 0.0, speed) / HOUR


def test_the_simple_model_lasts_as_long_as_is_published() -> None:
    simple = shipped("simple")
    assert hours(simple, 0.0) == near(5.484, within=5e-4)
    assert [hours(simple, speed_cm / 100.0) for speed_cm in (0.1, 13.3, 15.4)] == [near(3.193, within=5e-4)] * 3


def test_the_illustrative_curves_have_the_published_features() -> None:
    assert sum(HOURS[1:]) / 15 == near(hours(shipped("simple"), 0.1), within=5e-3), "the mean in motion"
    rising = [late > early for early, late in pairwise(HOURS)]
    assert rising == [False] * 5 + [True] * 9 + [False]


@pytest.mark.parametrize("name", OF_CURVES)
def test_a_measured_speed_has_its_own_curve_and_another_one_is_between_two(name: str) -> None:
    discharge = shipped(name)
    assert [hours(discharge, speed_cm / 100) for speed_cm in range(16)] == [near(each) for each in HOURS]
    assert HOURS[13] < hours(discharge, 0.133) < HOURS[14]
    assert hours(discharge, 0.1300001) == near(HOURS[13], within=1e-4), "without a jump"


def test_a_speed_in_m_s_is_that_of_a_curve_in_cm_s_whatever_its_rounding() -> None:
    """100 times 0.07 is not 7, nor is 100 times 0.14 14."""
    assert [shipped("cubic").decline(speed_cm / 100) for speed_cm in range(16)] == list(ILLUSTRATIVE)


@pytest.mark.parametrize("name", OF_CURVES)
def test_where_the_lower_speed_lasts_longer_the_mean_is_not_the_other_way_round(name: str) -> None:
    """The published algorithms give 2.96 h at 3.3 cm/s, as at 3.7."""
    assert hours(shipped(name), 0.033) == near(3.037, within=5e-4)
    assert hours(shipped(name), 0.037) == near(2.957, within=5e-4)


@pytest.mark.parametrize("name", OF_CURVES)
def test_beyond_the_last_speed_it_is_as_at_the_last(name: str) -> None:
    assert [hours(shipped(name), speed) for speed in (0.15, 0.154, 2.0)] == [near(3.55)] * 3


def test_four_pieces_are_as_near_to_the_curve_as_four_pieces_can_be() -> None:
    cubic, straight = (shipped(name).decline(0.05) for name in ("cubic", "approximated"))
    times = [cubic.duration * number / 2000 for number in range(2001)]
    error = sum((cubic.charge_at(time) - straight.charge_at(time)) ** 2 for time in times) / 2001
    assert error == near(2.09e-4, within=1e-6)
    ends = [cubic.duration * number / 4 for number in range(5)]
    assert [straight.charge_at(end) for end in ends] == [near(cubic.charge_at(end)) for end in ends]


@pytest.mark.parametrize("speed_cm", [0.3, 3.3, 4.5, 13.3, 14.9])
def test_the_cubic_is_what_the_published_steps_come_to(speed_cm: float) -> None:
    """Steps of 30 s are within a step at the end and 0.1 %; curves of one shape have the mean of their rates."""
    exact = shipped("cubic").seconds_until(1.0, 0.0, speed_cm / 100.0)
    assert published_steps(ILLUSTRATIVE, speed_cm, 30.0) == near(exact, within=30.0 + 1e-3 * exact)
    low, high, weight = HOURS[floor(speed_cm)], HOURS[ceil(speed_cm)], speed_cm - floor(speed_cm)
    assert exact / HOUR == near(1.0 / ((1.0 - weight) / low + weight / high), within=1e-7)


@settings(max_examples=10)
@given(steep_curves, st.integers(1, 7))
def test_between_curves_of_any_shape_the_cubic_is_what_steps_come_to(made: tuple[Curve, ...], eighths: int) -> None:
    speed_cm = eighths / 8.0
    exact = CubicDischarge(made).seconds_until(1.0, 0.1, speed_cm / 100.0)
    step = exact / 200.0
    assert published_steps(made, speed_cm, step, until=0.1) == near(exact, within=step + 0.01 * exact)


@settings(max_examples=FEW)
@given(discharges, charges, speeds, st.floats(0.0, 20_000.0), st.floats(0.0, 20_000.0))
def test_charges_fall_and_two_spans_are_as_one(
    discharge: Discharge, charge: float, speed: float, first: float, second: float
) -> None:
    middle = discharge.charge_after(charge, speed, first)
    last = discharge.charge_after(middle, speed, second)
    assert 0.0 <= last <= middle <= charge
    assert last == near(discharge.charge_after(charge, speed, first + second), within=1e-7)
    if first > 1.0 and charge > 0.0:
        assert middle < charge


@settings(max_examples=FEW)
@given(discharges, charges, charges, speeds)
def test_how_long_it_takes_and_what_is_left_are_inverse(
    discharge: Discharge, charge: float, level: float, speed: float
) -> None:
    seconds = discharge.seconds_until(charge, level, speed)
    if charge <= level:
        assert seconds == 0.0
    else:
        assert 0.0 < seconds < inf
        assert discharge.charge_after(charge, speed, seconds) == near(level, within=1e-9)
        assert discharge.charge_after(charge, speed, 0.9 * seconds) > level


@settings(max_examples=FEW)
@given(discharges, speeds)
def test_an_empty_battery_stays_empty_and_no_time_changes_nothing(discharge: Discharge, speed: float) -> None:
    assert discharge.charge_after(0.0, speed, 100.0) == 0.0
    assert discharge.charge_after(0.3, speed, 0.0) == 0.3
    assert discharge.charge_after(0.3, speed, 1e9) == 0.0


@settings(max_examples=FEW)
@given(curves, st.integers(0, 8), charges)
def test_at_every_charge_it_falls_at_the_mean_of_both_rates(
    made: tuple[Curve, ...], eighths: int, charge: float
) -> None:
    """dC/dt = (1 - w) P_L'(t_L) + w P_H'(t_H), seen over a short while."""
    if not 0.02 < charge < 0.98:
        return
    weight = eighths / 8.0
    low, high = (each.slope_at(each.time_at(charge)) for each in made[:2])
    rate = (1.0 - weight) * low + weight * high
    speed = weight / 100.0
    fallen = charge - CubicDischarge(made).charge_after(charge, speed, 0.5)
    assert fallen / 0.5 == near(-rate, within=2e-6 + 0.02 * abs(rate))


@settings(max_examples=FEW)
@given(curves, charges)
def test_the_piece_is_that_of_the_charge_and_a_step_over_its_end_changes_the_slope(
    made: tuple[Curve, ...], charge: float
) -> None:
    """A step from piece to piece is the sum of its two parts; the published one keeps the first piece's slope."""
    discharge = ApproximatedDischarge(made)
    ends = [made[0].charge_at(made[0].duration * number / 4) for number in range(5)]
    quarter = made[0].duration / 4
    for start, end in pairwise(ends):
        if end < charge <= start:
            seconds = discharge.seconds_until(charge, end, 0.0)
            assert seconds == near(quarter * (charge - end) / (start - end), within=1e-6)
    assert discharge.charge_after(ends[1], 0.0, 1.5 * quarter) == near((ends[2] + ends[3]) / 2)


@given(durations, shapes)
def test_a_curve_falls_or_is_refused_with_the_time_at_which_it_rises(
    duration: float, shape: tuple[float, float, float]
) -> None:
    c1, c2, c3 = shape
    grid = [number / 200 for number in range(201)]
    slopes = [c1 + share * (2.0 * c2 + share * 3.0 * c3) for share in grid]
    rising = rises_at(shape, 1.0)
    if rising is None:
        assert max(slopes) <= 1e-9
        made = curve(3.0, shape, duration)
        for share in grid[1:-1:20]:
            charge = made.charge_at(share * duration)
            assert made.charge_at(made.time_at(charge)) == near(charge)
        return
    assert all(slope <= 1e-9 for share, slope in zip(grid, slopes, strict=True) if share < rising)
    later = rising + 1e-4
    assert c1 + later * (2.0 * c2 + later * 3.0 * c3) > 0.0
    with pytest.raises(
        ModelError, match=rf"^the curve of 3 cm/s rises after {rising * duration / HOUR:.2f} h, where one"
    ):
        curve(3.0, shape, duration)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: SimpleDischarge(at_rest=1e-5), "a battery's charge must fall at rest, and its slope is 1e-05 1/s"),
        (lambda: SimpleDischarge(moving=nan), "a battery's charge must fall in motion, and its slope is nan 1/s"),
        (lambda: LinearDischarge((0.0, 1.0), (-1e-5, 0.0)), "a battery's charge must fall at 1 cm/s"),
        (lambda: LinearDischarge((1.0, 0.0), (-1e-5, -1e-5)), "the speeds of a battery's curves must rise from 0 cm/s"),
        (lambda: LinearDischarge((0.0, 1.0), (-1e-5,)), "a battery needs one curve or slope per speed"),
        (lambda: CubicDischarge(()), "a battery needs one curve or slope per speed, at least one, and has 0 for none"),
        (lambda: ApproximatedDischarge((ILLUSTRATIVE[1],) * 2), "the speeds of a battery's curves must rise"),
        (
            lambda: Curve(2.0, (-1.0, 0.0, 0.0), 0.5),
            "the curve of 2 cm/s is 0.5 at its end, 0.5 s, and must be 0 there",
        ),
        (lambda: Curve(2.0, (-1.0, 0.0, inf), 1.0), "the curve of 2 cm/s must have finite coefficients"),
        (lambda: Curve(2.0, (-1.0, 0.0, 0.0), -1.0), "the curve of 2 cm/s must have finite coefficients"),
    ],
)
def test_coefficients_of_which_no_battery_can_be_made_are_refused(make: Any, sentence: str) -> None:
    with pytest.raises(ModelError, match=f"^{sentence}"):
        make()


def test_there_are_four_models_and_an_unknown_one_is_told() -> None:
    assert [type(shipped(name)).__name__.removesuffix("Discharge").lower() for name in DISCHARGES] == list(DISCHARGES)
    assert sum(SHAPE) == near(-1.0)
    with pytest.raises(
        Exception, match=r"^there is no discharge model 'cubical': take simple, linear, cubic or approx"
    ):
        shipped("cubical")
