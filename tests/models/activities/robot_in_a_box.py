"""A device for tests: a robot that does what it is told, at once or when the test says so."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from devs_robotics import Atomic, Device, Drive, Driven, In, Out


class Box(Device):
    """Notes its commands; a move ends after `duration`, and a new one cuts the one before it in the middle."""

    def __init__(self, robot: int = 1, duration: float = 1.0) -> None:
        super().__init__("device", robot, "a box")
        self.duration = duration
        self.commands: list[Drive] = []
        self.under_way: Drive | None = None
        self.reports: list[Driven] = []
        self.stretch = 1.0

    def deltext(self, e: float) -> None:
        left = self.sigma - e
        for command in self.motor.ask.values:
            if self.under_way is not None:
                self.reports.append(Driven(self.under_way.turn, self.under_way.distance / 2.0))
            self.commands.append(command)
            self.under_way = command
            left = self.duration if command != Drive() else 0.0
        self.sigma = 0.0 if self.reports else left if self.under_way is not None else inf
        self.left = left

    def lambdaf(self) -> None:
        if self.reports:
            for report in self.reports:
                self.motor.answer.add(report)
        elif self.under_way is not None:
            self.motor.answer.add(Driven(self.under_way.turn, self.under_way.distance * self.stretch))

    def deltint(self) -> None:
        if self.reports:
            self.reports.clear()
            self.sigma = self.left
        else:
            self.under_way = None
            self.sigma = inf

    def last_words(self) -> Iterable[bytes]:
        return ()


class Commander(Atomic):
    """Stands for a decision model: what is injected drives the motor, and it notes the reports with their times."""

    command = In(Drive)
    ask = Out(Drive)
    answer = In(Driven)

    def __init__(self, name: str = "decisions") -> None:
        super().__init__(name)
        self.time = 0.0
        self.commands: list[Drive] = []
        self.heard: list[tuple[float, Driven]] = []

    def deltext(self, e: float) -> None:
        self.time += e
        self.commands += self.command.values
        self.heard += [(self.time, driven) for driven in self.answer.values]
        self.sigma = 0.0 if self.commands else inf

    def lambdaf(self) -> None:
        for command in self.commands:
            self.ask.add(command)

    def deltint(self) -> None:
        self.commands.clear()
        self.passivate()
