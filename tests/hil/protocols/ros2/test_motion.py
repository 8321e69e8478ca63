"""Moves in closed loop on odometry that is late: how far from the target they end, and after which time at most."""

from __future__ import annotations

from collections import deque
from math import cos, inf, pi, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Drive
from devs_robotics.hil.protocols.ros2.motion import (
    IN_VAIN,
    TOLERANCE,
    TURN_TOLERANCE,
    BaseMotion,
    BaseState,
    LegPlan,
)

STEP, PERIOD = 0.01, 0.05
REST = 0.15
"""From standing still to two messages that say so (s)."""


class SlowBase:
    """A base that hears late, obeys with limits of its own, and whose odometry is late."""

    def __init__(
        self, delay: float, acceleration: float, turn_acceleration: float, wall: float = inf, slowest: float = 0.0
    ) -> None:
        self._slowest = slowest
        self.pulses = 0
        self.x = self.y = self.heading = self.speed = self.turn_rate = self.time = 0.0
        self._limits = acceleration, turn_acceleration
        self._told = (0.0, 0.0)
        self._way = 0.5 * (delay - PERIOD)
        self._commands: deque[tuple[float, tuple[float, float]]] = deque()
        self._reports: deque[tuple[float, BaseState]] = deque()
        self._wall = wall

    def run(self, motion: BaseMotion, within: float) -> float:
        """Drive; returns when the move has ended (s)."""
        steps = round(PERIOD / STEP)
        for number in range(round(within / STEP)):
            self.time = number * STEP
            while self._reports and self._reports[0][0] <= self.time:
                motion.heard(self._reports.popleft()[1], self.time)
            if motion.ending is not None:
                return self.time
            if number % steps == 0:
                speed, turn_rate = motion.command(self.time)
                self.pulses += 0.0 < abs(speed) < self._slowest
                said = 0.0 if abs(speed) < self._slowest else speed, turn_rate
                self._commands.append((self.time + self._way, said))
            while self._commands and self._commands[0][0] <= self.time:
                self._told = self._commands.popleft()[1]
            self._move()
            if number % steps == 3:
                state = BaseState(self.x, self.y, self.heading, self.speed, self.turn_rate)
                self._reports.append((self.time + self._way, state))
        raise AssertionError(f"the move has not ended within {within:g} s")

    def _move(self) -> None:
        rise, spin = (STEP * limit for limit in self._limits)
        self.speed += max(-rise, min(rise, self._told[0] - self.speed))
        self.turn_rate += max(-spin, min(spin, self._told[1] - self.turn_rate))
        self.heading += STEP * self.turn_rate
        if self.x + STEP * self.speed > self._wall:
            self.speed = 0.0
        self.x += STEP * self.speed * cos(self.heading)
        self.y += STEP * self.speed * sin(self.heading)


def motion_of(
    drive: Drive, delay: float, speed: float = 0.2, turn_rate: float = 1.0, deviation: float = inf
) -> tuple[BaseMotion, float]:
    """A move from where its base stands, and its bound (s)."""
    turning = LegPlan(turn_rate, 3.0, TURN_TOLERANCE, delay, PERIOD, deviation)
    going = LegPlan(speed, 0.5, TOLERANCE, delay, PERIOD, deviation)
    motion = BaseMotion(drive, BaseState(0.0, 0.0, 0.0, 0.0, 0.0), turning, going, 0.0, obeys=True)
    legs = (turning, abs(drive.turn)), (going, abs(drive.distance))
    return motion, sum(plan.duration(length) + REST for plan, length in legs if length)


@settings(max_examples=25, deadline=None)
@given(
    st.floats(-pi, pi).filter(lambda turn: abs(turn) > 0.02),
    st.floats(-2.0, 2.0).filter(lambda way: abs(way) > 0.02),
    st.floats(0.05, 0.6),
    st.floats(0.3, 2.0),
    st.floats(0.1, 0.6),
    st.floats(2.0, 4.0),
)
def test_a_move_ends_near_its_target_and_in_time_whatever_the_delay(
    turn: float, way: float, speed: float, turn_rate: float, delay: float, quick: float
) -> None:
    """Within three tolerances, and before its bound; the base can brake twice as hard as it is told to."""
    motion, bound = motion_of(Drive(turn, way), delay, speed, turn_rate)
    base = SlowBase(delay, quick * 0.5, quick * 3.0)
    took = base.run(motion, bound + 1.0)
    assert motion.ending == "moved"
    assert took <= bound + delay
    assert abs(motion.turned - turn) <= 3.0 * TURN_TOLERANCE
    assert abs(motion.gone - way) <= 3.0 * TOLERANCE
    along = base.x * cos(turn) + base.y * sin(turn)
    assert abs(along - way) <= 3.0 * TOLERANCE + abs(way) * 1e-3


@settings(max_examples=25, deadline=None)
@given(st.floats(-pi, pi), st.floats(-1.0, 1.0), st.floats(0.06, 0.3), st.sampled_from([1e-10, 1e-4]))
def test_what_odometry_knows_to_be_left_is_gone_too_whatever_the_delay(
    turn: float, way: float, delay: float, deviation: float
) -> None:
    """As near as it knows, and in the time that its deadline leaves for that."""
    motion, bound = motion_of(Drive(turn, way), delay, deviation=deviation)
    base = SlowBase(delay, 1.0, 6.0)
    base.run(motion, bound + 2.0 * LegPlan(0.2, 0.5, TOLERANCE, delay, PERIOD, deviation).correcting)
    assert motion.ending == "moved"
    assert abs(motion.turned - turn) <= max(3.0 * deviation, 1e-9)
    assert abs(motion.gone - way) <= max(3.0 * deviation, 1e-9)


def test_a_base_that_does_not_obey_small_speeds_is_not_asked_for_ever() -> None:
    """It has moved as far as it does: that is no fault."""
    motion, bound = motion_of(Drive(0.0, 0.505), 0.1, deviation=1e-10)
    base = SlowBase(0.1, 1.0, 6.0, slowest=0.019)
    base.run(motion, bound + IN_VAIN * 0.5)
    assert motion.ending == "moved"
    assert 1e-6 < abs(motion.gone - 0.505) <= 3.0 * TOLERANCE
    assert base.pulses == IN_VAIN


def test_a_pulse_is_given_up_when_it_is_told_to_stop() -> None:
    """And where nothing is known of how exact odometry is, there are none."""
    motion, bound = motion_of(Drive(0.0, 0.5), 0.1, deviation=1e-10)
    base = SlowBase(0.1, 1.0, 6.0)
    with pytest.raises(AssertionError, match=r"has not ended within 3\.1 s"):
        base.run(motion, 3.1)  # at rest, and about to make a pulse
    left = 0.5 - motion.gone
    assert motion.ending is None
    assert 1e-6 < abs(left) < 3.0 * TOLERANCE
    motion.halt(base.time)
    assert motion.command(base.time) == (0.0, 0.0)
    blind, bound = motion_of(Drive(0.0, 0.5), 0.1)
    assert SlowBase(0.1, 1.0, 6.0).run(blind, bound) <= bound
    assert abs(0.5 - blind.gone) > 1e-6


@pytest.mark.parametrize(("length", "speed", "bound"), [(0.2, 0.2, 1.89), (0.6, 0.2, 3.89)])
def test_the_bound_is_the_closed_form(length: float, speed: float, bound: float) -> None:
    """Values that were measured against a program of ROS 2: T, to which 0.2 s are added."""
    assert LegPlan(speed, 0.5, 0.002, 0.12).duration(length) == pytest.approx(bound + 0.2, abs=0.03)


def test_a_base_that_does_not_come_on_is_blocked_and_one_that_is_told_to_stops() -> None:
    """Both say how far it got."""
    motion, bound = motion_of(Drive(0.0, 1.0), 0.12)
    took = SlowBase(0.12, 1.0, 4.0, wall=0.3).run(motion, bound)
    assert motion.ending == "blocked"
    assert motion.gone == pytest.approx(0.3, abs=0.01)
    assert took < 0.3 / 0.2 + 0.5 + 2.0 * 0.12 + 1.0
    motion, bound = motion_of(Drive(0.0, 1.0), 0.12)
    base = SlowBase(0.12, 1.0, 4.0)
    motion.halt(0.0)
    base.run(motion, 1.0)
    assert (motion.ending, motion.gone) == ("stopped", 0.0)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.3, 2.0), st.floats(0.1, 1.0), st.floats(0.1, 0.6))
def test_a_base_is_not_blocked_where_it_takes_twice_as_long_as_ever_before(
    turn: float, way: float, delay: float
) -> None:
    """As on a busy computer; it may go further than it should."""
    motion, bound = motion_of(Drive(turn, way), delay)
    SlowBase(2.0 * delay, 1.0, 6.0).run(motion, 2.0 * bound)
    assert motion.ending == "moved"
    assert motion.turned > turn - 3.0 * TURN_TOLERANCE
    assert motion.gone > way - 3.0 * TOLERANCE


def test_a_base_that_was_never_seen_to_obey_gets_more_time_to_begin() -> None:
    """Its program may still have to learn of the publisher."""
    motion, _ = motion_of(Drive(0.0, 1.0), 0.12)
    stranger = BaseMotion(
        Drive(0.0, 1.0),
        BaseState(0.0, 0.0, 0.0, 0.0, 0.0),
        LegPlan(1.0, 3.0, 0.005, 0.12),
        LegPlan(0.2, 0.5, 0.002, 0.12),
        0.0,
        obeys=False,
    )
    ends = [SlowBase(0.12, 1.0, 4.0, wall=0.0).run(each, 5.0) for each in (motion, stranger)]
    assert ends[0] < 1.6 < 2.0 < ends[1]
