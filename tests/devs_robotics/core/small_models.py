"""Small models for tests of how models run."""

from __future__ import annotations

from math import inf
from typing import Any

from xdevs.models import Component

from devs_robotics import Atomic, Coupled, In, Out


class Sender(Atomic):
    """Sends values at given times (s), counted from when it is initialised; several may share a time."""

    said: Out[Any] = Out()

    def __init__(self, name: str, *script: tuple[float, Any]) -> None:
        super().__init__(name)
        self.script = script

    def initialize(self) -> None:
        self.left = list(self.script)
        self.now = 0.0
        self._wait()

    def _wait(self) -> None:
        self.hold_in("sending", self.left[0][0] - self.now) if self.left else self.passivate("done")

    def lambdaf(self) -> None:
        for time, value in self.left:
            if time == self.left[0][0]:
                self.said.add(value)

    def deltint(self) -> None:
        self.now = self.left[0][0]
        self.left = [entry for entry in self.left if entry[0] > self.now]
        self._wait()

    def deltext(self, e: float) -> None:
        self.now += e
        self.continuef(e)


class Listener(Atomic):
    """Notes each call of its functions: what it heard, and the elapsed time.

    Args:
        advances: its time advances, one after the other; then it is passive
    """

    heard: In[Any] = In()
    echo: Out[Any] = Out()

    def __init__(self, name: str = "listener", *advances: float) -> None:
        super().__init__(name)
        self.advances = advances
        self.notes: list[tuple[Any, ...]] = []

    @property
    def bags(self) -> list[list[Any]]:
        """What it heard in each external transition."""
        return [note[1] for note in self.notes if note[0] == "external"]

    def initialize(self) -> None:
        self.left = list(self.advances)
        self.next()

    def next(self) -> None:
        self.hold_in("waiting", self.left.pop(0) if self.left else inf)

    def lambdaf(self) -> None:
        self.notes.append(("output",))

    def deltint(self) -> None:
        self.notes.append(("internal",))
        self.next()

    def deltext(self, e: float) -> None:
        self.notes.append(("external", list(self.heard.values), e))
        self.continuef(e)

    def exit(self) -> None:
        self.notes.append(("exit",))


class Answerer(Listener):
    """Says in zero time what it heard."""

    def deltext(self, e: float) -> None:
        super().deltext(e)
        self.answer = list(self.heard.values)
        self.activate()

    def lambdaf(self) -> None:
        for value in self.answer:
            self.echo.add(value)


def couple(*components: Component, ends: dict[Any, Any] | None = None, name: str = "top") -> Coupled:
    """A coupled model of these components; `ends` couples ports."""
    top = Coupled(name)
    for component in components:
        top.add_component(component)
    for source, target in (ends or {}).items():
        for each in target if isinstance(target, list) else [target]:
            top.add_coupling(source, each)
    return top


class Clock(Atomic):
    """Sends its name at a steady pace."""

    tick = Out(str)

    def __init__(self, name: str, period: float) -> None:
        super().__init__(name)
        self.period = period

    def initialize(self) -> None:
        self.hold_in("ticking", self.period)

    def lambdaf(self) -> None:
        self.tick.add(self.name)

    def deltint(self) -> None:
        self.hold_in("ticking", self.period)


class Log(Atomic):
    """Notes what it hears, and when."""

    heard = In(str)

    def __init__(self, name: str = "log") -> None:
        super().__init__(name)
        self.now = 0.0
        self.notes: list[tuple[float, list[str]]] = []

    def deltext(self, e: float) -> None:
        self.now += e
        self.notes.append((self.now, list(self.heard.values)))


def world(*clocks: Clock) -> tuple[Coupled, Log]:
    top, log = Coupled("top"), Log()
    for component in (*clocks, log):
        top.add_component(component)
    for clock in clocks:
        top.add_coupling(clock.tick, log.heard)
    return top, log
