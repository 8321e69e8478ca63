"""Activities: the swap is a coupling."""

from __future__ import annotations

from typing import Any, Literal

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
    Port,
    Sensor,
    Service,
    Simulator,
    equip,
    expose,
)
from devs_robotics.core.ports import add_port
from devs_robotics.core.robots.activity import exchanges_of, lead_on, lead_through


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


def nest(depth: int) -> tuple[Coupled, PerfectMotor]:
    """A motor in so many coupled models, the outermost first."""
    root, motor = Coupled("nest0"), PerfectMotor("motor")
    inner = root
    for number in range(1, depth):
        outer, inner = inner, Coupled(f"nest{number}")
        outer.add_component(inner)
    inner.add_component(motor)
    return root, motor


@pytest.mark.parametrize(("depth", "name"), [(1, "drive_ask"), (2, "motor_drive_ask"), (3, "nest2_motor_drive_ask")])
def test_a_port_of_any_depth_is_led_to_a_component_of_the_root_once(depth: int, name: str) -> None:
    root, motor = nest(depth)
    asked = lead_through(root, motor.drive.ask, "in")
    assert asked.name == name
    assert asked.parent is not None
    assert asked.parent.parent is root
    assert lead_through(root, motor.drive.ask, "in") is asked
    answered = lead_through(root, motor.drive.answer, "out")
    assert lead_through(root, motor.drive.answer, "out") is answered
    assert (asked.p_type, answered.p_type) == (Drive, Driven)


def test_commands_and_reports_go_all_the_way() -> None:
    root, motor = nest(3)
    decision = Decision("decision")
    root.add_component(decision)
    root.add_coupling(decision.motor.ask, lead_through(root, motor.drive.ask, "in"))
    root.add_coupling(lead_through(root, motor.drive.answer, "out"), decision.motor.answer)
    Simulator(root).run()
    assert decision.driven == Driven(0.0, 2.0)


@pytest.mark.parametrize("direction", ["in", "out"])
def test_another_port_of_the_name_is_left_alone(direction: Literal["in", "out"]) -> None:
    root, motor = nest(2)
    inside = motor.parent
    assert isinstance(inside, Coupled)
    inner: Port[Any] = motor.drive.ask if direction == "in" else motor.drive.answer
    taken: Port[object] = Port(None, f"motor_{inner.name}")
    add_port(inside, taken, direction)
    led = lead_on(inside, inner, direction)
    assert led.name == f"motor_{inner.name}_2"
    assert lead_on(inside, inner, direction) is led
    other: Port[object] = Port(None, f"motor_{inner.name}_3")
    add_port(inside, other, direction)
    assert lead_through(root, inner, direction) is led


@pytest.mark.parametrize("elsewhere", [PerfectMotor("alone"), nest(2)[1]], ids=["alone", "in another root"])
def test_a_port_of_a_model_that_is_not_inside_is_told(elsewhere: PerfectMotor) -> None:
    with pytest.raises(ModelError, match=r"drive_ask is no port of a model inside nest0: add the model first"):
        lead_through(nest(2)[0], elsewhere.drive.ask, "in")


def test_exchanges_are_found_by_their_kinds() -> None:
    decision, motor = Decision("decision"), PerfectMotor("motor")
    assert exchanges_of(decision, Actuator) == {"motor": decision.motor}
    assert exchanges_of(decision, Sensor, Service) == {}
    assert exchanges_of(motor, Sensor, Service) == {"drive": motor.drive}
