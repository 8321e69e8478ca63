"""What serial lines and TCP have in common: threads, a bounded outbox, and a link that comes back by itself."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from contextlib import suppress
from threading import Condition, Event, Thread

from devs_robotics.core.realtime.transport import Arrived, Counts, Transport
from devs_robotics.hil.transports.backoff import Backoff
from devs_robotics.hil.transports.receiver import Receiver, reason_of

STALL = 1.0
"""Time for which a peer takes nothing (s) above which its link is lost."""

CONNECT_TIMEOUT = 2.0
"""Longest time in which a connection is made (s); after it, the attempt has failed."""

POLL = 0.1
"""Longest time for which a read waits (s)."""

LINGER = 0.2
"""Longest time that a peer gets to take what was written last (s)."""

PIECE = 1 << 12
"""Largest size of what is read at once (bytes)."""


class Wire(ABC):
    """A connection that a stream has made; each method raises OSError when the connection is lost."""

    @abstractmethod
    def read(self) -> bytes:
        """What has come, up to `PIECE`; waits for it, up to `POLL` and then returns nothing."""

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Write all of it; raises OSError if nothing of it is taken for `STALL`."""

    @abstractmethod
    def cancel(self) -> None:
        """Have reads and writes of other threads end soon; never raises."""

    @abstractmethod
    def close(self) -> None:
        """Have the peer get what was written, if it takes it within `LINGER`, and free the wire; never raises."""


class StreamTransport(Transport):
    """A stream of bytes to one peer, without boundaries of packets; a subclass says how to connect.

    One thread connects and reads, another one writes. When the link is down, the reason is told once, and again when
    it has become another one. Whatever is raised in a thread, by a library or by the receiver, is a lost link too.

    Args:
        address: where it leads, for people
        outbox: how much may wait to be sent (bytes), unless it is a single packet
    """

    is_stream = True

    def __init__(self, address: str, outbox: int) -> None:
        self.address = address
        self.counts = Counts()
        self._outbox_size = outbox
        self._outbox: deque[bytes] = deque()
        self._waiting = 0
        self._changed = Condition()
        self._wire: Wire | None = None
        self._writing = False
        self._fault = ""
        self._closing = Event()
        self._threads: list[Thread] = []

    @abstractmethod
    def connect(self) -> Wire:
        """Connect; raises OSError, with a sentence, if that fails; takes no longer than `CONNECT_TIMEOUT`."""

    def listen(self, channel: str) -> None:
        """Nothing to do: there is one channel."""

    def open(self, arrived: Arrived) -> None:
        """Begin to connect."""
        receiver = Receiver(arrived, self._closing)
        self._threads = [
            Thread(target=self._read, args=(receiver,), name=f"read {self.address}", daemon=True),
            Thread(target=self._write, name=f"write {self.address}", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def send(self, channel: str, data: bytes) -> None:
        """Queue bytes for the peer."""
        with self._changed:
            if self._wire is None or self._fault or self._closing.is_set():
                self.counts.dropped += 1
            elif self._outbox and self._waiting + len(data) > self._outbox_size:
                self.counts.dropped += 1
                self._give_up(f"{self.address} does not take what is sent: it has stopped, or the line is too slow")
            else:
                self.counts.sent += 1
                self._outbox.append(data)
                self._waiting += len(data)
                self._changed.notify_all()

    def flush(self, timeout: float) -> None:
        """Wait until what was queued is written."""
        with self._changed:
            self._changed.wait_for(self._idle, timeout)

    def close(self, timeout: float = 1.0) -> None:
        """Write what is queued, and end."""
        with self._changed:
            threads, self._threads = self._threads, []
            self._changed.wait_for(self._idle, timeout if threads else 0.0)
            self._closing.set()
            self._changed.notify_all()
            end = time.monotonic() + (CONNECT_TIMEOUT if self._wire is None else STALL) + POLL + LINGER
            if self._wire is not None and not self._idle():
                self._wire.cancel()
        # one that outlasts this is held up by the receiver of its arrivals, and is not heard any more
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))

    # within a lock

    def _idle(self) -> bool:
        """Whether nothing is left to write, or nothing can be written."""
        return self._wire is None or bool(self._fault) or not (self._outbox or self._writing)

    def _give_up(self, reason: str) -> None:
        """Have the reading thread end this connection, and try another."""
        self._fault = reason
        self._changed.notify_all()
        if self._wire is not None:
            self._wire.cancel()

    def _drop(self, packets: int) -> None:
        """Count queued packets as dropped."""
        self.counts.sent -= packets
        self.counts.dropped += packets

    # in the reading thread

    def _read(self, receiver: Receiver) -> None:
        backoff = Backoff()
        while not self._closing.is_set():
            try:
                wire = self.connect()
            except Exception as error:  # a library may raise more than it says
                receiver.down(_sentence(error, f"{self.address} cannot be opened"))
            else:
                backoff.up()
                reason = self._serve(wire, receiver)
                self._free(wire)
                receiver.down(reason)
            self._closing.wait(backoff.lost())

    def _serve(self, wire: Wire, receiver: Receiver) -> str:
        """Read until the connection ends; returns why it did."""
        with self._changed:
            self._wire, self._fault = wire, ""
        try:
            receiver.up()
            while not (self._closing.is_set() or self._fault):
                data = wire.read()
                if data:
                    self.counts.received += 1
                    receiver.packet("", data)
        except Exception as error:  # of the wire, or of the receiver
            return self._fault or f"the connection to {self.address} was lost ({reason_of(error)})"
        return self._fault

    def _free(self, wire: Wire) -> None:
        """Give the connection up, once nobody writes to it."""
        with self._changed:
            self._wire = None
            self._drop(len(self._outbox))
            self._outbox.clear()
            self._waiting = 0
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._writing)
        with suppress(Exception):  # it is given up; there is nothing to be done about it
            wire.close()

    # in the writing thread

    def _write(self) -> None:
        while (job := self._next_job()) is not None:
            wire, data = job
            try:
                wire.write(data)
                fault = ""
            except Exception as error:  # a library may raise more than it says
                fault = f"{self.address} could not be written to ({reason_of(error)})"
            with self._changed:
                self._writing = False
                if fault:
                    self._drop(1)
                    self._give_up(self._fault or fault)
                self._changed.notify_all()

    def _next_job(self) -> tuple[Wire, bytes] | None:
        """Wait for something to write; returns None when there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing.is_set() or self._can_write())
            if self._closing.is_set() or self._wire is None:
                return None
            data = self._outbox.popleft()
            self._waiting -= len(data)
            self._writing = True
            return self._wire, data

    def _can_write(self) -> bool:
        return self._wire is not None and not self._fault and bool(self._outbox)


def _sentence(error: Exception, what: str) -> str:
    """Why it could not be connected: what `connect` says, or what was raised instead."""
    return str(error) if isinstance(error, OSError) else f"{what} ({reason_of(error)}): correct the address"
