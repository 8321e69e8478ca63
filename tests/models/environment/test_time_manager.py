"""TimeManager: how long motions take, and what cuts one short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Atomic, Coupled, In, Out, Simulator
from devs_robotics.models.environment import Motion, TimeManager


class Commander(Atomic):
    """Sends motions at given times and notes what comes back."""

    command = Out(Motion)
    ended = In(Motion)

    def __init__(self, plan: list[tuple[float, Motion]]) -> None:
        super().__init__("commander")
        self.plan, self.now = list(plan), 0.0
        self.notes: list[tuple[float, Motion]] = []

    def initialize(self) -> None:
        self.hold_in("next", self.plan[0][0]) if self.plan else self.passivate()

    def lambdaf(self) -> None:
        self.command.add(self.plan[0][1])

    def deltint(self) -> None:
        self.now = self.plan.pop(0)[0]
        self.hold_in("next", self.plan[0][0] - self.now) if self.plan else self.passivate()

    def deltext(self, e: float) -> None:
        self.now += e
        self.continuef(e)
        self.notes += [(self.now, motion) for motion in self.ended.values]


def run(plan: list[tuple[float, Motion]]) -> list[tuple[float, Motion]]:
    top, commander, time = Coupled("top"), Commander(plan), TimeManager("time", speed=0.2, turn_rate=1.0)
    top.add_component(commander)
    top.add_component(time)
    top.add_coupling(commander.command, time.command)
    top.add_coupling(time.motion, commander.ended)
    Simulator(top).run()
    return commander.notes


def test_a_motion_comes_out_after_the_time_it_takes() -> None:
    motion = Motion(1, 0.5, 0.2)
    assert run([(1.0, motion)]) == [(2.5, motion)]


def test_backward_and_to_the_right_take_as_long() -> None:
    motion = Motion(1, -0.5, -0.2)
    assert run([(0.0, motion)]) == [(1.5, motion)]


def test_no_motion_takes_no_time() -> None:
    assert run([(1.0, Motion(1, 0.0, 0.0))]) == [(1.0, Motion(1, 0.0, 0.0))]


@given(st.floats(-10.0, 10.0), st.floats(-10.0, 10.0))
def test_durations_are_whole_ticks_and_never_too_short(turn: float, distance: float) -> None:
    duration = TimeManager("time", 0.2, 1.0).duration(Motion(1, turn, distance))
    exact = abs(turn) / 1.0 + abs(distance) / 0.2
    assert (duration * 2**20).is_integer()
    assert 0.0 <= duration - exact <= 2.0**-20


@pytest.mark.parametrize(
    ("after", "part"),
    [
        (0.25, Motion(1, 0.25, 0.0)),  # half way through the turn
        (0.5, Motion(1, 0.5, 0.0)),  # between turn and drive
        (0.75, Motion(1, 0.5, 0.05)),  # a quarter through the drive
    ],
)
def test_a_new_motion_ends_the_one_under_way_where_it_has_got_to(after: float, part: Motion) -> None:
    other = Motion(1, 0.0, -0.2)
    notes = run([(1.0, Motion(1, 0.5, 0.2)), (1.0 + after, other)])
    assert notes == [(1.0 + after, part), (2.0 + after, other)]


def test_a_motion_that_is_over_is_not_ended_again_by_the_next() -> None:
    first, second = Motion(1, 0.5, 0.2), Motion(1, 0.0, -0.2)
    assert run([(1.0, first), (10.0, second), (20.0, first)]) == [(2.5, first), (11.0, second), (21.5, first)]


def test_each_of_several_motions_of_one_instant_ends_where_it_has_got_to() -> None:
    long = Motion(1, 0.0, 0.4)
    notes = run([(1.0, long), (2.0, Motion(1, 1.0, 0.2)), (2.0, Motion(1, 0.5, 0.0))])
    assert notes == [(2.0, Motion(1, 0.0, 0.2)), (2.0, Motion(1, 0.0, 0.0)), (2.5, Motion(1, 0.5, 0.0))]
