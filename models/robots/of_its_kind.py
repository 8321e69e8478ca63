"""What a decision model uses of its robot's kind, motor and range sensors, and whether arrays know it."""

from __future__ import annotations

from devs_robotics import Activity, Actuator, Port, Sensor
from devs_robotics.core.population import twin_of
from devs_robotics.core.population.joint_model import Inside
from devs_robotics.core.robots.activity import exchanges_of
from devs_robotics.models.activities.continuous_motors import ContinuousMotors
from devs_robotics.models.activities.infrareds import VirtualInfrareds
from devs_robotics.models.activities.motor import VirtualMotor
from devs_robotics.models.robots.robot import Robot

TWINS = ContinuousMotors, VirtualInfrareds
"""Those of equipment that robots have by their kind."""

PARTS = "motor", "infrared", "whiskers"


def of_its_kind(robot: Robot) -> list[Inside]:
    """How a robot's decision model is coupled with the equipment of its kind."""
    found = []
    parts = {id(getattr(robot.equipment, part)): part for part in PARTS}
    for exchange in exchanges_of(robot.decisions[0], Sensor, Actuator).values():
        for port in robot.ic.get(exchange.ask, ()):
            part = parts.get(id(port.parent))
            if part is not None:
                answer = answering(robot, exchange.answer)
                found.append(Inside(part, exchange.ask.name, port.name, answer.name, exchange.answer.name))
    return found


def answering(robot: Robot, answer: object) -> Port[object]:
    """The port of a robot's equipment that leads to where its decision model is answered."""
    found = next(port for port, targets in robot.ic.items() if answer in targets)
    assert isinstance(found, Port)
    return found


def why_no_twin(robot: Robot) -> str:
    """Why what a decision model uses of its robot's kind cannot be in arrays; empty if it can."""
    for part in dict.fromkeys(each.part for each in of_its_kind(robot)):
        activity: Activity = getattr(robot.equipment, part)
        if type(activity) is VirtualMotor:
            return (
                f"{robot.name}'s motor makes each motion as a whole, and a population's robots are on their way at "
                "every instant: take a kind of robot with continuous=True"
            )
        if twin_of(type(activity)) is None:
            return f"{robot.name} uses its {part}, a {type(activity).__name__}, which has no twin"
    return ""
