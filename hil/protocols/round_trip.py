"""How long it takes until what a robot was told shows in what it says."""

from __future__ import annotations

from collections import deque

REMEMBERED = 8
"""Number of the last measurements that count; one that was long for once is forgotten then."""

SLOWEST = 2.5
"""Delay above which a robot is not driven (s)."""


class RoundTrip:
    """There and back: a link's delay in both directions, and the time that the robot takes.

    Args:
        sure_after: so many measurements in a row that are longer than `SLOWEST` are believed (at most `REMEMBERED`)
    """

    def __init__(self, sure_after: int) -> None:
        self._sure_after = sure_after
        self._guess = 0.0
        self._seen: deque[float] = deque(maxlen=REMEMBERED)

    def guess(self, took: float) -> None:
        """A new link's first word, which may have had to wait for something else (s); counts until more is known."""
        self._guess = took

    def saw(self, took: float) -> None:
        """What the robot was told has shown after this time (s)."""
        self._guess = 0.0
        self._seen.append(took)

    @property
    def longest(self) -> float:
        """That it takes of late, at the most (s)."""
        return max([self._guess, *self._seen])

    @property
    def is_too_long(self) -> bool:
        """Whether it has been longer than a robot may be driven with, again and again."""
        last = list(self._seen)[-self._sure_after :]
        return len(last) == self._sure_after and min(last) > SLOWEST
