"""What plays the transceivers of the case meet in the laboratory: a radio channel of its own."""

from __future__ import annotations

from collections import defaultdict, deque
from math import hypot
from typing import Any

from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.equipment import EquipmentStandIn, LabScene
from devs_robotics.hil.lab.randomness import ErrorStream


class PlayedTransceiver(EquipmentStandIn):
    """What a robot says, all hear that are in reach of it then by their true poses, one message at a time.

    It is heard ``delay`` (s) later at the earliest, and is lost for each of them with the chance ``loss``.
    """

    def begin(self, scene: LabScene) -> None:
        """Nothing is said yet."""
        self.scene = scene
        self.reach, self.delay, self.loss = (float(scene.settings[name]) for name in ("reach", "delay", "loss"))
        self.losses: dict[int, ErrorStream] = {}
        """Random numbers, by who hears."""
        self.coming: defaultdict[int, deque[tuple[float, dict[str, Any]]]] = defaultdict(deque)
        """From when on it can be heard (s), and what, by who hears."""

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> None:
        """Send what a robot says on its way; there is no answer."""
        for other, there in self.scene.poses().items():
            distance = hypot(there.x - pose.x, there.y - pose.y)
            if other != robot and distance <= self.reach and not self._is_lost(other):
                self.coming[other].append((time + self.delay, {**question, "sender": robot, "distance": distance}))

    def unasked(self, robot: int, pose: Pose, time: float) -> dict[str, Any] | None:
        """The next thing that a robot hears."""
        coming = self.coming[robot]
        return coming.popleft()[1] if coming and coming[0][0] <= time else None

    def _is_lost(self, hearer: int) -> bool:
        if hearer not in self.losses:
            self.losses[hearer] = ErrorStream(self.scene.seed, hearer, "loss of messages")
        return self.losses[hearer].up_to(1.0) < self.loss
