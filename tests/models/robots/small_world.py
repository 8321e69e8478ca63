"""A system under test with as little as possible in it, for tests of how one is put together."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from devs_robotics import Actuator, Atomic, Drive, Driven, Ranges, Sense, Sensor, Service
from devs_robotics.models.activities import VirtualActivity
from devs_robotics.models.environment import Field, Shape, WorldModel, answers
from devs_robotics.models.robots import CaseSystem, Equipment, RobotKind, UsualBody, virtual_equipment

BODY = UsualBody(radius=0.1, speed=0.2, turn_rate=1.0, whisker_reach=0.03)


class Seen(Struct, frozen=True):
    """What an eye says: the number of the robot that it belongs to, and how many questions there were."""

    robot: int
    questions: int


class Eye(VirtualActivity):
    """Equipment of one's own."""

    sight = Service(Sense, Seen)
    world = Sensor(Sense, Seen)


class Light(WorldModel):
    """Answers eyes."""

    def __init__(self, name: str = "light") -> None:
        super().__init__(name)
        self.questions = 0
        self.moves: list[Any] = []

    def moved(self, change: Any) -> None:
        self.moves.append((self.time, change))

    @answers(Sense, Seen)
    def look(self, robot: int, question: Sense) -> Seen:
        self.questions += 1
        return Seen(robot, self.questions)


class Errand(Atomic):
    """A decision model: it makes one motion and keeps the report."""

    motor = Actuator(Drive, Driven)

    def __init__(self, name: str = "errand", command: Drive = Drive(distance=0.4)) -> None:  # noqa: B008
        super().__init__(name)
        self.command = command
        self.time = 0.0
        self.reports: list[tuple[float, Driven]] = []

    def initialize(self) -> None:
        self.activate()

    def lambdaf(self) -> None:
        self.motor.ask.add(self.command)

    def deltext(self, e: float) -> None:
        self.time += e
        self.reports += [(self.time, report) for report in self.motor.answer.values]


class Watcher(Atomic):
    """A decision model: it asks an eye once, and keeps what it says."""

    eye = Sensor(Sense, Seen)

    def __init__(self, name: str = "watcher") -> None:
        super().__init__(name)
        self.seen: list[Seen] = []

    def initialize(self) -> None:
        self.activate()

    def lambdaf(self) -> None:
        self.eye.ask.add(Sense())

    def deltext(self, e: float) -> None:
        self.seen += self.eye.answer.values


class Looker(Atomic):
    """A decision model with two range sensors and none else."""

    left = Sensor(Sense, Ranges)
    right = Sensor(Sense, Ranges)


def virtual(robot: int, kind: RobotKind) -> Equipment:
    return virtual_equipment(robot, kind.optics)


def small_system(
    width: float = 4.0, height: float = 4.0, obstacles: list[Shape] | None = None, seed: int = 1, *, real: bool = False
) -> CaseSystem:
    field = Field(width, height, obstacles or [])
    return CaseSystem("system", field, BODY, seed, virtual, lambda robot: not real)
