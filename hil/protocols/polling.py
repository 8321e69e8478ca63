"""Readings that are asked for again and again: which are awaited, and when to ask for the next one."""

from __future__ import annotations

from collections import deque
from math import inf

IN_TURN = 1.0
"""Time that a reading takes (s) above which the next is asked for before it has come."""


class Polling:
    """Of a robot that is asked for each reading.

    Attributes:
        awaited: when it was asked for each of the readings that have not come: they come in that order (s)
        asked_at, heard_at: when it was last asked for a reading, and when one last came (s)
        took: how long the last reading took to come (s)
    """

    def __init__(self) -> None:
        self.awaited: deque[float] = deque()
        self.asked_at = -inf
        self.heard_at = -inf
        self.took = 0.0
        self._answered = False
        """Whether a reading has come since it was last asked for one."""

    def restart(self, time: float) -> None:
        """The link is a new one: nothing is awaited, and silence counts from now (s)."""
        self.awaited.clear()
        self.asked_at = self.heard_at = time

    def asked(self, time: float) -> None:
        """It is asked for a reading now (s)."""
        self.awaited.append(time)
        self.asked_at = time
        self._answered = False

    def heard(self, time: float) -> float:
        """A reading has come now (s); returns when it was asked for, or now if it was not."""
        self.heard_at, self._answered = time, True
        return self.awaited.popleft() if self.awaited else time

    def is_due(self, time: float, patience: float, spare: float) -> bool:
        """Whether to ask for the next reading now.

        Where several are awaited, as many come if the link is slow, and only one if the others were lost.

        Args:
            time: now (s)
            patience: what has not been answered for so long is asked again (s)
            spare: readings may come so much later than the last one did before they are taken to be lost (s)
        """
        since = time - self.asked_at
        if self.awaited and self._answered and since >= self.took + spare:
            self.awaited.clear()
        return not self.awaited or (self.took > IN_TURN if self._answered else since >= patience)
