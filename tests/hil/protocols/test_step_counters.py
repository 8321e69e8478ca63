"""Counters of steps that wrap, jump, or begin again."""

from __future__ import annotations

import pytest

from devs_robotics.hil.protocols.step_counters import StepCounters


def counters(left: int = 5, right: int = 5) -> StepCounters:
    """Read at one second, of what was true half a second before."""
    made = StepCounters()
    made.take(left, right, 1.0, 0.5)
    return made


def test_the_first_reading_is_no_motion_and_no_jump() -> None:
    new = StepCounters()
    assert new.steps(900, -900) == (0, 0)
    assert not new.is_jump(9000, 9000, 0.0, 0.0, ready=False)
    assert not new.is_jump(0, 0, 0.0, 0.0, ready=False)


def test_steps_are_differences_of_sixteen_bits() -> None:
    assert counters(32767, -32768).steps(-32768, 32767) == (1, -1)
    assert counters(10, 10).steps(0, 30) == (-10, 20)


@pytest.mark.parametrize(("time", "unseen", "most"), [(1.0, 0.0, 1200), (2.0, 0.0, 3200), (1.0, 0.25, 1700)])
def test_a_wheel_turns_no_further_than_its_time_allows(time: float, unseen: float, most: int) -> None:
    on = counters()
    assert not on.is_jump(5 + most, 5, time, unseen, ready=True)
    assert on.is_jump(5, 5 - most - 1, time, unseen, ready=True)


@pytest.mark.parametrize(("before", "ready", "restarted"), [(5, False, True), (5, True, False), (0, False, False)])
def test_counters_that_begin_again_are_a_jump_of_a_robot_that_had_gone(
    before: int, ready: bool, restarted: bool
) -> None:
    assert counters(before, before).is_jump(0, 0, 1.0, 0.0, ready=ready) == restarted


def test_what_is_believed_is_where_the_next_steps_are_counted_from() -> None:
    on = counters()
    on.jumps = 2
    on.take(9000, 9000, 2.0, 1.5)
    assert (on.read_at, on.taken_after, on.jumps) == (2.0, 1.5, 0)
    assert on.steps(9001, 8999) == (1, -1)
