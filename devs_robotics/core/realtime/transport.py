"""Transports: what carries bytes between this process and a robot, a broker or another process.

A transport knows nothing of models. A `Bridge` couples it with the boundary ports of one, by packets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct


class Packet(Struct, frozen=True):
    """Bytes that cross the boundary of a model, in either direction."""

    data: bytes


class Post(Packet, frozen=True):
    """A packet that says where it goes to, or where it came from.

    Attributes:
        channel: of the transport: a topic, for instance
        retained: the broker keeps it for those that come later; of one that came in, whether it was kept, and so is old
    """

    channel: str = ""
    retained: bool = False


class Link(Struct, frozen=True):
    """Message of a transport that its link has come up or gone down.

    Attributes:
        up: packets can be sent from now on; otherwise what is sent is dropped until it comes up again
        reason: why it went down, for people
    """

    up: bool
    reason: str = ""


class HeldLink(Link, frozen=True):
    """Message of a bridge that it holds a link, which may be up or not: nothing passes until the release.

    Attributes:
        unseen: time for which nobody has controlled what is at the other end, and which no clock shows (s): a robot
            without a watchdog of its own has gone on with what it did
    """

    unseen: float = 0.0


class LostLink(Link, frozen=True):
    """Message of a bridge that a link is given up for the rest of the run.

    `reason` is the rest of a sentence that begins with what is at the other end, and says what to do about it.
    """


class Arrival(Struct, frozen=True):
    """What came in: a packet on a channel, or a link message, which concerns all channels.

    Attributes:
        channel: a topic, where the transport has such; otherwise empty
        content: what came
    """

    channel: str
    content: Packet | Link


Arrived: TypeAlias = Callable[[Arrival], None]
"""Called by a transport, in a thread of its own, with each arrival in its order; it may hold the caller up for a while,
and the transport then slows its sender down where it can."""


class Counts(Struct):
    """How many packets a transport has sent, received, and dropped because the link was down or stopped up."""

    sent: int = 0
    received: int = 0
    dropped: int = 0


class Transport(ABC):
    """Carries packets, in order and unchanged, while its link is up; comes back by itself when it was lost.

    What is sent while the link is down is dropped and counted, never kept: an old command must not move a robot later.
    Streams (serial, TCP) do not keep the boundaries of packets; they have one channel, the empty one.

    Attributes:
        address: where it leads, as a URL, for people
        counts: what has been carried
        is_stream: whether it keeps no boundaries of packets
    """

    address: str
    counts: Counts
    is_stream: bool = False

    @abstractmethod
    def listen(self, channel: str) -> None:
        """Have packets of one more channel arrive; may be called before and after `open`."""

    @abstractmethod
    def open(self, arrived: Arrived) -> None:
        """Begin to connect, and return; ``Link(up=True)`` arrives when the link is there, perhaps at once.

        Args:
            arrived: gets all that comes in, until `close`
        """

    @abstractmethod
    def send(self, channel: str, data: bytes) -> None:
        """Send a packet, or drop it if the link is down; never waits and never raises for a fault of the link.

        A peer that does not take what is sent, up to a bound, has lost its link.
        """

    def post(self, post: Post) -> None:
        """Send a packet on the channel that it names; who keeps no packets for later does not keep this one either."""
        self.send(post.channel, post.data)

    @abstractmethod
    def flush(self, timeout: float) -> None:
        """Wait until what was sent has left, but not longer than `timeout` (s of real time)."""

    @abstractmethod
    def close(self, timeout: float = 1.0) -> None:
        """Send what is still queued, within `timeout` (s of real time), and end; a second call does nothing.

        When it returns nothing arrives any more, and no thread of the transport runs.
        """


class Loopback(Transport):
    """One end of a link inside this process: what one end sends arrives at the other at once, in the caller's thread.

    ``here, there = Loopback.pair()`` makes both ends.

    Args:
        address: for people
    """

    def __init__(self, address: str = "loopback:") -> None:
        self.address = address
        self.counts = Counts()
        self.peer: Loopback | None = None
        self._arrived: Arrived | None = None
        self._channels: set[str] = set()
        self._up = False

    @classmethod
    def pair(cls, address: str = "loopback:") -> tuple[Loopback, Loopback]:
        """Two ends of one link; it is up while both are open."""
        here, there = cls(address), cls(address)
        here.peer, there.peer = there, here
        return here, there

    def listen(self, channel: str) -> None:
        """Have packets of one more channel arrive."""
        self._channels.add(channel)

    def open(self, arrived: Arrived) -> None:
        """Open this end; both ends learn of the link when both are open."""
        self._arrived = arrived
        if self.peer is not None and self.peer._arrived is not None:
            self.mend()

    def send(self, channel: str, data: bytes) -> None:
        """Hand a packet to the other end, if it listens to the channel."""
        if not self._up or self.peer is None:
            self.counts.dropped += 1
            return
        self.counts.sent += 1
        self.peer._take(channel, data)

    def flush(self, timeout: float) -> None:
        """Nothing to wait for."""

    def cut(self, reason: str = "the link was cut") -> None:
        """Take the link down, as when a cable is pulled."""
        self._tell(Link(up=False, reason=reason))

    def mend(self) -> None:
        """Bring the link up (again)."""
        self._tell(Link(up=True))

    def close(self, timeout: float = 1.0) -> None:
        """Close this end; the other one learns that the link is down."""
        if self._arrived is not None:
            self._arrived = None
            self.cut("the other end was closed")

    def _take(self, channel: str, data: bytes) -> None:
        if self._arrived is not None and channel in self._channels:
            self.counts.received += 1
            self._arrived(Arrival(channel, Packet(data)))

    def _tell(self, link: Link) -> None:
        for end in (self, self.peer):
            if end is not None and end._up != link.up:
                end._up = link.up
                if end._arrived is not None:
                    end._arrived(Arrival("", link))
