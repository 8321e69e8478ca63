"""The continuous motor: it moves its robot with velocities, ends where it should, and stops where something is."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Actuator, AskCharge, Atomic, Charge, Drive, Driven, ModelError, Sensor
from devs_robotics.models.activities import ContinuousMotor
from devs_robotics.models.activities.continuous_motor import COAST
from devs_robotics.models.environment import Halted, Twist
from devs_robotics.models.environment.time_manager import Pace
from devs_robotics.study import Battery, CaseStudy, CaseSystem, batteries, robots, run
from tests.approximately import near
from tests.models.play import settle, tell

Events = list[tuple[float, str, Any]]


def motor() -> ContinuousMotor:
    return ContinuousMotor("motor", 7, Pace(0.5, 0.25))


def until_rest(model: ContinuousMotor) -> Events:
    """All that it says of its own, with the times from now."""
    time, said = 0.0, []
    while model.ta() < 1e9:
        time += model.ta()
        model.lambdaf()
        for port in model.out_ports:
            said += [(time, port.name, value) for value in port.values]
            port.clear()
        model.deltint()
    return said


def test_it_turns_drives_reports_and_stops() -> None:
    model = motor()
    assert tell(model, (model.drive.ask, Drive(-0.5, 1.0))) == [("world_ask", Twist(7, 0.0, -0.25))]
    assert until_rest(model) == [
        (2.0, "world_ask", Twist(7, 0.5, 0.0)),
        (4.0, "drive_answer", Driven(-0.5, 1.0)),
        (4.0 + COAST, "world_ask", Twist(7, 0.0, 0.0)),
    ]


def test_who_drives_on_at_once_never_stops() -> None:
    model = motor()
    tell(model, (model.override.ask, Drive(distance=1.0)))
    model.lambdaf()  # the leg ends, and then it reports
    model.deltint()
    assert settle(model) == [("override_answer", Driven(0.0, 1.0))]
    assert tell(model, (model.override.ask, Drive(distance=2.0)), e=0.0) == []
    assert [(time, name) for time, name, _ in until_rest(model)] == [
        (4.0, "override_answer"),
        (4.0 + COAST, "world_ask"),
    ]


def test_what_it_runs_into_ends_its_motion_there_and_it_can_leave() -> None:
    model = motor()
    tell(model, (model.drive.ask, Drive(distance=1.0)))
    said = tell(model, (model.world.answer, Halted(7, stopped=True)), e=0.5)
    wanted = [("drive_answer", Driven(0.0, 0.25, blocked=True)), ("world_ask", Twist(7, 0.0, 0.0))]
    assert sorted(said, key=lambda each: each[0]) == wanted
    assert tell(model, (model.drive.ask, Drive(distance=1.0)), e=0.0) == [("world_ask", Twist(7, 0.5, 0.0))]


def test_a_command_takes_the_place_of_one_under_way_and_only_the_last_is_reported() -> None:
    model = motor()
    tell(model, (model.drive.ask, Drive(distance=9.0)))
    assert tell(model, (model.drive.ask, Drive()), e=1.0) == [
        ("world_ask", Twist(7, 0.0, 0.0)),
        ("drive_answer", Driven(0.0, 0.0)),
    ]
    assert until_rest(model) == []


def test_while_the_layer_above_has_it_commands_of_the_one_below_are_dropped() -> None:
    model = motor()
    tell(model, (model.override.ask, Drive(distance=1.0)))
    assert tell(model, (model.drive.ask, Drive(distance=-1.0)), e=0.5) == []
    assert next((time, name) for time, name, _ in until_rest(model)) == (1.5, "override_answer")


@given(st.floats(-3.0, 3.0), st.floats(-9.0, 9.0))
def test_a_motion_is_as_long_as_it_is_wanted(turn: float, distance: float) -> None:
    model = motor()
    said = tell(model, (model.drive.ask, Drive(turn, distance)))
    events = [(0.0, *each) for each in said] + until_rest(model)
    ((when, _, driven),) = [event for event in events if event[1] == "drive_answer"]
    assert when == near(abs(turn) / 0.25 + abs(distance) / 0.5)
    assert (driven.turn, driven.distance, driven.blocked) == (near(turn), near(distance), False)


def test_what_no_motor_can_do_is_refused() -> None:
    model = motor()
    with pytest.raises(ModelError, match="must send finite angles and distances"):
        tell(model, (model.drive.ask, Drive(float("nan"), 1.0)))


class Driver(Atomic):
    """It drives, and hears when its battery is a little less than full."""

    motor = Actuator(Drive, Driven)
    battery = Sensor(AskCharge, Charge)
    low_at: ClassVar[list[float]] = []

    def initialize(self) -> None:
        self.time = 0.0
        self.activate("asking")

    def lambdaf(self) -> None:
        if self.phase == "asking":
            self.battery.ask.add(AskCharge(below=(0.999,)))
        self.motor.ask.add(Drive(distance=1.0))

    def deltint(self) -> None:
        self.passivate("waiting")

    def deltext(self, e: float) -> None:
        self.time += e
        self.low_at.extend(self.time for charge in self.battery.answer.values if charge.low)
        if self.motor.answer:
            self.activate("moving")


class Drivers(CaseStudy):
    """A robot whose battery hears how fast its wheels turn."""

    def build(self, system: CaseSystem) -> None:
        robot = system.add_robot((1.0, 5.0, 0.0), robots.round_differential(continuous=True, speed=0.1))
        robot.equip(Battery("battery", batteries.shipped("simple")))
        robot.decide(Driver("driver"))


def test_a_battery_hears_how_fast_its_wheels_turn() -> None:
    """At rest it is full for 5.48 h, on the way for 3.19 h."""
    Driver.low_at.clear()
    assert run(Drivers(), duration="30 s").ended == "accepted"
    (low_at,) = Driver.low_at
    assert 0.001 * 3.0 * 3600.0 < low_at < 0.001 * 4.0 * 3600.0
