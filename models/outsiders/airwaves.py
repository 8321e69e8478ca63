"""What happens to calls on their way: they take a while, and some hearers do not hear them."""

from __future__ import annotations

from collections import deque
from itertools import takewhile

from msgspec.structs import replace

from devs_robotics import Atomic, In, ModelError, Out, Stream
from devs_robotics.models.environment.questions import Heeded


class Airwaves(Atomic):
    """Carries calls to those that were near when they were made.

    =========  ==============================  ===============  ====================
    phase      time advance                    output           next phase
    =========  ==============================  ===============  ====================
    silent     ∞                               none             carrying
    carrying   until the next call is heard    heard            carrying, or silent
    =========  ==============================  ===============  ====================

    Whether a hearer hears is drawn from a stream of its own, of this caller and this hearer, so that a robot more does
    not change what the others hear of each other.

    Ports:
        called: calls, and who is near enough
        heard: the same some time later, with those who hear

    Args:
        delay: time from call to hearing (s)
        loss: share of hearers that do not hear, from 0 to 1
        seed: of the run

    Attributes:
        lost: number of hearers that have not heard

    Raises:
        ModelError: the delay is negative, or the loss is no share
    """

    called = In(Heeded)
    heard = Out(Heeded)

    def __init__(self, name: str, delay: float = 0.0, loss: float = 0.0, seed: int = 1) -> None:
        super().__init__(name)
        if not delay >= 0.0:
            raise ModelError(f"airwaves {name!r}: delay must be at least 0, not {delay:g}")
        if not 0.0 <= loss <= 1.0:
            raise ModelError(f"airwaves {name!r}: loss is a share from 0 to 1, not {loss:g}")
        self.delay, self.loss, self.seed = delay, loss, seed
        self.lost = 0
        self._now = 0.0
        self._carried: deque[tuple[float, Heeded]] = deque()
        self._streams: dict[tuple[int, int], Stream] = {}

    def initialize(self) -> None:
        """Nobody has called yet."""
        self.passivate("silent")

    def deltext(self, e: float) -> None:
        """Take calls."""
        self._now += e
        for call in self.called.values:
            hearers = tuple([hearer for hearer in call.hearers if not self._is_lost(call.robot, hearer)])
            self.lost += len(call.hearers) - len(hearers)
            if hearers:
                self._carried.append((self._now + self.delay, replace(call, hearers=hearers)))
        self._wait()

    def lambdaf(self) -> None:
        """Let them be heard that are due."""
        for _, call in self._due():
            self.heard.add(call)

    def deltint(self) -> None:
        """Wait for the next."""
        due = len(self._due())
        self._now = self._carried[0][0]
        for _ in range(due):
            self._carried.popleft()
        self._wait()

    def _wait(self) -> None:
        if self._carried:
            self.hold_in("carrying", max(0.0, self._carried[0][0] - self._now))
        else:
            self.passivate("silent")

    def _due(self) -> list[tuple[float, Heeded]]:
        first = self._carried[0][0]
        return list(takewhile(lambda each: each[0] == first, self._carried))

    def _is_lost(self, caller: int, hearer: int) -> bool:
        if not self.loss:
            return False
        pair = caller, hearer
        if pair not in self._streams:
            self._streams[pair] = Stream(self.seed, hearer, f"calls of {caller}")
        return (self._streams[pair].uniform() + 1.0) / 2.0 < self.loss
