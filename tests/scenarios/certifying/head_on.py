"""Two robots that come towards each other, and look where they go, or do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, pi
from typing import Any, ClassVar

from devs_robotics import Actuator, Atomic, Drive, Driven, Ranges, Sense, Sensor
from devs_robotics.study import Allowance, CaseStudy, CaseSystem, Frame, Length, Transducer, robots

APART = 2.0
"""Of the middles of both, at first (m)."""


class Advance(Atomic):
    """Goes ahead step by step, as long as there is room, or without a look."""

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)

    def __init__(self, name: str, step: float, way: float, room: float) -> None:
        super().__init__(name)
        self.step, self.way, self.room = step, way, room

    def initialize(self) -> None:
        self.gone = 0.0
        self.activate("looking")

    def lambdaf(self) -> None:
        if self.phase == "looking":
            self.infrared.ask.add(Sense())
        elif self.phase == "going":
            self.motor.ask.add(Drive(distance=self.step))

    def deltint(self) -> None:
        self.passivate("waiting")

    def deltext(self, e: float) -> None:
        self.continuef(e)
        for ranges in self.infrared.answer.values:
            if min(ranges.values, default=inf) >= self.room and self.gone < self.way:
                self.gone += self.step
                self.activate("going")
        if self.motor.answer:
            self.activate("looking")


class Complaint(Transducer):
    """Finds whatever it is told to find."""

    def __init__(self, name: str, sentences: tuple[str, ...]) -> None:
        super().__init__(name)
        self.sentences = sentences

    def violations(self) -> Iterable[str]:
        """Them."""
        return self.sentences


class HeadOn(CaseStudy):
    """Two robots come towards each other, at 0.5 m/s together."""

    step: Length = 0.05
    """Of each (m)."""
    way: Length = 0.6
    """Of each at most (m)."""
    room: Length = 0.45
    """What a robot must see ahead to go on (m); 0: it does not look."""
    complaint: str = ""
    """What its frame complains of."""

    defaults: ClassVar[Mapping[str, Any]] = {
        "field.width": 6.0,
        "field.height": 4.0,
        "run.duration": 12.0,
        "robot.radius": 0.125,
        "robot.speed": 0.25,
    }

    def build(self, system: CaseSystem) -> None:
        """One on the left, one on the right."""
        kind = robots.round_differential(beams=(0.0,), reach=3.0, continuous=True)
        for pose in ((2.0, 2.0, 0.0), (2.0 + APART, 2.0, pi)):
            robot = system.add_robot(pose, kind)
            robot.decide(Advance("advance", self.step, self.way, self.room))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """What complains."""
        frame.add(Complaint("complaint", (self.complaint,) if self.complaint else ()))


class Bumpers(HeadOn):
    """The same, which may touch each other."""

    allows: ClassVar[tuple[Allowance, ...]] = (
        Allowance(("contact", "too near", "not stoppable", "fast approach"), "they have bumpers", things=("robot",)),
        Allowance(("of the case", "not accepted"), "who cares"),
    )
