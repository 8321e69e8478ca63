"""The timekeeper: lets the laboratory's time run with the real one, and brings in what arrives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import inf

from devs_robotics.hil.lab.laboratory import Laboratory


class Timekeeper:
    """Advances a laboratory in real time, in the thread of an event loop; its deadlines are absolute.

    Args:
        laboratory: to be driven
        loop: that runs
    """

    def __init__(self, laboratory: Laboratory, loop: asyncio.AbstractEventLoop) -> None:
        self._laboratory = laboratory
        self._loop = loop
        self._rate = laboratory.plan.rate
        self._zero = loop.time()
        self._next: asyncio.TimerHandle | None = None
        self._wakes_at = inf
        """When the loop calls `_wake` next (the loop's time); perhaps too early, never too late."""
        self._stopped = False

    def start(self) -> None:
        """The lab's time begins now."""
        self._zero = self._loop.time()
        self._laboratory.start()
        self._tick()

    def stop(self) -> None:
        """The lab's time stands still from now on."""
        self._stopped = True
        if self._next is not None:
            self._next.cancel()

    def act(self, action: Callable[[], None]) -> None:
        """Do something in the lab now, and what follows from it."""
        if not self._stopped:
            self._laboratory.advance(self._now())
            action()
            self._tick()

    def act_soon(self, action: Callable[[], None]) -> None:
        """The same, from another thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.act, action)

    def _now(self) -> float:
        return (self._loop.time() - self._zero) * self._rate

    def _tick(self) -> None:
        if self._stopped:
            return
        self._laboratory.advance(max(self._now(), self._laboratory.agenda.now))
        due = self._zero + self._laboratory.next_time / self._rate
        if due < self._wakes_at:  # with each message that comes, most often it is not
            if self._next is not None:
                self._next.cancel()
            self._wakes_at, self._next = due, self._loop.call_at(due, self._wake)

    def _wake(self) -> None:
        self._wakes_at, self._next = inf, None
        self._tick()
