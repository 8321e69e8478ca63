"""Models of a user, whose folder gets a copy of this file."""

from __future__ import annotations

from devs_robotics import Atomic, Coupled, In, Out


class Echo(Atomic):
    """Says what it hears, a second later."""

    heard = In(str)
    said = Out(str)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.words: list[str] = []
        self.exits = 0

    def initialize(self) -> None:
        self.words = []
        self.passivate()

    def exit(self) -> None:
        self.exits += 1

    def deltext(self, e: float) -> None:
        self.words += self.heard.values
        self.hold_in("waiting", 1.0)

    def lambdaf(self) -> None:
        for word in self.words:
            self.said.add(word)

    def deltint(self) -> None:
        self.words = []
        self.passivate()


class Room(Coupled):
    """Two echoes, one after the other."""

    heard = In(str)
    said = Out(str)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.near, self.far = Echo("near"), Echo("far")
        self.add_component(self.near)
        self.add_component(self.far)
        self.add_coupling(self.heard, self.near.heard)
        self.add_coupling(self.near.said, self.far.heard)
        self.add_coupling(self.far.said, self.said)
