"""A line that is late now and then."""

from __future__ import annotations

Holds = list[tuple[float, float]]
"""When messages begin to be held up, and for how long (s)."""


class HeldUp:
    """A line that keeps the order of messages, and now and then holds them up."""

    def __init__(self, holds: Holds) -> None:
        self.holds = holds
        self.last = 0.0

    def arrival(self, now: float) -> float:
        held = [begin + duration for begin, duration in self.holds if begin <= now < begin + duration]
        self.last = max([now + 0.002, self.last, *held])
        return self.last
