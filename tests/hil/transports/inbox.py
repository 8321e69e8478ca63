"""What a test hands to a transport to get its arrivals, and waits at."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Event

from devs_robotics.core.realtime.transport import Arrival, Link, Packet

PATIENCE = 60.0
"""A test waits so long (s) at most for what must happen."""


class Inbox:
    """Collects the arrivals of one transport, in their order.

    Attributes:
        arrivals: all of them
        arrived: how many bytes they hold
        gate: an arrival is held up while it is not set
        held: set while one is
    """

    def __init__(self) -> None:
        self.arrivals: list[Arrival] = []
        self.arrived = 0
        self.gate = Event()
        self.gate.set()
        self.held = Event()
        self._changed = Condition()

    def __call__(self, arrival: Arrival) -> None:
        if not self.gate.is_set():
            self.held.set()
            self.gate.wait()
            self.held.clear()
        with self._changed:
            self.arrivals.append(arrival)
            if isinstance(arrival.content, Packet):
                self.arrived += len(arrival.content.data)
            self._changed.notify_all()

    @property
    def packets(self) -> list[bytes]:
        return [arrival.content.data for arrival in self.arrivals if isinstance(arrival.content, Packet)]

    @property
    def stream(self) -> bytes:
        return b"".join(self.packets)

    @property
    def links(self) -> list[Link]:
        return [arrival.content for arrival in self.arrivals if isinstance(arrival.content, Link)]

    def has(self, words: bytes) -> bool:
        """Whether the latest packets hold these words."""
        return words in b"".join(
            arrival.content.data for arrival in self.arrivals[-10:] if isinstance(arrival.content, Packet)
        )

    def wait_until(self, what: Callable[[], bool], patience: float) -> bool:
        """Wait until something is so, which is looked at with each arrival; returns whether it is."""
        with self._changed:
            return self._changed.wait_for(what, patience)

    def wait_for(self, what: Callable[[], bool]) -> None:
        """Wait until something is so, or fail."""
        assert self.wait_until(what, PATIENCE), f"in vain; the links were {self.links}"

    def wait_for_link(self, *, up: bool, after: int = 0) -> Link:
        """Wait for word of the link that is not among the first `after` ones; returns it."""
        self.wait_for(lambda: any(link.up is up for link in self.links[after:]))
        return next(link for link in self.links[after:] if link.up is up)
