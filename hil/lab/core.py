"""What every stand-in robot is to the link that carries its bytes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from devs_robotics.hil.lab.surroundings import Surroundings


class Core(ABC):
    """A robot without input or output: bytes come in and go out as the lab's time goes on, each after its delay.

    Args:
        surroundings: its place in the lab

    Attributes:
        send: gets what the robot says; set by its link
        is_jammed: says whether so much waits to be sent that more would be lost; set by its link
    """

    def __init__(self, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self.send: Callable[[bytes], None] = _nowhere
        self.is_jammed: Callable[[], bool] = _never
        self._incoming = surroundings.delay("incoming", self.heard)
        self._outgoing = surroundings.delay("outgoing", self._send)

    def receive(self, data: bytes) -> None:
        """Something has arrived at the robot; it hears it after its latency."""
        self._incoming.put(data)

    def say(self, data: bytes) -> None:
        """Have something sent, after the latency."""
        self._outgoing.put(data)

    def link_lost(self) -> None:
        """Its link is gone, and what was on its way with it."""
        self._incoming.clear()
        self._outgoing.clear()

    @abstractmethod
    def heard(self, data: bytes) -> None:
        """What the robot does about what it has heard."""

    @abstractmethod
    def start(self) -> None:
        """It is switched on."""

    def _send(self, data: bytes) -> None:
        self.send(data)


def _nowhere(_data: bytes) -> None:
    """There is no link."""


def _never() -> bool:
    """There is no link."""
    return False
