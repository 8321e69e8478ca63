"""Moves of wheels that are set to speeds, without a robot: legs, corrections, and when wheels rest or are blocked."""

from __future__ import annotations

from math import inf, pi

import pytest

from devs_robotics import Drive
from devs_robotics.hil.protocols.step_control import StepControl
from tests.approximately import near

STEP = pi * 0.041 / 1000.0
AXLE = 0.053
TICK = 0.02


class Wheels:
    """Wheels that turn at a share of what they are told, and are read every 20 ms."""

    def __init__(self, *shares: float, speed: float = 0.1, turn_rate: float = 1.0) -> None:
        self.control = StepControl(speed, turn_rate)
        self.shares = list(shares)
        self.now = 0.0
        self.steps = [0.0, 0.0]
        self.counted = [0, 0]
        self.legs: list[tuple[int, int]] = []
        self.control.halt(0.0)
        while self.control.outcome is None:
            self.read()

    def read(self) -> None:
        """Go on for one tick, the wheels' own stop included."""
        control, before = self.control, self.control.speeds
        on = min(TICK, max(0.0, control.stop_at - self.now))
        share = self.shares[min(len(self.legs), len(self.shares)) - 1] if self.shares else 1.0
        self.steps = [steps + share * speed * on for steps, speed in zip(self.steps, control.speeds, strict=True)]
        self.now += TICK
        if control.stop_at <= self.now:
            control.stop(self.now)
        counts = [round(steps) for steps in self.steps]
        left, right = (now - then for now, then in zip(counts, self.counted, strict=True))
        self.counted = counts
        control.count(left, right, self.now, self.now)
        if control.speeds not in ((0, 0), before):
            self.legs.append(control.speeds)

    def make(self, drive: Drive, within: float = 60.0) -> tuple[float, float, str | None]:
        """Make a move; returns what was counted and how it ended."""
        self.control.begin(drive, self.now)
        self.legs = [self.control.speeds]
        end = self.now + within
        while self.control.outcome is None and self.now < end:
            self.read()
        turn, distance = self.control.motion
        self.control.reported()
        return turn, distance, self.control.outcome


def test_each_leg_has_its_own_three_corrections() -> None:
    """Wheels that make half of what they are told: three corrections leave a sixteenth of each leg."""
    wheels = Wheels(0.5)
    turn, distance, outcome = wheels.make(Drive(2.0, 0.2))
    assert outcome == "moved"
    assert len(wheels.legs) == 8
    assert turn == pytest.approx(2.0 * 15.0 / 16.0, abs=0.02)
    assert distance == pytest.approx(0.2 * 15.0 / 16.0, abs=0.001)


def test_a_leg_that_went_too_far_is_corrected_backward() -> None:
    wheels = Wheels(1.4, 1.0)
    wheels.control._watch = lambda as_of, time: None  # type: ignore[method-assign]
    turn, distance, outcome = wheels.make(Drive(0.0, 0.1))
    assert (turn, outcome) == (0.0, "moved")
    assert distance == pytest.approx(0.1, abs=1.5 * STEP)
    assert wheels.legs[1][0] == wheels.legs[1][1] < 0


@pytest.mark.parametrize(
    ("drive", "first", "second"),
    [
        (Drive(1.0, 0.2), (-206, 206), (776, 776)),
        (Drive(-1.0, -0.2), (206, -206), (-776, -776)),
        (Drive(0.0, 0.2), (776, 776), None),
        (Drive(0.02, 0.0), (-30, 30), None),  # four steps, at the least speed
        (Drive(0.0, 0.003), (77, 77), None),  # 23 steps in 0.3 s
    ],
    ids=str,
)
def test_a_move_turns_and_then_drives_at_the_wanted_speeds(
    drive: Drive, first: tuple[int, int], second: tuple[int, int] | None
) -> None:
    wheels = Wheels()
    turn, distance, outcome = wheels.make(drive)
    assert outcome == "moved"
    assert wheels.legs[0] == first
    assert second is None or second in wheels.legs[1:]
    assert turn == pytest.approx(drive.turn, abs=3.0 * STEP / AXLE)
    assert distance == pytest.approx(drive.distance, abs=1.5 * STEP)


@pytest.mark.parametrize(("speed", "steps"), [(0.5, 1000), (0.001, 30), (0.12, 932)])
def test_speeds_are_limited_to_what_wheels_can_do(speed: float, steps: int) -> None:
    wheels = Wheels(speed=speed)
    wheels.make(Drive(0.0, 0.4), within=0.5)
    assert wheels.legs[0] == (steps, steps)


def test_a_move_takes_no_longer_than_it_says() -> None:
    for drive in (Drive(1.0, 0.2), Drive(0.0, 0.01), Drive(-3.0, 0.0), Drive(0.01, 0.001)):
        wheels = Wheels(0.8)
        begun = wheels.now
        wheels.make(drive)
        assert wheels.now - begun <= wheels.control.duration(drive)
        assert wheels.control.duration(drive, 0.5) == pytest.approx(
            wheels.control.duration(drive) + 4.0 * sum(map(bool, (drive.turn, drive.distance)))
        )


def test_wheels_that_stand_before_the_end_are_blocked_after_half_a_second() -> None:
    wheels = Wheels()
    wheels.control.begin(Drive(0.0, 0.3), wheels.now)
    begun = wheels.now
    while wheels.control.speeds != (0, 0):
        if wheels.now > begun + 0.99:
            wheels.shares = [0.0]
        wheels.legs = [(1, 1)]
        wheels.read()
    assert wheels.now - begun == pytest.approx(1.0 + 0.5, abs=0.05)
    while wheels.control.outcome is None:
        wheels.read()
    assert wheels.control.outcome == "blocked"
    assert wheels.control.motion[1] == pytest.approx(0.1, abs=0.003)


def test_wheels_that_never_begin_are_blocked_when_no_link_is_so_slow() -> None:
    for drive in (Drive(0.0, 1.0), Drive(0.0, 0.02)):
        wheels = Wheels(0.0)
        begun = wheels.now
        assert wheels.make(drive) == (0.0, 0.0, "blocked")
        assert wheels.now - begun == pytest.approx(2.6, abs=0.1)
        assert len(wheels.legs) == 1


def test_a_leg_of_a_few_steps_may_end_without_one() -> None:
    wheels = Wheels(0.0)
    assert wheels.make(Drive(0.0, 9.0 * STEP)) == (0.0, 0.0, "moved")
    assert len(wheels.legs) == 4


def test_wheels_are_at_rest_when_they_have_stood_since_the_robot_was_told() -> None:
    control = StepControl(0.1, 1.0)
    control.halt(10.0)
    for as_of in (9.0, 9.5, 9.99):
        control.count(0, 0, as_of, as_of + 1.0)
        assert not control.at_rest(as_of)
    control.count(0, 0, 10.05, 11.05)
    assert not control.at_rest(10.05)
    assert control.outcome is None
    control.count(1, 0, 10.06, 11.06)
    control.count(0, 0, 10.13, 11.13)
    assert not control.at_rest(10.13)
    control.count(0, 0, 10.15, 11.15)
    assert control.at_rest(10.15)
    assert control.outcome == "stopped"


def test_wheels_that_stray_are_told_from_those_that_are_told_to_turn() -> None:
    wheels = Wheels()
    control = wheels.control
    assert control.strayed == 0
    control.count(-7, 3, wheels.now, wheels.now)
    control.count(-2, 3, wheels.now, wheels.now)
    assert control.strayed == 9
    control.begin(Drive(0.0, 0.1), wheels.now)
    control.count(50, 50, wheels.now, wheels.now)
    assert control.strayed == 0


def test_motion_between_moves_is_reported_with_the_next_one() -> None:
    wheels = Wheels()
    wheels.control.count(10, 10, wheels.now, wheels.now)
    wheels.control.count(-4, 4, wheels.now, wheels.now)
    assert wheels.control.motion == (near(8.0 * STEP / AXLE), near(10.0 * STEP))
    turn, distance, _ = wheels.make(Drive(0.0, 0.1))
    assert distance == pytest.approx(0.1 + 10.0 * STEP, abs=1.5 * STEP)
    assert turn == pytest.approx(8.0 * STEP / AXLE, abs=STEP / AXLE)
    assert wheels.control.motion == (0.0, 0.0)


def test_a_halted_move_has_no_time_to_stop_at_any_more() -> None:
    control = StepControl(0.1, 1.0)
    control.begin(Drive(0.0, 0.5), 1.0)
    assert control.stop_at == pytest.approx(1.0 + round(0.5 / STEP) / 776)
    control.halt(2.0)
    assert (control.speeds, control.stop_at) == ((0, 0), inf)
