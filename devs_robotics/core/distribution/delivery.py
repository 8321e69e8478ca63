"""Numbered messages over a link that may lose, repeat and reorder them: what is kept, and what is due."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Outbox:
    """What was sent, numbered from 1, and kept until the other side has it.

    Args:
        keep: largest number of messages that are kept; the oldest go first

    Attributes:
        sent: number of the last message
    """

    def __init__(self, keep: int) -> None:
        self.sent = 0
        self._confirmed = 0
        self._kept: deque[bytes] = deque(maxlen=keep)

    def add(self, data: bytes) -> None:
        """Number a message and keep it."""
        self.sent += 1
        self._kept.append(data)

    def confirm(self, received: int) -> None:
        """Forget what the other side has, up to this number."""
        self._confirmed = max(self._confirmed, received)
        while self._kept and self.sent - len(self._kept) < received:
            self._kept.popleft()

    def after(self, received: int) -> list[bytes] | None:
        """All messages after this number that are not confirmed; None if some are no longer kept."""
        missing = self.sent - max(received, self._confirmed)  # what is asked for late may have come since
        return None if missing > len(self._kept) else list(self._kept)[len(self._kept) - missing :]


class Inbox(Generic[T]):
    """What comes, put into order.

    Args:
        window: largest number of messages by which one that is kept can be ahead of its turn

    Attributes:
        received: all messages up to this number have been handed on
        announced: number of messages that have been sent, as far as is known
        dropped: messages that came again, or too far ahead of their turn
    """

    def __init__(self, window: int) -> None:
        self.received = 0
        self.announced = 0
        self.dropped = 0
        self._window = window
        self._early: dict[int, T] = {}

    @property
    def incomplete(self) -> bool:
        """Whether something is known to be missing."""
        return self.announced > self.received

    def announce(self, sent: int) -> None:
        """Learn from the other side how many messages it has sent."""
        self.announced = max(self.announced, sent)

    def take(self, number: int, message: T) -> list[T]:
        """Take what has come; returns those messages whose turn it now is."""
        if number <= self.received or number in self._early or number > self.received + self._window:
            self.dropped += 1
            return []
        self._early[number] = message
        due: list[T] = []
        while self.received + 1 in self._early:
            self.received += 1
            due.append(self._early.pop(self.received))
        return due
