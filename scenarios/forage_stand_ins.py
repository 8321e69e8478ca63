"""What plays finders, compasses and grippers of the case forage in the laboratory: items that lie there, and a nest.

An item is where it was laid, in the gripper of a robot, where a robot has let it go, or in the nest and out of sight.
"""

from __future__ import annotations

from math import atan2, hypot, pi
from typing import Any

from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.equipment import EquipmentStandIn, LabScene

Place = tuple[float, float]
"""(m)."""


class OnTheFloor(EquipmentStandIn):
    """What has to know the nest and the items on the floor."""

    def begin(self, scene: LabScene) -> None:
        """All items lie where they were laid."""
        told = scene.settings
        self.settings = told
        self.nest: Place = told["nest_x"], told["nest_y"]
        laid: dict[int, Place] = {number: (x, y) for number, (x, y) in enumerate(told["places"])}
        self.items: dict[int, Place] = scene.shared.setdefault("items", laid)

    def nearest(self, pose: Pose, reach: float) -> int | None:
        """The number of the nearest item on the floor within a reach (m)."""
        ways = {number: way(pose, place) for number, place in self.items.items()}
        within = [number for number, distance in ways.items() if distance <= reach]
        return min(within, key=ways.__getitem__, default=None)

    def in_nest(self, pose: Pose) -> bool:
        """Whether a robot is in the nest."""
        return way(pose, self.nest) <= float(self.settings["nest_radius"])


class PlayedFinder(OnTheFloor):
    """Tells where the nearest item is; nothing where none is in reach."""

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        """Bearing and distance."""
        found = self.nearest(pose, self.settings["finder_reach"])
        if found is None:
            return {}
        return {"bearing": bearing(pose, self.items[found]), "distance": way(pose, self.items[found])}


class PlayedCompass(OnTheFloor):
    """Tells where the nest is."""

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        """Bearing, distance, and whether the robot is there."""
        return {"bearing": bearing(pose, self.nest), "distance": way(pose, self.nest), "inside": self.in_nest(pose)}


class PlayedGripper(OnTheFloor):
    """Takes the nearest item in reach, and lets it go where the robot is."""

    takes = 0.2

    def begin(self, scene: LabScene) -> None:
        """Nobody holds anything."""
        super().begin(scene)
        self.held: dict[int, int] = {}
        """Number of the item, by that of the robot."""

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        """Whether it holds something when it is done."""
        if question["close"]:
            self._take(robot, pose)
        elif robot in self.held:
            item = self.held.pop(robot)
            if not self.in_nest(pose):
                self.items[item] = pose.x, pose.y
        return {"holding": robot in self.held}

    def _take(self, robot: int, pose: Pose) -> None:
        item = None if robot in self.held else self.nearest(pose, self.settings["gripper_reach"])
        if item is not None:
            self.held[robot] = item
            del self.items[item]


def way(pose: Pose, place: Place) -> float:
    """From a robot to a place (m)."""
    return hypot(place[0] - pose.x, place[1] - pose.y)


def bearing(pose: Pose, place: Place) -> float:
    """Of a place, from a robot's heading (rad)."""
    return (atan2(place[1] - pose.y, place[0] - pose.x) - pose.heading + pi) % (2.0 * pi) - pi
