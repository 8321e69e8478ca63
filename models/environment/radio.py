"""A radio channel between robots: who is in range hears, after a while, unless it is lost."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import takewhile
from math import hypot, inf
from typing import Any

from msgspec import Struct

from devs_robotics import Atomic, Exchange, In, ModelError, Port, Stream
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

    Each message to each hearer in range is lost or not by a number of a stream of their own, of this sender and this
    hearer, so that a robot more does not change what the others hear of each other.

    Ports:
        pose_change: where a robot is when its motion changes; it is taken to be there until the next change
        and two per robot, which `offer` makes

    Args:
        poses: where the robots stand at first, robot 1 first
        seed: of the run
        reach: how far a robot is heard (m)
        delay: time from saying to hearing (s)
        loss: share of messages that a hearer in range does not hear, from 0 to 1

    Attributes:
        said, heard, lost: number of messages that were said, and, one per hearer in range, heard or lost

    Raises:
        ModelError: the reach or the delay is negative, or the loss is no share
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
        for what, value in (("reach", reach), ("delay", delay)):
            if not value >= 0.0:
                raise ModelError(f"radio {name!r}: {what} must be at least 0, not {value:g}")
        if not 0.0 <= loss <= 1.0:
            raise ModelError(f"radio {name!r}: loss is a share from 0 to 1, not {loss:g}")
        self.reach, self.delay, self.loss = reach, delay, loss
        self.seed = seed
        self.said = self.heard = self.lost = 0
        self._where = {robot: (x, y) for robot, (x, y, _) in enumerate(poses, 1)}
        self._streams: dict[tuple[int, int], Stream] = {}
        """By sender and hearer."""
        self._ports: dict[int, tuple[Port[Say], Port[Heard]]] = {}
        self._now = 0.0
        self._carried: deque[tuple[float, int, Heard]] = deque()
        """When, who hears, and what, in the order in which it was said; what was said first is heard first."""

    def initialize(self) -> None:
        """Nothing is said yet."""
        self.passivate("silent")

    def offer(self, robot: int, question: object, answer: object) -> Exchange[Any, Any] | None:
        """The two ports on which a robot says something and hears others; None for other questions, and a second time.

        Raises:
            ModelError: it is not known where the robot stands
        """
        if (question, answer) != (Say, Heard) or robot in self._ports:
            return None
        if robot not in self._where:
            raise ModelError(
                f"radio {self.name!r} was given {len(self._where)} poses and knows none of robot {robot}: give it the "
                "pose of each robot"
            )
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
        if self.phase == "carrying":
            self.continuef(e)
        elif self._carried:
            self.hold_in("carrying", self.delay)

    def lambdaf(self) -> None:
        """Let all hear what comes to them now."""
        for robot, message in self._due():
            self._ports[robot][1].add(message)

    def deltint(self) -> None:
        """Forget what was heard."""
        heard = len(self._due())
        self.heard += heard
        self._now = self._carried[0][0]
        for _ in range(heard):
            self._carried.popleft()
        if self._carried:
            self.hold_in("carrying", max(0.0, self._carried[0][0] - self._now))
        else:
            self.passivate("silent")

    def _due(self) -> list[tuple[int, Heard]]:
        """Who hears what next: all of one instant."""
        now = self._carried[0][0]
        return [(robot, message) for _, robot, message in takewhile(lambda each: each[0] == now, self._carried)]

    def _carry(self, sender: int, message: Say) -> None:
        self.said += 1
        x, y = self._where[sender]
        for robot in self._ports:
            distance = hypot(self._where[robot][0] - x, self._where[robot][1] - y)
            if robot == sender or distance > self.reach:
                continue
            if self._is_lost(sender, robot):
                self.lost += 1
                continue
            heard = Heard(sender, message.text, message.numbers, distance)
            self._carried.append((self._now + self.delay, robot, heard))

    def _is_lost(self, sender: int, robot: int) -> bool:
        if not self.loss:
            return False
        pair = sender, robot
        if pair not in self._streams:
            self._streams[pair] = Stream(self.seed, robot, f"radio {self.name} from {sender}")
        return (self._streams[pair].uniform() + 1.0) / 2.0 < self.loss
