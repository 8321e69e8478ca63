"""Wheels that are set to speeds, at the bounds: of time and of steps. Times are exact in binary where it matters."""

from __future__ import annotations

from math import inf, pi, ulp

import pytest

from devs_robotics import Drive
from devs_robotics.hil.protocols.step_control import StepControl
from tests.approximately import near

STEP = pi * 0.041 / 1000.0
AXLE = 0.053


def resting(time: float = 0.0) -> StepControl:
    """Wheels that have come to rest."""
    control = StepControl(0.1, 1.0)
    control.halt(time - 1.0)
    control.count(0, 0, time - 1.0, time - 1.0)
    control.count(0, 0, time, time)
    assert control.outcome == "stopped"
    control.reported()
    return control


def going(steps: int, time: float = 1.0) -> StepControl:
    """Wheels that have just been told to go straight on by so many steps."""
    control = resting(time)
    control.begin(Drive(0.0, steps * STEP), time)
    return control


def over(steps: int, left: int, right: int) -> StepControl:
    """Wheels that were told to, have come so far, and rest when the leg is over."""
    control = going(steps)
    control.count(left, right, 1.25, 1.25)
    control.stop(2.0)
    control.count(0, 0, 2.0, 2.0)
    control.count(0, 0, 2.25, 2.25)
    return control


def test_new_wheels_stand_and_have_done_nothing() -> None:
    control = StepControl(0.1, 1.0)
    assert (control.speeds, control.stop_at, control.outcome, control.told_at) == ((0, 0), inf, None, None)
    assert (control.motion, control.strayed) == ((0.0, 0.0), 0)
    assert not control.at_rest(1e9)
    control.count(3, 3, 0.0, 0.0)
    assert control.outcome is None
    assert control.motion == (0.0, near(3.0 * STEP))


def test_wheels_that_nobody_stopped_rest_since_they_were_first_seen_to() -> None:
    control = StepControl(0.1, 1.0)
    control.begin(Drive(0.0, 1.0), 0.0)
    control.count(0, 0, -0.5, 0.0)
    assert not control.at_rest(-0.4375)
    assert control.at_rest(-0.375)


def test_wheels_rest_after_eight_hundredths_of_a_second_and_since_they_last_moved() -> None:
    control = StepControl(0.1, 1.0)
    control.halt(0.0)
    control.count(0, 0, 0.0, 0.0)
    assert control.at_rest(0.08)
    assert not control.at_rest(0.08 - ulp(0.08))
    for left, right in ((1, 0), (0, -1)):
        control.count(left, right, 1.0, 1.0)
        control.count(0, 0, 1.0625, 1.0625)
        assert not control.at_rest(1.0625)
        assert control.at_rest(1.125)


@pytest.mark.parametrize(
    ("drive", "duration"),
    [
        (Drive(), 0.0),
        (Drive(0.001, 0.00001), 0.0),
        (Drive(0.0, 0.2), 1553 / 776 + 0.16 + 3 * (0.3 + 0.16)),
        (Drive(0.0, -0.2), 1553 / 776 + 0.16 + 3 * (0.3 + 0.16)),
        (Drive(-2.0, 0.0), 411 / 206 + 0.16 + 3 * (0.3 + 0.16)),
        (Drive(0.0, 0.003), 0.3 + 0.16 + 3 * (0.3 + 0.16)),
        (Drive(2.0, 0.2), 1553 / 776 + 411 / 206 + 2 * (0.16 + 3 * (0.3 + 0.16))),
    ],
    ids=str,
)
def test_how_long_a_move_takes_with_all_its_corrections(drive: Drive, duration: float) -> None:
    assert StepControl(0.1, 1.0).duration(drive) == near(duration)


@pytest.mark.parametrize("steps", [1, -1, 2, -2])
def test_a_leg_of_a_step_is_made_in_its_direction(steps: int) -> None:
    control = going(steps)
    assert control.speeds == ((30, 30) if steps > 0 else (-30, -30))
    assert control.stop_at == near(1.0 + abs(steps) / 30)
    turning = resting(1.0)
    turning.begin(Drive(2.0 * steps * STEP / AXLE, 0.0), 1.0)
    assert turning.speeds == ((-30, 30) if steps > 0 else (30, -30))


def test_a_move_of_less_than_a_step_is_over_with_the_next_reading() -> None:
    control = resting()
    control.begin(Drive(0.001, 0.00001), 1.0)
    assert (control.outcome, control.speeds, control.told_at) == (None, (0, 0), None)
    control.count(0, 0, 1.25, 1.25)
    assert control.outcome == "moved"


@pytest.mark.parametrize("steps", [2, -2])
def test_a_move_of_less_than_a_step_is_corrected_three_times_if_wheels_have_come_further_meanwhile(steps: int) -> None:
    """Whatever the move before it has needed."""
    control = resting()
    for begin in (1.0, 8.0):
        control.begin(Drive(), begin)
        control.count(steps, steps, begin + 0.25, begin + 0.25)
        for time in (begin + 0.5, begin + 1.5, begin + 2.5):  # no correction is heard
            control.count(0, 0, time, time)
            assert control.speeds == ((-30, -30) if steps > 0 else (30, 30))
            assert control.stop_at == near(time + 2 / 30)
            control.stop(time + 0.5)
            control.count(0, 0, time + 0.5, time + 0.5)
        assert control.outcome is None
        control.count(0, 0, begin + 3.5, begin + 3.5)
        assert control.outcome == "moved"


@pytest.mark.parametrize(("left", "right", "stops"), [(50, 50, True), (51, 49, True), (49, 50, False), (60, 60, True)])
def test_a_leg_is_stopped_early_when_it_has_come_as_far_as_it_should(left: int, right: int, stops: bool) -> None:
    for sign in (1, -1):
        control = going(sign * 50)
        control.count(sign * left, sign * right, 1.0625, 1.0625)
        assert (control.speeds == (0, 0)) == stops
        assert (control.stop_at == inf) == stops


@pytest.mark.parametrize(("moves", "patience"), [(True, 0.5), (False, 2.5)])
def test_wheels_that_do_not_come_on_are_blocked_after_so_long_and_not_before(moves: bool, patience: float) -> None:
    control = going(5000)
    control.count(int(moves), int(moves), 1.0, 1.0)
    for later, blocked in ((patience - 0.25, False), (patience, False), (patience + 0.0625, True)):
        control.count(0, 0, 1.0 + later, 1.0 + later)
        assert (control.speeds == (0, 0)) == blocked
    control.halt(9.0)  # which does not change how it ends
    control.count(0, 0, 9.0, 9.0)
    control.count(0, 0, 9.25, 9.25)
    assert control.outcome == "blocked"
    assert control.told_at is None


def test_wheels_that_go_back_do_not_come_on() -> None:
    control = going(5000)
    control.count(100, 100, 1.25, 1.25)
    control.count(-50, -50, 1.5, 1.5)
    control.count(40, 40, 1.75, 1.75)
    assert control.speeds != (0, 0)
    control.count(0, 0, 1.8125, 1.8125)
    assert control.speeds == (0, 0)


@pytest.mark.parametrize("steps", [10, -10, 30])
def test_a_leg_of_ten_steps_is_not_over_without_one_before_no_link_is_so_slow(steps: int) -> None:
    control = over(steps, 0, 0)
    for time, outcome in ((3.25, None), (3.5, None), (3.5625, "blocked")):  # told at 1 s
        control.count(0, 0, time, time)
        assert control.outcome == outcome
    assert control.told_at is None


def test_a_leg_of_nine_steps_is_driven_again_if_none_was_seen() -> None:
    control = over(9, 0, 0)
    assert control.speeds == (30, 30)
    assert control.told_at == 2.25


@pytest.mark.parametrize(
    ("left", "right", "outcome"),
    [(50, 50, "moved"), (49, 49, "moved"), (49, 48, None), (48, 50, "moved"), (51, 51, "moved"), (52, 51, None)],
)
def test_a_leg_is_good_enough_within_a_step_on_the_mean(left: int, right: int, outcome: str | None) -> None:
    control = over(50, left, right)
    assert control.outcome == outcome
    if outcome is None:
        assert control.speeds == ((30, 30) if left < 50 else (-30, -30))
        assert control.stop_at == near(2.25 + 1.5 / 30)


def test_one_wheel_that_turns_shows_that_the_robot_has_heard() -> None:
    for left, right in ((1, 0), (0, 1)):
        control = going(50)
        assert control.told_at == 1.0
        control.count(0, 0, 1.0625, 1.0625)
        assert control.told_at == 1.0
        control.count(left, right, 1.125, 1.125)
        assert control.told_at is None


def test_a_move_that_is_halted_before_its_wheels_turned_is_stopped_and_waits_for_nothing() -> None:
    control = going(50)
    control.halt(1.5)
    control.count(0, 0, 1.5, 1.5)
    control.count(0, 0, 1.625, 1.625)
    assert (control.outcome, control.told_at, control.speeds) == ("stopped", None, (0, 0))


def test_how_a_move_ended_is_forgotten_when_the_next_one_begins() -> None:
    control = going(5000)
    control.halt(1.5)
    control.count(0, 0, 1.5, 1.5)
    control.count(0, 0, 1.625, 1.625)
    control.begin(Drive(0.0, 50 * STEP), 2.0)
    assert control.outcome is None
    control.count(50, 50, 2.125, 2.125)
    control.count(0, 0, 2.25, 2.25)
    control.count(0, 0, 2.5, 2.5)
    assert control.outcome == "moved"
