"""What messages meet inside a robot: latency and jitter, in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from devs_robotics.hil.lab.agenda import Agenda
from devs_robotics.hil.lab.randomness import ErrorStream

CAPACITY = 1000
"""Largest number of messages on their way; further ones are dropped."""


class Delay:
    """Hands messages on, in order, each after the latency and a random share of the jitter.

    Args:
        agenda: of the lab
        latency: of each message (s)
        jitter: largest addition to it (s)
        stream: of random numbers
        deliver: gets each message

    Attributes:
        dropped: messages that came while too many were on their way
    """

    def __init__(
        self, agenda: Agenda, latency: float, jitter: float, stream: ErrorStream, deliver: Callable[[bytes], None]
    ) -> None:
        self.dropped = 0
        self._agenda = agenda
        self._latency = latency
        self._jitter = jitter
        self._stream = stream
        self._deliver = deliver
        self._last = 0.0
        self._waiting: deque[bytes] = deque()
        self._era = 0

    def put(self, data: bytes) -> None:
        """Take a message now."""
        if len(self._waiting) >= CAPACITY:
            self.dropped += 1
            return
        self._last = max(self._last, self._agenda.now + self._latency + self._stream.up_to(self._jitter))
        self._waiting.append(data)
        era = self._era
        self._agenda.at(self._last, lambda: self._hand_on(era))

    def clear(self) -> None:
        """Forget what is on its way, since its link is gone."""
        self._era += 1
        self._waiting.clear()

    def hurry(self) -> None:
        """Hand on at once what is on its way: it has arrived, and nothing will come after it."""
        self._era += 1
        while self._waiting:
            self._deliver(self._waiting.popleft())

    def _hand_on(self, era: int) -> None:
        if era == self._era:
            self._deliver(self._waiting.popleft())
