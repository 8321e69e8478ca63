"""What plays equipment in tests of the laboratory."""

from __future__ import annotations

from typing import Any

from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.equipment import EquipmentStandIn


class Gripper(EquipmentStandIn):
    """Holds an item that only one robot can hold."""

    def __init__(self) -> None:
        self.holder = 0

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        if question["close"]:
            self.holder = self.holder or robot
        elif self.holder == robot:
            self.holder = 0
        return {"held": self.holder == robot}


class Compass(EquipmentStandIn):
    """Tells where the robot is, and when; takes its time."""

    takes = 0.25

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        return {"robot": robot, "pose": list(pose), "time": time, "asked": question.get("text", "")}


class Broken(EquipmentStandIn):
    """Answers what it is told to, or fails."""

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        return {"deep": {}} if question["deep"] else question["nothing"]


class Unmade(EquipmentStandIn):
    def __init__(self) -> None:
        raise OSError("no power")

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        return {}


class Nothing:
    pass
