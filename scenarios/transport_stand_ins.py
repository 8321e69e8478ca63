"""What plays sonars, positioning and transceivers of the case transport in the laboratory.

It shares no code with the models: ways are found by steps that are as long as it is to the nearest thing.
"""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import repeat
from math import cos, hypot, sin
from typing import Any

from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.equipment import EquipmentStandIn, LabScene
from devs_robotics.hil.lab.randomness import ErrorStream

NEAR = 1e-3
"""A body that is so near to something touches it (m)."""


class PlayedPositioning(EquipmentStandIn):
    """Tells where a robot really is."""

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        """The pose."""
        return {"x": pose.x, "y": pose.y, "heading": pose.heading}


class PlayedSonar(EquipmentStandIn):
    """Sees walls, obstacles and robots, exactly, with the width of the body."""

    def begin(self, scene: LabScene) -> None:
        """Nothing has moved yet."""
        told = scene.settings
        self.scene = scene
        self.width, self.height = told["size"]
        self.radius, self.reach = float(told["radius"]), float(told["sonar_reach"])
        self.sides = [
            (*start, *end)
            for corners in told["obstacles"]
            for start, end in zip(corners, [*corners[1:], corners[0]], strict=True)
        ]

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> dict[str, Any]:
        """How far the robot could go in each direction."""
        others = [(there.x, there.y) for other, there in self.scene.poses().items() if other != robot]
        room, bearings = self.radius + question["beside"], question["bearings"]
        ways = []
        for bearing, aside in zip(bearings, question["asides"] or repeat(0.0, len(bearings)), strict=True):
            ux, uy = cos(pose.heading + bearing), sin(pose.heading + bearing)
            ways.append(self._way(pose.x - aside * uy, pose.y + aside * ux, ux, uy, room, others))
        return {"values": ways}

    def _way(self, x: float, y: float, ux: float, uy: float, room: float, others: list[tuple[float, float]]) -> float:
        """What it touches already, it may leave, and go no deeper."""
        touched, step = self._gaps(x, y, room, others), 10.0 * NEAR
        then = self._gaps(x + step * ux, y + step * uy, room, others)
        if any(gap <= NEAR and after < gap for gap, after in zip(touched, then, strict=True)):
            return 0.0
        left = [number for number, gap in enumerate(touched) if gap > NEAR]
        way = 0.0
        while way < self.reach:
            gaps = self._gaps(x + way * ux, y + way * uy, room, others)
            gap = min((gaps[number] for number in left), default=self.reach)
            if gap <= NEAR:
                return way
            way += gap
        return self.reach

    def _gaps(self, x: float, y: float, room: float, others: list[tuple[float, float]]) -> list[float]:
        """How far it is from a body to each thing (m): walls, sides of obstacles, robots."""
        gaps = [x, y, self.width - x, self.height - y]
        for ax, ay, bx, by in self.sides:
            ex, ey = bx - ax, by - ay
            share = min(1.0, max(0.0, ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey)))
            gaps.append(hypot(ax + share * ex - x, ay + share * ey - y))
        gaps += [hypot(other_x - x, other_y - y) - self.radius for other_x, other_y in others]
        return [gap - room for gap in gaps]


class PlayedRadio(EquipmentStandIn):
    """Carries what is sent to those in reach on the same channel, by the robots' true poses, one message at a time."""

    def begin(self, scene: LabScene) -> None:
        """Nothing is said yet."""
        self.scene = scene
        settings = scene.settings
        self.reach, self.latency, self.loss = (float(settings[name]) for name in ("reach", "latency", "loss"))
        self.channels: defaultdict[int, int] = defaultdict(int)
        self.repeated: dict[int, tuple[float, dict[str, Any]]] = {}
        """When a robot says it again (s), and what."""
        self.losses: dict[int, ErrorStream] = {}
        self.coming: defaultdict[int, deque[tuple[float, int, dict[str, Any]]]] = defaultdict(deque)
        """From when on it can be heard (s), on which channel, and what, by who hears."""

    def answer(self, robot: int, question: dict[str, Any], pose: Pose, time: float) -> None:
        """Tune, and send what a robot says on its way; there is no answer."""
        channel, period = question["channel"], question["period"]
        if channel != self.channels[robot]:
            self.channels[robot] = channel
            self.repeated.pop(robot, None)
        if question["text"] and period:
            self.repeated[robot] = time + period, question
        if question["text"]:
            self._send(robot, question, pose, time)

    def unasked(self, robot: int, pose: Pose, time: float) -> dict[str, Any] | None:
        """The next thing that a robot hears."""
        again = self.repeated.get(robot)
        if again is not None and time >= again[0]:
            self.repeated[robot] = again[0] + again[1]["period"], again[1]
            self._send(robot, again[1], pose, time)
        coming = self.coming[robot]
        while coming and coming[0][0] <= time:
            _, channel, message = coming.popleft()
            if channel == self.channels[robot]:
                return message
        return None

    def _send(self, robot: int, said: dict[str, Any], pose: Pose, time: float) -> None:
        message = {"sender": robot, **{name: said[name] for name in ("text", "numbers", "others")}}
        for other, there in self.scene.poses().items():
            near = hypot(there.x - pose.x, there.y - pose.y) <= self.reach
            if other != robot and near and not self._is_lost(other):
                self.coming[other].append((time + self.latency, said["channel"], message))

    def _is_lost(self, hearer: int) -> bool:
        if hearer not in self.losses:
            self.losses[hearer] = ErrorStream(self.scene.seed, hearer, "loss of messages")
        return self.losses[hearer].up_to(1.0) < self.loss
