"""A case of one file, which is installed nowhere: robots with grippers, what plays these, and a robot by hand."""

from __future__ import annotations

from pathlib import Path

CASE = '''
"""Robots that grip."""

from msgspec import Struct

from devs_robotics import Actuator, Atomic, Drive, Driven, In, Service
from devs_robotics.study import CaseStudy, Count, Transducer, VirtualActivity, WorldModel, answers, metric


class Grip(Struct, frozen=True):
    close: bool


class Gripped(Struct, frozen=True):
    held: bool
    force: float = 0.0


class Items(WorldModel):
    @answers(Grip, Gripped)
    def grip(self, robot, question):
        return Gripped(question.close)


class Gripper(VirtualActivity):
    hand = Service(Grip, Gripped)
    world = Actuator(Grip, Gripped)


class Hold(Atomic):
    """Closes the gripper, goes a little, opens it, and so on."""

    motor = Actuator(Drive, Driven)
    hand = Actuator(Grip, Gripped)

    def initialize(self):
        self.activate("gripping")
        self.close = True

    def lambdaf(self):
        if self.phase == "gripping":
            self.hand.ask.add(Grip(self.close))
        else:
            self.motor.ask.add(Drive(distance=0.05))

    def deltint(self):
        self.passivate("waiting")

    def deltext(self, e):
        if self.hand.answer:
            self.close = not self.close
            self.activate("going")
        if self.motor.answer:
            self.activate("gripping")


class Counted(Transducer):
    gripped = In(Gripped)

    def __init__(self, name):
        super().__init__(name)
        self.held, self.opened, self.force = 0, 0, 0.0

    def deltext(self, e):
        for gripped in self.gripped.values:
            self.held += gripped.held
            self.opened += not gripped.held
            self.force = max(self.force, gripped.force)

    @metric("times that something was held")
    def times(self) -> float:
        return self.held

    @metric("largest force")
    def largest(self) -> float:
        return self.force


class Gripping(CaseStudy):
    """Robots grip, and go a little."""

    robots: Count = 2
    stand_ins = {"gripper": "hands:PlayedGripper"}
    defaults = {"field.width": 4.0, "field.height": 4.0, "run.duration": "4 s"}

    def build(self, system):
        system.add(Items("items"))
        for number in range(self.robots):
            robot = system.add_robot((0.5, 0.5 + 0.5 * number, 0.0))
            gripper = robot.equip(Gripper("gripper"))
            robot.decide(Hold("hold"), hand=gripper)

    def frame(self, frame, system):
        counted = frame.add(Counted("counted"))
        frame.couple(system.robots[1].gripper.hand.answer, counted.gripped)
'''

HANDS = """
from devs_robotics.hil.lab.equipment import EquipmentStandIn


class PlayedGripper(EquipmentStandIn):
    takes = 0.1

    def answer(self, robot, question, pose, time):
        return {"held": question["close"], "force": 100.0 * robot + round(pose.x, 1)}


class WrongGripper(EquipmentStandIn):
    def answer(self, robot, question, pose, time):
        return {"held": "perhaps"}


class BrokenGripper(EquipmentStandIn):
    def answer(self, robot, question, pose, time):
        raise OSError("no fingers")
"""

SCENARIO = """
case = "gripping"

[stand_in]
perfect = true

[real.2]
infrared = "virtual"
equipment = { gripper = "real" }
"""


def write_case(folder: Path, scenario: str = SCENARIO, case: str = CASE) -> Path:
    """The files of the case in a folder; returns the scenario's."""
    (folder / "gripping.py").write_text(case)
    (folder / "hands.py").write_text(HANDS)
    path = folder / "gripping.toml"
    path.write_text(scenario)
    return path
