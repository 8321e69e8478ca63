"""Connects one side of an agreement with a transport."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Full, Queue
from types import TracebackType
from typing import Self

import msgspec

from devs_robotics.core.distribution.host import Host
from devs_robotics.core.distribution.node import Node
from devs_robotics.core.realtime.transport import Arrival, Link, Transport

CONTROL_QUEUE_CAPACITY = 10_000
"""Number of arrivals that wait at which what comes is dropped."""

CONTROL_PERIOD = 0.02
"""Time between two steps (s)."""


class ControlLine:
    """Carries what a host or a node says and hears, while it is entered; nothing happens but in `step` and `until`.

    Args:
        transport: not yet open; of its own
        party: whose side it is

    Attributes:
        trouble: why the link is down; or empty
    """

    def __init__(self, transport: Transport, party: Host | Node) -> None:
        self.party = party
        self.trouble = ""
        self._transport = transport
        self._arrivals: Queue[tuple[float, Arrival]] = Queue(CONTROL_QUEUE_CAPACITY)
        self._channels: set[str] = set()
        self._next = 0.0

    def __enter__(self) -> Self:
        self._listen()
        self._transport.open(self._arrived)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._transport.close()

    def step(self, patience: float = 0.0) -> None:
        """Hand on what has come, and send what there is to say; waits up to `patience` (s) for something to come."""
        if patience > 0.0:
            with suppress(Empty):
                self._take(*self._arrivals.get(timeout=patience))
        for _ in range(self._arrivals.qsize()):  # what comes meanwhile has to wait, lest a flood holds everything up
            self._take(*self._arrivals.get_nowait())
        self._listen()
        for channel, message in self.party.say(time.monotonic()):
            self._transport.send(channel, msgspec.json.encode(message))
        self._next = time.monotonic() + CONTROL_PERIOD

    def watch(self) -> None:
        """Step, if the last step is not very recent: to be called again and again while a model runs."""
        if time.monotonic() >= self._next:
            self.step()

    def until(self, done: Callable[[], bool], patience: float, interrupted: Callable[[], bool] = lambda: False) -> bool:
        """Step until something is so, an interruption, or the end of `patience` (s); returns whether it is so."""
        end = time.monotonic() + patience
        self.step()
        while not (done() or interrupted() or time.monotonic() > end):
            self.step(CONTROL_PERIOD)
        return done()

    def _take(self, at: float, arrival: Arrival) -> None:
        if isinstance(arrival.content, Link):
            self.trouble = "" if arrival.content.up else arrival.content.reason
        else:
            self.party.hear(arrival.channel, arrival.content.data, at)

    def _arrived(self, arrival: Arrival) -> None:
        with suppress(Full):
            self._arrivals.put_nowait((time.monotonic(), arrival))

    def _listen(self) -> None:
        for channel in self.party.channels:
            if channel not in self._channels:
                self._channels.add(channel)
                self._transport.listen(channel)
