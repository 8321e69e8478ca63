"""A radio channel between robots: who is in range hears, after a while, unless it is lost."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from math import hypot, inf
from typing import Any

from msgspec import Struct

from devs_robotics import Atomic, Exchange, In, Port, Stream
from devs_robotics.core.ports import add_port
from devs_robotics.models.environment.field import Pose
from devs_robotics.models.environment.messages import PoseChange


class Say(Struct, frozen=True):
    """What a robot sends by radio: words, or numbers, or both; what they mean is the robots' own affair."""

    text: str = ""
    numbers: tuple[float, ...] = ()


class Heard(Struct, frozen=True):
    """What a robot hears by radio.

    Attributes:
        sender: number of the robot that said it
        text, numbers: that it said
        distance: to where the sender was when it said it (m)
    """

    sender: int
    text: str
    numbers: tuple[float, ...]
    distance: float


class Radio(Atomic):
    """Carries what a robot says to all others that are in range when it says it.

    =========  =============================  ============================  ==================================
    phase      time advance                   output                        next phase
    =========  =============================  ============================  ==================================
    silent     ∞                                                            carrying, when something is said
    carrying   until the next one is heard    heard, to those in range      carrying, or silent
    =========  =============================  ============================  ==================================

    Each message to each hearer is lost or not by a number of the hearer's own stream, so that a robot more does not
    change what the others hear.

    Ports:
        pose_change: where a robot stands, after each change
        and two per robot, which `offer` makes

    Args:
        poses: where the robots stand at first, robot 1 first
        seed: of the run
        reach: how far a robot is heard (m)
        delay: time from saying to hearing (s)
        loss: share of messages that a hearer in range does not hear, from 0 to 1

    Attributes:
        said, heard, lost: number of messages that were said, and, one per hearer in range, heard or lost
    """

    pose_change = In(PoseChange)

    def __init__(
        self,
        name: str,
        poses: Sequence[Pose],
        seed: int,
        reach: float = inf,
        delay: float = 0.0,
        loss: float = 0.0,
    ) -> None:
        super().__init__(name)
        self.reach, self.delay, self.loss = reach, delay, loss
        self.said = self.heard = self.lost = 0
        self._where = {robot: (x, y) for robot, (x, y, _) in enumerate(poses, 1)}
        self._streams = {robot: Stream(seed, robot, f"radio {name}") for robot in self._where}
        self._ports: dict[int, tuple[Port[Say], Port[Heard]]] = {}
        self._now = 0.0
        self._carried: list[tuple[float, int, int, Heard]] = []
        """When, a serial number, who hears, and what."""

    def offer(self, robot: int, question: object, answer: object) -> Exchange[Any, Any] | None:
        """The two ports on which a robot says something and hears others."""
        if (question, answer) != (Say, Heard):
            return None
        said: Port[Say] = Port(Say, f"said{robot}")
        heard: Port[Heard] = Port(Heard, f"heard{robot}")
        add_port(self, said, "in")
        add_port(self, heard, "out")
        self._ports[robot] = said, heard
        return Exchange(said, heard)

    def deltext(self, e: float) -> None:
        """Take poses, and then what is said."""
        self._now += e
        for change in self.pose_change.values:
            self._where[change.robot] = change.x, change.y
        for robot, (said, _) in self._ports.items():
            for message in said.values:
                self._carry(robot, message)
        self._wait()

    def lambdaf(self) -> None:
        """Let all hear what has come to them by now."""
        for when, _, robot, message in sorted(self._carried):
            if when <= self._now + self.sigma:
                self._ports[robot][1].add(message)

    def deltint(self) -> None:
        """Forget what was heard."""
        self._now += self.sigma
        while self._carried and self._carried[0][0] <= self._now:
            heappop(self._carried)
            self.heard += 1
        self._wait()

    def _carry(self, sender: int, message: Say) -> None:
        self.said += 1
        x, y = self._where[sender]
        for robot in self._ports:
            distance = hypot(self._where[robot][0] - x, self._where[robot][1] - y)
            if robot == sender or distance > self.reach:
                continue
            if (self._streams[robot].uniform() + 1.0) / 2.0 < self.loss:
                self.lost += 1
                continue
            heard = Heard(sender, message.text, message.numbers, distance)
            heappush(self._carried, (self._now + self.delay, self.said, robot, heard))

    def _wait(self) -> None:
        if self._carried:
            self.hold_in("carrying", max(0.0, self._carried[0][0] - self._now))
        else:
            self.passivate("silent")
