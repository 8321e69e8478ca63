"""The back robot's position error, from the fixes of a tracking system."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Atomic, Fix, Out, Simulator
from devs_robotics.experimental_frames.convoy.back_robot import PhysicalErrors
from devs_robotics.models.convoy import RoundDone
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.setup.setup import set_up

Said = Fix | RoundDone


class Teller(Atomic):
    """Sends one value a second."""

    fix = Out(Fix)
    round_done = Out(RoundDone)

    def __init__(self, values: list[Said]) -> None:
        super().__init__("teller")
        self.left = list(values)

    def initialize(self) -> None:
        self.hold_in("telling", 1.0)

    def lambdaf(self) -> None:
        if self.left:
            value = self.left[0]
            if isinstance(value, Fix):
                self.fix.add(value)
            else:
                self.round_done.add(value)

    def deltint(self) -> None:
        self.left = self.left[1:]
        self.hold_in("telling", 1.0)


def errors(*values: Said) -> list[tuple[int, float]]:
    observer = PhysicalErrors(back=3, spacing=0.5)
    with Simulator(Teller(list(values))) as simulator:
        simulator.attach(observer)
        simulator.run(until=len(values) + 1.0)
    return observer.errors


def done(number: int) -> RoundDone:
    return RoundDone(3, number, 0)


coordinates = st.floats(-5.0, 5.0)


@given(coordinates, coordinates, st.floats(-pi, pi), coordinates, coordinates)
def test_the_error_is_the_way_to_the_desired_position(x: float, y: float, heading: float, dx: float, dy: float) -> None:
    own = Fix(3, x - 0.5 * cos(heading) + dx, y - 0.5 * sin(heading) + dy, 1.0)
    ((number, error),) = errors(Fix(2, x, y, heading), done(7), own)
    assert number == 7
    assert error == pytest.approx((dx**2 + dy**2) ** 0.5, abs=1e-9)


def test_the_front_robots_last_fix_and_the_back_robots_next_one_count() -> None:
    behind = Fix(3, 0.5, 0.0, 0.0)
    assert errors(
        Fix(2, 9.0, 9.0, 0.0), Fix(2, 1.0, 0.0, 0.0), Fix(3, 7.0, 7.0, 0.0), done(1), Fix(2, 1.3, 0.0, 0.0), behind
    ) == [(1, 0.0)]


def test_a_round_without_fixes_has_no_error() -> None:
    assert errors(done(1), Fix(3, 0.0, 0.0, 0.0), Fix(2, 0.0, 0.0, 0.0), Fix(3, 0.0, 0.0, 0.0), done(2)) == []


def test_it_is_attached_to_the_tracking_system_and_the_back_robot() -> None:
    model = experiment(set_up(load("convoy_in_the_loop"), "loop"))
    watched = ("experiment/tracker.fix", "experiment/system/robot3/convoy.round_done")
    assert PhysicalErrors(3, 0.5).watched(model) == watched
