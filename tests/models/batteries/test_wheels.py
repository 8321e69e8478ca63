"""How fast wheels turn, by a robot's motions; and what a robot in its field uses up."""

from __future__ import annotations

from math import pi
from typing import Any

import pytest

from devs_robotics import (
    Actuator,
    Asked,
    Atomic,
    Drive,
    Driven,
    ModelError,
    Obstructed,
    Sense,
    Sensor,
    Simulator,
    Wheels,
)
from devs_robotics.core.testing.simulations import Simulate
from devs_robotics.models.activities import HardwareWheels, RampMotor, VirtualWheels
from devs_robotics.models.batteries import (
    AskCharge,
    Battery,
    Charge,
    LinearDischarge,
    TurningWheels,
    WheelSpeed,
)
from devs_robotics.models.environment import Motion, Twist
from devs_robotics.models.environment.time_manager import Pace
from devs_robotics.models.robots import CaseSystem, Inertia, Robot, RobotKind, virtual_equipment
from tests.approximately import near
from tests.models.robots.small_world import Errand, small_system

PACE = Pace(speed=0.1, turn_rate=2.0)
AXLE = 0.0625
ROTATING, GOING, RESTING = WheelSpeed(0.0625), WheelSpeed(0.1), WheelSpeed(0.0)

DONE = Driven(0.0, 0.0)


def speeds(simulate: Simulate, **inputs: list[tuple[float, Any]]) -> list[tuple[float, WheelSpeed]]:
    trace = simulate(TurningWheels("wheels", PACE, AXLE), until=100.0, inputs=inputs)
    return trace.outputs("wheel_speed")


@pytest.mark.parametrize(("port", "message"), [("motion", lambda *way: Motion(1, *way)), ("command", Drive)])
def test_a_motion_rotates_first_then_goes_and_then_rests(simulate: Simulate, port: str, message: Any) -> None:
    """While it rotates, its centre is at rest, and its wheels are not."""
    found = speeds(simulate, **{port: [(1.0, message(-3.0, 0.5))]}, driven=[(7.5, DONE)])
    assert found == [(1.0, ROTATING), (near(2.5), GOING), (7.5, RESTING)]


def test_one_that_only_rotates_or_only_goes_has_one_speed_whichever_way(simulate: Simulate) -> None:
    motions = [(1.0, Motion(1, -2.0, 0.0)), (4.0, Motion(1, 0.0, -0.2)), (8.0, Motion(1, 0.0, 0.0))]
    found = speeds(simulate, motion=motions, driven=[(2.0, DONE), (6.0, DONE), (8.0, DONE)])
    assert found == [(1.0, ROTATING), (2.0, RESTING), (4.0, GOING), (6.0, RESTING)]


def test_one_that_takes_the_place_of_another_begins_afresh(simulate: Simulate) -> None:
    motions = [(1.0, Motion(1, 3.0, 0.5)), (2.0, Motion(1, 0.0, 0.3)), (3.0, Motion(1, 1.0, 0.4))]
    found = speeds(simulate, motion=motions, driven=[(9.0, DONE)])
    assert found == [(1.0, ROTATING), (2.0, GOING), (3.0, ROTATING), (near(3.5), GOING), (9.0, RESTING)]


def test_speeds_that_wheels_are_told_are_kept_until_others_come_or_a_motion_does(simulate: Simulate) -> None:
    twists = [
        (1.0, Twist(1, 0.1, 0.0)),
        (2.0, Twist(1, 0.0, -2.0)),
        (3.0, Twist(1, -0.1, 1.0)),
        (4.0, Twist(1, 0.0, 0.0)),
    ]
    found = speeds(simulate, twist=[*twists, (7.0, Twist(1, 0.1, 0.0))], motion=[(5.0, Motion(1, 0.0, -0.2))])
    assert found == [(1.0, GOING), (2.0, ROTATING), (3.0, GOING), (4.0, RESTING), (5.0, GOING)]


def test_a_real_robots_wheels_are_heard_of_by_what_it_is_asked(simulate: Simulate) -> None:
    asked = [
        (1.0, Asked("wheels", Wheels(-0.05, 0.075))),
        (2.0, Asked("gripper", Sense())),
        (3.0, Asked("w", Wheels())),
    ]
    assert speeds(simulate, asked=asked) == [(1.0, ROTATING), (3.0, RESTING)]


class Asker(Atomic):
    """A decision model that only has a battery."""

    battery = Sensor(AskCharge, Charge)

    def __init__(self, name: str = "asker") -> None:
        super().__init__(name)
        self.time = 0.0
        self.told: list[tuple[float, Charge]] = []

    def initialize(self) -> None:
        self.activate()

    def lambdaf(self) -> None:
        self.battery.ask.add(AskCharge((0.25,)))

    def deltext(self, e: float) -> None:
        self.time += e
        self.told += [(self.time, charge) for charge in self.battery.answer.values]


class Circling(Asker):
    """A decision model that rotates on the spot for ever."""

    motor = Actuator(Drive, Driven)

    def lambdaf(self) -> None:
        if not self.told:
            super().lambdaf()
        self.motor.ask.add(Drive(turn=pi))

    def deltext(self, e: float) -> None:
        super().deltext(e)
        if self.motor.answer:
            self.activate()
        else:
            self.continuef(e)


LINES = LinearDischarge((0.0, 5.0, 10.0, 20.0), (-1e-3, -4e-3, -2e-3, -3e-3))


def run(system: CaseSystem, until: float) -> None:
    system.complete(corrected=False)
    with Simulator(system) as simulator:
        simulator.run(until=until)


def test_a_robot_that_rotates_on_the_spot_does_not_count_as_one_at_rest() -> None:
    """Of its wheels, at 10 cm apart and 1 rad/s, each makes 5 cm/s."""
    system = small_system()
    robot = system.add_robot((1.0, 1.0, 0.0), RobotKind(turn_rate=1.0, axle=0.1))
    robot.equip(Battery("battery", LINES))
    circling = robot.decide(Circling("circling"))
    run(system, 240.0)
    assert circling.told == [(0.0, Charge(1.0)), (near(0.75 / 4e-3), Charge(0.25, low=True))]


def test_one_that_goes_and_then_stays_uses_up_what_both_take() -> None:
    """2 s at 20 cm/s, and then at rest."""
    system = small_system()
    robot = system.add_robot((1.0, 1.0, 0.0))
    robot.equip(Battery("battery", LINES))
    robot.decide(Errand())
    asker = robot.decide(Asker())
    run(system, 900.0)
    assert asker.told == [
        (0.0, Charge(1.0)),
        (near(2.0 + (0.75 - 2 * 3e-3) / 1e-3, within=1e-5), Charge(0.25, low=True)),
    ]


class Spinning(Asker):
    """A decision model that rotates by its wheels."""

    wheels = Actuator(Wheels, Obstructed)

    def lambdaf(self) -> None:
        super().lambdaf()
        self.wheels.ask.add(Wheels(-0.075, 0.025))


def test_a_robot_that_drives_by_its_wheels_uses_up_what_their_speed_takes() -> None:
    system = small_system()
    robot = system.add_robot((1.0, 1.0, 0.0))
    robot.equip(VirtualWheels("wheels", 0.1, 0.2))
    robot.equip(Battery("battery", LINES))
    spinning = robot.decide(Spinning("spinning"))
    run(system, 240.0)
    assert spinning.told == [(0.0, Charge(1.0)), (near(0.75 / 4e-3), Charge(0.25, low=True))]


def test_what_is_asked_of_a_real_robots_wheels_is_heard_too() -> None:
    made = Robot("robot1", 1, (1.0, 1.0, 0.0), RobotKind(), virtual_equipment(1, RobotKind().optics))
    wheels = made.equip(HardwareWheels("wheels", 0.1, 0.2))
    made.equip(Battery("battery", LINES))
    made.follow_wheels(PACE, AXLE)
    assert isinstance(wheels, HardwareWheels)
    assert made.turning_wheels.asked in made.ic[wheels.device.ask]


def test_a_robot_with_inertia_tells_how_fast_its_wheels_turn_while_it_is_under_way() -> None:
    system = small_system()
    robot = system.add_robot((1.0, 1.0, 0.0), RobotKind(inertia=Inertia()))
    robot.equip(Battery("battery", LINES))
    robot.decide(Errand("errand", Drive(distance=0.3)))
    system.complete(corrected=False)
    motor = robot.equipment.motor
    assert isinstance(motor, RampMotor)
    assert robot.turning_wheels.twist in robot.ic[motor.world.ask]


def test_each_robot_has_wheels_of_its_own_where_equipment_hears_of_them() -> None:
    system = small_system()
    with_battery, without = (system.add_robot((x, 1.0, 0.0)) for x in (1.0, 2.0))
    first, second = Battery("battery", LINES), Battery("spare", LINES)
    with_battery.equip(first)
    with_battery.equip(second)
    system.complete(corrected=False)
    assert set(with_battery.ic[with_battery.turning_wheels.wheel_speed]) == {first.wheel_speed, second.wheel_speed}
    assert with_battery.turning_wheels.axle == near(53.0 / 70.0 * 0.2)
    with pytest.raises(AttributeError):
        _ = without.turning_wheels


def test_an_axle_is_a_length() -> None:
    with pytest.raises(ModelError, match=r"^robot 1: its axle must be a number above zero, not 0\.0"):
        small_system().add_robot((1.0, 1.0, 0.0), RobotKind(axle=0.0))
