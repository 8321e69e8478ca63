"""A device for tests: a robot that does what it is told, at once or when the test says so."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from devs_robotics import Atomic, Device, Drive, Driven, In, Out


class Box(Device):
    """Notes its commands; a move ends after `duration`, and a new one cuts the one before it in the middle.

    Args:
        robot: its number
        duration: of a move (s)
        braking: how long it takes until a move that was cut off has ended (s)
    """

    def __init__(self, robot: int = 1, duration: float = 1.0, braking: float = 0.0) -> None:
        super().__init__("device", robot, "a box")
        self.duration = duration
        self.braking = braking
        self.commands: list[Drive] = []
        self.waiting: list[Drive] = []
        self.under_way: Drive | None = None
        self.cut = False
        self.reports: list[Driven] = []
        self.stretch = 1.0
        self.left = inf

    def deltext(self, e: float) -> None:
        self.left -= e
        for command in self.motor.ask.values:
            self.commands.append(command)
            self.waiting.append(command)
            if self.under_way is None:
                self.go_on()
            elif not self.cut:
                self.cut, self.left = True, self.braking
                if not self.braking:
                    self.ended()
        self.sigma = 0.0 if self.reports else self.left

    def go_on(self) -> None:
        while len(self.waiting) > 1:
            self.waiting.pop(0)
            self.reports.append(Driven(0.0, 0.0))
        self.under_way = self.waiting.pop() if self.waiting else None
        self.left = inf if self.under_way is None else self.duration if self.under_way != Drive() else 0.0

    def ended(self) -> None:
        assert self.under_way is not None
        part = 0.5 if self.cut else self.stretch
        self.reports.append(Driven(self.under_way.turn, self.under_way.distance * part))
        self.cut = False
        self.go_on()

    def lambdaf(self) -> None:
        for report in self.reports:
            self.motor.answer.add(report)

    def deltint(self) -> None:
        if self.reports:
            self.reports.clear()
        else:
            self.left = 0.0
            self.ended()
        self.sigma = 0.0 if self.reports else self.left

    def stop_message(self) -> Iterable[bytes]:
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
