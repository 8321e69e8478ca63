"""The lab's agenda: what is to happen at which time of the lab."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import inf


class Agenda:
    """Actions in the order of their times, and of their entry where times are equal.

    Attributes:
        now: time up to which everything has happened (s of the lab's time)
    """

    def __init__(self) -> None:
        self.now = 0.0
        self._numbers = count()
        self._entries: list[tuple[float, int, Callable[[], None]]] = []

    @property
    def next_time(self) -> float:
        """When the next action is due; infinite if there is none."""
        return self._entries[0][0] if self._entries else inf

    def at(self, time: float, action: Callable[[], None]) -> None:
        """Enter an action, now or later."""
        heappush(self._entries, (max(time, self.now), next(self._numbers), action))

    def run(self, time: float) -> None:
        """Do what is due by this time, including what that enters for the same time."""
        self.now = time
        while self.next_time <= time:
            heappop(self._entries)[2]()

    def every(self, period: float, action: Callable[[], None]) -> None:
        """Do something at once and then after each period, at whole multiples of it from now."""
        self._repeat(self.now, 0, period, action)

    def _repeat(self, start: float, times: int, period: float, action: Callable[[], None]) -> None:
        def act() -> None:
            action()
            self._repeat(start, times + 1, period, action)

        self.at(start + times * period, act)
