"""A stream on wires that a test holds both ends of."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Event

from devs_robotics.hil.transports.stream import POLL, StreamTransport, Wire


class HandWire(Wire):
    """A wire on which reads and writes do what the test says.

    Attributes:
        says: what each read returns, or raises; nothing comes while it is empty
        takes: a write goes on when this is set, and then raises `refuses`, if there is something
        begun: set when a write has begun
        tried: what was to be written
        written: all that was
        spoilt: what closing raises, if anything
    """

    def __init__(self) -> None:
        self.says: SimpleQueue[bytes | Exception] = SimpleQueue()
        self.takes = Event()
        self.takes.set()
        self.begun = Event()
        self.tried: list[bytes] = []
        self.refuses: Exception | None = None
        self.written: list[bytes] = []
        self.cancelled = Event()
        self.closed = Event()
        self.spoilt: Exception | None = None

    def read(self) -> bytes:
        try:
            said = self.says.get(timeout=POLL)
        except Empty:
            return b""
        if isinstance(said, Exception):
            raise said
        return said

    def write(self, data: bytes) -> None:
        self.tried.append(data)
        self.begun.set()
        self.takes.wait()
        if self.refuses is not None:
            raise self.refuses
        if self.cancelled.is_set():
            raise OSError("it was given up")
        self.written.append(data)

    def cancel(self) -> None:
        self.cancelled.set()
        self.takes.set()
        self.says.put(OSError("it was given up"))

    def close(self) -> None:
        self.closed.set()
        if self.spoilt is not None:
            raise self.spoilt

    def break_off(self) -> None:
        """Fail in both directions."""
        self.refuses = OSError("the cable was pulled")
        self.says.put(self.refuses)
        self.takes.set()


class HandStream(StreamTransport):
    """Each connection is the next of those that the test has prepared; an exception is raised instead."""

    def __init__(self, *wires: HandWire | Exception, outbox: int = 1000) -> None:
        super().__init__("hand:", outbox)
        self._left = iter(wires)

    def connect(self) -> Wire:
        wire = next(self._left, OSError("there are no more wires"))
        if isinstance(wire, Exception):
            raise wire
        return wire
