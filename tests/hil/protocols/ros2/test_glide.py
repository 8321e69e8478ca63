"""A base on omniwheels that is told where to glide: where it ends, after which time, and what is told of that."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from math import cos, hypot, inf, pi, sin
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Driven, Glide, Glided
from devs_robotics.core.robots.plain_data import plain, typed
from devs_robotics.hil.protocols.events import Event, GivenUp, Told
from devs_robotics.hil.protocols.ros2.glide import NEVER_SIDLES
from devs_robotics.hil.protocols.ros2.kept_glides import KeptGlides
from devs_robotics.hil.protocols.ros2.messages import BaseVelocity
from devs_robotics.hil.protocols.ros2.motion import TOLERANCE, TURN_TOLERANCE, BaseState, LegPlan
from devs_robotics.hil.protocols.ros2.robot import Ros2Robot

STEP, PERIOD = 0.01, 0.05


class SlidingBase:
    """A base that hears late, obeys within limits of its own, and whose odometry is late.

    Args:
        delay: from a command until its effect is known, less a period (s)
        wall: it goes no further along x (m)
        sidles: whether it obeys ``linear.y``
    """

    def __init__(self, delay: float = 0.05, wall: float = inf, *, sidles: bool = True, heading: float = 0.0) -> None:
        tau = delay + PERIOD
        self.plans = LegPlan(1.0, 3.0, TURN_TOLERANCE, tau), LegPlan(0.3, 0.5, TOLERANCE, tau)
        self.glides = KeptGlides(lambda: self.plans)
        self.x = self.y = 0.0
        self.heading = heading
        self.told: list[Event] = []
        self._velocity = BaseVelocity(0.0, 0.0)
        self._wanted = self._velocity
        self._way, self._wall, self._sidles = 0.5 * delay, wall, sidles
        self._steps = 0
        self._commands: deque[tuple[float, BaseVelocity]] = deque()
        self._reports: deque[tuple[float, BaseState]] = deque()
        self.state = BaseState(0.0, 0.0, heading, 0.0, 0.0)
        self.fastest = 0.0

    @property
    def time(self) -> float:
        return self._steps * STEP

    def tell(self, glide: Glide) -> None:
        self._note(self.glides.put("omniwheels", plain(glide), self.state, self.time))

    def ends(self) -> list[Glided]:
        """The reports of ends so far."""
        reports = [typed(each.data, Glided) for each in self.told if isinstance(each, Told) and each.data is not None]
        return [each for each in reports if isinstance(each, Glided) and not each.under_way]

    def run(self, until: float) -> None:
        while self.time < until:
            while self._reports and self._reports[0][0] <= self.time:
                self.state = self._reports.popleft()[1]
                self._note(self.glides.heard(self.state, self.time))
            if self._steps % 5 == 0 and (velocity := self.glides.velocity(self.time)) is not None:
                self._commands.append((self.time + self._way, velocity))
            while self._commands and self._commands[0][0] <= self.time:
                self._wanted = self._commands.popleft()[1]
            self._move()
            if self._steps % 5 == 3:
                velocity = self._velocity
                state = BaseState(self.x, self.y, self.heading, velocity.speed, velocity.turn_rate, velocity.aside)
                self._reports.append((self.time + self._way, state))
            self._steps += 1

    def _note(self, outputs: Iterable[Any]) -> None:
        self.told += outputs

    def _move(self) -> None:
        rise, spin, now, wanted = STEP * 1.0, STEP * 6.0, self._velocity, self._wanted
        self._velocity = BaseVelocity(
            now.speed + max(-rise, min(rise, wanted.speed - now.speed)),
            now.turn_rate + max(-spin, min(spin, wanted.turn_rate - now.turn_rate)),
            now.aside + max(-rise, min(rise, wanted.aside - now.aside)) if self._sidles else 0.0,
        )
        ahead, aside, heading = self._velocity.speed, self._velocity.aside, self.heading
        self.fastest = max(self.fastest, hypot(ahead, aside))
        x = self.x + STEP * (ahead * cos(heading) - aside * sin(heading))
        if x > self._wall:
            self._velocity = BaseVelocity(0.0, self._velocity.turn_rate)
        else:
            self.x, self.y = x, self.y + STEP * (ahead * sin(heading) + aside * cos(heading))
        self.heading += STEP * self._velocity.turn_rate


@settings(max_examples=15)
@given(
    st.floats(-pi, pi),
    st.floats(0.0, 1.0),
    st.floats(-pi, pi),
    st.floats(-pi, pi),
    st.floats(0.0, 0.15),
)
def test_a_command_ends_where_it_leads_whatever_the_direction_the_turn_and_the_delay(
    direction: float, distance: float, turn: float, heading: float, delay: float
) -> None:
    """Within three tolerances along its line and of its turn, and within 2 cm of the line."""
    base = SlidingBase(delay, heading=heading)
    base.tell(Glide(direction, distance, turn))
    base.run(sum(plan.duration(each) for plan, each in zip(base.plans, (abs(turn), distance), strict=True)) + 1.5)
    (glided,) = base.ends()
    assert not glided.blocked
    assert abs(glided.distance - distance) <= 3.0 * TOLERANCE
    assert abs(glided.turn - turn) <= 3.0 * TURN_TOLERANCE
    line = heading + direction
    assert abs(base.x * cos(line) + base.y * sin(line) - glided.distance) < 1e-3
    assert abs(base.y * cos(line) - base.x * sin(line)) < 0.02
    assert abs(base.heading - heading - glided.turn) < 1e-3


def test_it_goes_no_faster_than_it_is_told() -> None:
    base = SlidingBase()
    base.tell(Glide(pi / 2.0, 0.4, 0.0, 0.1))
    base.run(8.0)
    assert base.ends()[0].distance == pytest.approx(0.4, abs=3.0 * TOLERANCE)
    assert base.fastest < 0.11


def test_a_command_on_the_way_brakes_it_and_of_several_only_the_last_is_carried_out() -> None:
    base = SlidingBase()
    base.tell(Glide(0.0, 1.0))
    base.run(1.5)
    assert base.ends() == []
    base.tell(Glide(0.0, 1.0))
    base.tell(Glide(pi, 0.2, 0.5))
    assert base.told.count(Told("omniwheels", None)) == 3, "each is known to have come"
    base.run(6.0)
    first, second, third = base.ends()
    assert 0.1 < first.distance < 0.6
    assert second == Glided(0.0, 0.0)
    assert third.distance == pytest.approx(0.2, abs=3.0 * TOLERANCE)
    assert base.x == pytest.approx(first.distance - 0.2, abs=0.01)
    assert not base.glides.goes


def test_on_the_way_it_tells_how_far_it_has_come_and_without_a_way_and_a_turn_it_is_over_at_once() -> None:
    base = SlidingBase()
    base.tell(Glide())
    assert base.ends() == [Glided(0.0, 0.0)]
    base.tell(Glide(0.0, 0.3))
    base.run(1.0)
    reports = [typed(each.data, Glided) for each in base.told[3:] if isinstance(each, Told)]
    ways = [each.distance for each in reports if isinstance(each, Glided) and each.under_way]
    assert len(ways) > 5
    assert ways == sorted(ways)
    assert ways[-1] == pytest.approx(base.x, abs=0.02)


def test_where_something_stands_in_its_way_it_is_blocked() -> None:
    base = SlidingBase(wall=0.1)
    base.tell(Glide(0.3, 0.5))
    base.run(5.0)
    (glided,) = base.ends()
    assert glided.blocked
    assert glided.distance < 0.2


def test_a_base_on_two_wheels_that_should_go_sideways_is_given_up_with_the_remedy() -> None:
    base = SlidingBase(sidles=False)
    base.tell(Glide(pi / 4.0, 1.0))
    base.run(2.6)
    assert GivenUp(NEVER_SIDLES) in base.told


def test_a_base_that_was_not_heard_goes_on_with_what_is_left() -> None:
    base = SlidingBase()
    base.tell(Glide(0.0, 0.4))
    base.run(0.8)
    base.glides.silent()
    base._wanted = BaseVelocity(0.0, 0.0)
    base._commands.clear()
    base.run(6.0)
    assert base.ends()[0].distance == pytest.approx(0.4, abs=3.0 * TOLERANCE)


def test_from_its_first_move_the_delay_is_known() -> None:
    base = SlidingBase(0.1)
    base.tell(Glide(1.0, 0.4))
    base.run(1.0)
    assert base.glides.take_delay() == pytest.approx(0.1, abs=0.06)
    assert base.glides.take_delay() is None


def test_omniwheels_are_what_such_a_robot_may_have() -> None:
    assert Ros2Robot.carries("omniwheels", Glide, Glided)
    assert Ros2Robot.has_by_itself("omniwheels", Glide, Glided)
    assert not Ros2Robot.carries("omniwheels", Glide, Driven)
