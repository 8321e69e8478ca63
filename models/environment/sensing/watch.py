"""Watches: a sensor that tells by itself when what it reads has changed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from math import inf, isfinite
from typing import Any, Literal

from msgspec import Struct

from devs_robotics import ModelError, Port
from devs_robotics.models.environment.instants import raster
from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.sensing.outlook import Outlook

StrategyName = Literal["auto", "predict", "batch", "polling"]
"""How watches are looked at; whichever way, what they tell is the same."""

SensingChoice = Literal["auto", "predict", "batch", "polling", "grid"]
"""What ``sensing.strategy`` takes: these, or an environment that looks for contacts, too, on a grid alone."""

SHORTEST = 1e-6
"""Period below which a watch is refused as a mistake (s)."""


class Watching(Struct, frozen=True):
    """A watch asked of the environment: answer the question now, and again whenever the answer has changed.

    Attributes:
        question: that is watched
        levels: which of its values' crossings are told, ascending; none: every change
        period: of a raster in time on which a program would look (s); 0: at the instant of the crossing
        offset: of the first point of the raster (s)
        every: whether every point of the raster is told, be the answer the same or not
    """

    question: Question
    levels: tuple[float, ...] = ()
    period: float = 0.0
    offset: float = 0.0
    every: bool = False

    @property
    def robot(self) -> int:
        """Number of the robot that watches."""
        return self.question.robot


class Unwatch(Struct, frozen=True):
    """The end of a robot's watch.

    Attributes:
        sensor: name of the equipment that watched
    """

    robot: int
    sensor: str = ""


class Noticed(Struct, frozen=True):
    """What a watch tells: the answer, and which of its values has crossed which level.

    Attributes:
        answer: to the question that is watched
        element: index of the value that has crossed a level; -1 for the first answer, and where all changes are told
        level: that it has crossed
        rising: whether it is above the level now
    """

    robot: int
    answer: Any
    element: int = -1
    level: float = inf
    rising: bool = False


class Watched:
    """One watch, and what a strategy knows of it.

    Args:
        watching: what was asked
        outlook: of its question
        port: on which it is told

    Attributes:
        every: whether every point of the raster is told
        told: the answer that was told last
        wake: when it is looked at next (s)
        quiet: whether the answer stays until something comes within reach
    """

    __slots__ = (
        "body",
        "every",
        "levels",
        "order",
        "outlook",
        "port",
        "quiet",
        "raster",
        "robot",
        "told",
        "wake",
        "watching",
    )

    def __init__(self, watching: Watching, outlook: Outlook, port: Port[Noticed], order: int) -> None:
        if not watching.period and not watching.levels:
            raise ModelError(
                f"robot {watching.robot} watches every change of {type(watching.question).__name__} at its instant, "
                "and what it reads changes all the time: give the watch levels, or a period"
            )
        if watching.period and not SHORTEST <= watching.period < inf:
            raise ModelError(
                f"robot {watching.robot} watches with a period of {watching.period!r} s: give one of {SHORTEST:g} s or "
                "more, or none for levels at their instants"
            )
        if not isfinite(watching.offset) or list(watching.levels) != sorted(set(watching.levels)):
            raise ModelError(
                f"robot {watching.robot} watches levels {watching.levels!r} from {watching.offset!r} s on: give "
                "numbers, each level once, ascending"
            )
        self.watching = watching
        self.outlook = outlook
        self.port = port
        self.robot = watching.robot
        self.body = watching.robot - 1
        self.order = (self.body, order)
        self.levels = watching.levels
        self.every = watching.every
        self.raster = raster(watching.period, watching.offset) if watching.period else None
        self.told: Any = None
        self.wake = inf
        self.quiet = False

    def notices(self, answer: Any) -> Sequence[Noticed]:
        """What is told of an answer, and note that it was told."""
        before, self.told = self.told, answer
        if before is None or self.every or not self.levels:
            return () if answer == before and not self.every else (Noticed(self.robot, answer),)
        return list(self._crossings(before, answer))

    def _crossings(self, before: Any, answer: Any) -> Iterator[Noticed]:
        levels = self.levels
        for element, (old, new) in enumerate(zip(before.values, answer.values, strict=True)):
            first, last = bisect_left(levels, old), bisect_left(levels, new)
            for index in range(first, last):
                yield Noticed(self.robot, answer, element, levels[index], True)
            for index in range(first - 1, last - 1, -1):
                yield Noticed(self.robot, answer, element, levels[index], False)
