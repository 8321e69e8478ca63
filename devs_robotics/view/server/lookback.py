"""What a view keeps of a live run, to look back in: timelines of the states that it has seen, in bounded memory."""

from __future__ import annotations

from collections import deque

import numpy as np

from devs_robotics.view.states import THERE, unpacked
from devs_robotics.view.timeline import HEADING, SLOT, TIME, WIDTH, LastChanges, X, encoded

MEMORY = 64 << 20
"""Most that is kept, unless another size is given (bytes)."""

SPAN = 5.0
"""Simulated time of a chunk is at least this (s), unless it is full."""

STATES = 300
"""Most states in a chunk."""


class LookBack:
    """Keeps states as chunks of timelines; the oldest are forgotten.

    Args:
        memory: most that is kept (bytes)
    """

    def __init__(self, memory: int = MEMORY) -> None:
        self._memory = memory
        self._size = 0
        self._chunks: deque[bytes] = deque()
        self._waiting: list[bytes] = []
        self._begin = 0.0
        self._time = -1.0

    @property
    def chunks(self) -> int:
        """Number of the chunks that are kept."""
        return len(self._chunks)

    @property
    def size(self) -> int:
        """Of all of them (bytes)."""
        return self._size

    def chunk(self, number: int) -> bytes | None:
        """A chunk, counted from the oldest that is kept; None: there is none."""
        return self._chunks[number] if 0 <= number < len(self._chunks) else None

    def add(self, state: bytes, time: float) -> None:
        """Keep a state of a simulated time (s); one that is not later than the last is not needed."""
        if time <= self._time:
            return
        if not self._waiting:
            self._begin = time
        self._time = time
        self._waiting.append(state)
        if time - self._begin >= SPAN or len(self._waiting) >= STATES:
            self._close()

    def _close(self) -> None:
        """Make a chunk of the states that wait; the last one begins the next chunk."""
        data = chunk_of(self._waiting)
        self._chunks.append(data)
        self._size += len(data)
        while self._size > self._memory and len(self._chunks) > 1:
            self._size -= len(self._chunks.popleft())
        self._waiting = self._waiting[-1:]
        self._begin = self._time


def chunk_of(states: list[bytes]) -> bytes:
    """States, the first one first, as a chunk of a timeline: only what has changed."""
    read = [unpacked(state) for state in states]
    slots = max(len(state.bits) for state in read)
    begin, end = read[0].time, read[-1].time
    before = LastChanges(slots)
    last = np.full((slots, 3), np.nan, dtype=np.float32)
    rows = []
    for state in read:
        poses = np.full((slots, 3), np.nan, dtype=np.float32)
        poses[: len(state.bits)] = np.where((state.bits & THERE).astype(bool), state.poses, np.nan).T
        changed = ((poses != last) & ~(np.isnan(poses) & np.isnan(last))).any(axis=1).nonzero()[0]
        new = np.zeros((len(changed), WIDTH))
        new[:, TIME], new[:, SLOT], new[:, X : HEADING + 1] = state.time, changed, poses[changed]
        rows.append(new)
        last = poses
    before.take(rows[0])
    return encoded(np.vstack([np.empty((0, WIDTH)), *rows[1:]]), before, begin, end)
