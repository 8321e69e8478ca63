"""Activities: the swap is a coupling."""

from __future__ import annotations

import pytest

from devs_robotics import (
    Activity,
    Actuator,
    Atomic,
    Coupled,
    Drive,
    Driven,
    ModelError,
    Out,
    Service,
    Simulator,
    equip,
    expose,
)


class Decision(Atomic):
    """Drives once, and tells how that went."""

    motor = Actuator(Drive, Driven)
    told = Out(Driven)

    def initialize(self) -> None:
        self.activate("go")

    def lambdaf(self) -> None:
        if self.phase == "go":
            self.motor.ask.add(Drive(distance=2.0))
        else:
            self.told.add(self.driven)

    def deltext(self, e: float) -> None:
        self.driven = self.motor.answer.get()
        self.activate("tell")


class PerfectMotor(Activity):
    """Takes one second for everything."""

    drive = Service(Drive, Driven)

    def deltext(self, e: float) -> None:
        self.command = self.drive.ask.get()
        self.hold_in("driving", 1.0)

    def lambdaf(self) -> None:
        self.drive.answer.add(Driven(self.command.turn, self.command.distance))


class WornMotor(PerfectMotor):
    """Comes half as far."""

    def lambdaf(self) -> None:
        self.drive.answer.add(Driven(self.command.turn, self.command.distance / 2.0))


class Robot(Coupled):
    told = Out(Driven)

    def __init__(self, motor: PerfectMotor) -> None:
        super().__init__("robot")
        self.decision = Decision("decision")
        self.add_component(self.decision)
        self.add_component(motor)
        equip(self, self.decision.motor, motor.drive)
        self.add_coupling(self.decision.told, self.told)


@pytest.mark.parametrize(("motor", "distance"), [(PerfectMotor, 2.0), (WornMotor, 1.0)])
def test_another_activity_serves_the_same_decision_model(motor: type[PerfectMotor], distance: float) -> None:
    robot = Robot(motor("motor"))
    simulator = Simulator(robot)
    simulator.run()
    assert list(robot.told.values) == [Driven(0.0, distance)]
    assert simulator.time == 1.0


def test_an_activity_for_something_else_does_not_fit() -> None:
    class Radio(Activity):
        send = Service(str, str)

    robot, decision, radio = Coupled("robot"), Decision("decision"), Radio("radio")
    robot.add_component(decision)
    robot.add_component(radio)
    with pytest.raises(ModelError, match=r"robot/decision\.motor_ask sends Drive but robot/radio\.send_ask takes str"):
        equip(robot, decision.motor, radio.send)  # type: ignore[misc]


def test_an_exchange_can_be_led_out_of_a_robot() -> None:
    robot, decision, motor = Coupled("robot"), Decision("decision"), PerfectMotor("motor")
    world = Coupled("world")
    robot.add_component(decision)
    outer = expose(robot, decision.motor, "motor")
    world.add_component(robot)
    world.add_component(motor)
    equip(world, outer, motor.drive)
    Simulator(world).run()
    assert decision.driven == Driven(0.0, 2.0)
    assert robot.output["motor_ask"] is outer.ask
    assert robot.input["motor_answer"] is outer.answer
