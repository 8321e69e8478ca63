"""What plays equipment in tests of the laboratory."""

from __future__ import annotations

from typing import Any

from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.equipment import EquipmentStandIn, LabScene


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


class Radio(EquipmentStandIn):
    """What one robot says, the others hear."""

    def __init__(self) -> None:
        self.said: list[tuple[int, str]] = []
        self.heard: dict[int, int] = {}

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> None:
        self.said.append((robot, question["text"]))

    def unasked(self, robot: int, pose: Pose, time: float) -> dict[str, Any] | None:
        first = self.heard.get(robot, 0)
        for number, (sender, text) in enumerate(self.said[first:], first + 1):
            self.heard[robot] = number
            if sender != robot:
                return {"sender": sender, "text": text}
        return None


class Broken(EquipmentStandIn):
    """Answers what it is told to, or fails."""

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        return {"deep": {}} if question["deep"] else question["nothing"]


class Painter(EquipmentStandIn):
    """Leaves spots of the case study's colour where its robot is, on a floor that scanners see."""

    def begin(self, scene: LabScene) -> None:
        self.scene = scene
        self.spots = scene.shared.setdefault("spots", [])

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> None:
        self.spots.append((self.scene.settings["colour"], pose.x))


class Scanner(Painter):
    """Tells of the spots, and of the robots that have scanners."""

    def answer(  # type: ignore[override]
        self, robot: int, question: dict[str, Any], pose: Pose, time: float
    ) -> dict[str, Any]:
        (colour, place), *_ = self.spots
        return {"colour": colour, "place": place, "there": list(self.scene.poses()), "x": self.scene.poses()[robot].x}


class Unready(Painter):
    def begin(self, scene: LabScene) -> None:
        self.width = scene.settings["width"]


class Unmade(EquipmentStandIn):
    def __init__(self) -> None:
        raise OSError("no power")

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        return {}


class Nothing:
    pass
