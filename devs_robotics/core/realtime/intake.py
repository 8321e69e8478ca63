"""Intake: what has come in on one link and waits for the models, in bounds that a flood cannot break."""

from __future__ import annotations

from collections import deque

from msgspec import Struct

from devs_robotics.core.realtime.transport import Link, Packet

LONGEST_BATCH = 0.01
"""Longest time from the first to the last arrival of one batch (simulated s); the models hear of a batch at once."""

LARGEST_BATCH = 1 << 12
"""Largest size of a batch (bytes), unless it is a single packet."""

MOST_PACKETS_PER_BATCH = 64
"""Largest number of packets in a batch."""

MOST_BATCHES_AHEAD = 8
"""Largest number of batches of one link that the simulator has and has not handled: other links wait behind no more."""

MOST_BYTES_WAITING = 1 << 20
"""Largest size of what waits of one link (bytes), unless it is a single packet."""

MOST_BATCHES_IN_A_ROW = 400
"""Number of batches taken in a row from a link, without catching up with it, above which it sends too much to be read.

A host that keeps up catches up with each link at each turn; one that is about to be held for being late, within 50.
"""


class Batch(Struct):
    """What comes to the model at once.

    Attributes:
        since: when the first of it came (simulated s)
        at: when the last of it came (simulated s)
        contents: packets, or one link message
        size: of the packets (bytes)
    """

    since: float
    at: float
    contents: list[Packet | Link]
    size: int


class Intake:
    """What waits of one link, the oldest first. It knows no threads: who shares one locks it.

    Args:
        capacity: largest number of arrivals that wait
        is_stream: its packets are pieces without boundaries, and can be joined

    Attributes:
        stretch: bytes taken since nothing waited (bytes)
    """

    def __init__(self, capacity: int, *, is_stream: bool) -> None:
        self.stretch = 0
        self._capacity = capacity
        self._is_stream = is_stream
        self._batches: deque[Batch] = deque()
        self._waiting = 0
        self._size = 0
        self._in_a_row = 0
        self._ahead: deque[float] = deque()
        """Times of those batches that may not have been handled."""

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return bool(self._batches)

    @property
    def is_full(self) -> bool:
        """Whether no more packets may come."""
        return self._waiting >= self._capacity or self._size >= MOST_BYTES_WAITING

    @property
    def is_over_budget(self) -> bool:
        """Whether more comes than can be read."""
        return self._in_a_row > MOST_BATCHES_IN_A_ROW

    def put(self, at: float, content: Packet | Link) -> None:
        """Take what came at a time (simulated s)."""
        size = _size(content)
        last = self._batches[-1] if self._batches else None
        if last is not None and self._joins(last, at, content, size):
            last.at = at
            last.contents.append(content)
            last.size += size
        else:
            self._batches.append(Batch(at, at, [content], size))
        self._waiting += 1
        self._size += size

    def make_room(self) -> int:
        """Drop the oldest packets until it is not full, but no link message; returns how many were dropped."""
        before = self._waiting
        kept: list[Batch] = []
        while self._batches and self.is_full:
            batch = self._batches.popleft()
            if isinstance(batch.contents[0], Link):
                kept.append(batch)
            else:
                size = _size(batch.contents.pop(0))
                batch.size -= size
                self._size -= size
                self._waiting -= 1
                if batch.contents:
                    self._batches.appendleft(batch)
        self._batches.extendleft(reversed(kept))
        return before - self._waiting

    def drop(self) -> None:
        """Nothing waits any more. That is no catching up: a flood that holds the run up must be noticed too."""
        self._batches.clear()
        self._waiting = self._size = 0

    def clear(self) -> None:
        """Begin anew."""
        self.drop()
        self._ahead.clear()
        self._in_a_row = self.stretch = 0

    def take(self, handled: float, now: float) -> list[Batch]:
        """Those whose turn it is; their time is when they are to come to the model.

        Args:
            handled: simulated time up to which the simulator has handled what it was given (s)
            now: simulated time that it is (s); what came later has to come now
        """
        while self._ahead and self._ahead[0] <= handled:
            self._ahead.popleft()
        taken = []
        while self._batches and len(self._ahead) < MOST_BATCHES_AHEAD:
            batch = self._batches.popleft()
            batch.at = max(min(batch.at, now), handled)
            self._ahead.append(batch.at)
            self._waiting -= len(batch.contents)
            self._size -= batch.size
            self.stretch += batch.size
            if self._is_stream and len(batch.contents) > 1:
                batch.contents = [_joined(batch.contents)]
            taken.append(batch)
        if self._batches:
            self._in_a_row += len(taken)
        else:
            self._in_a_row = self.stretch = 0
        return taken

    def _joins(self, last: Batch, at: float, content: Packet | Link, size: int) -> bool:
        return (
            not isinstance(content, Link)
            and not isinstance(last.contents[0], Link)
            and at - last.since <= LONGEST_BATCH
            and last.size + size <= LARGEST_BATCH
            and len(last.contents) < MOST_PACKETS_PER_BATCH
        )


def _size(content: Packet | Link) -> int:
    return 0 if isinstance(content, Link) else len(content.data)


def _joined(contents: list[Packet | Link]) -> Packet:
    return Packet(b"".join(content.data for content in contents if isinstance(content, Packet)))
