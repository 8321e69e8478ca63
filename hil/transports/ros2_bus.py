"""What DDS and zenoh have in common for ROS 2: publishers and subscriptions of bytes (CDR), and who else is there."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from threading import RLock

from msgspec import Struct

from devs_robotics.hil.protocols.ros2.graph import Ros2Endpoint
from devs_robotics.hil.transports.receiver import reason_of, show


class Quality(Struct, frozen=True):
    """Quality of service (QoS) of a publisher or a subscription.

    What is read best effort and volatile, and written reliably, always matches what others want.

    Attributes:
        reliable: whether what is lost on the way is sent again
        latched: whether those who come later are told the last messages (transient local)
        depth: number of messages that are kept
    """

    reliable: bool = True
    latched: bool = False
    depth: int = 10


READ = Quality(reliable=False, depth=10)
"""Matches every publisher."""

LATCHED = Quality(reliable=True, latched=True, depth=100)
"""Of what is told to those who come late, such as static transforms."""

COMMAND = Quality(reliable=True, depth=1)
"""Of velocity commands: what is held up on the way is replaced by the next one."""

EQUIPMENT = Quality(reliable=True, depth=100)
"""Of what equipment of a robot's own is asked, and tells: nothing may be lost on the way."""

MOST_ENDPOINTS = 10_000
"""Number of endpoints of others above which no more are known."""

Mismatch = Callable[[str], None]
"""Told when somebody of the topic cannot be heard or told for another quality of service: the policy's name."""


def node_name() -> str:
    """What the node is called that the endpoints of this process belong to: no other process has one of the name."""
    return f"devs_robotics_{os.getpid()}"


class Publisher(ABC):
    """Sends the messages of one topic."""

    key: str
    """Identifies it among the endpoints of the graph."""

    @abstractmethod
    def send(self, data: bytes) -> bool:
        """Send a message; returns whether it was taken. May be called by any thread."""

    def flush(self, timeout: float) -> None:  # noqa: B027
        """Wait until those who listen have got what was sent, but not longer than `timeout` (s)."""

    @abstractmethod
    def close(self) -> None:
        """Publish no more; a second call does nothing."""


class Subscription(ABC):
    """Gets the messages of one topic, until it is closed."""

    key: str
    """Identifies it among the endpoints of the graph."""

    @abstractmethod
    def close(self) -> None:
        """Hear no more; a second call does nothing."""


class Ros2Bus(ABC):
    """Publishers and subscriptions of one process, and the graph of all others.

    Attributes:
        note: what may be why somebody is not heard, for people; mostly empty
        fault: why it has failed in a thread of its own, and is of no use any more; empty while it has not
    """

    note: str = ""

    def __init__(self) -> None:
        self._lock = RLock()
        self._watching: list[Callable[[], None]] = []
        self.fault = ""

    @abstractmethod
    def publish(self, topic: str, kind: str, quality: Quality, mismatch: Mismatch | None = None) -> Publisher:
        """A publisher of a topic (full name) and a type, such as ``geometry_msgs/msg/Twist``."""

    @abstractmethod
    def subscribe(
        self,
        topic: str,
        kind: str,
        heard: Callable[[bytes], None],
        quality: Quality = READ,
        mismatch: Mismatch | None = None,
    ) -> Subscription:
        """A subscription to a topic (full name) of a type; `heard` is called in a thread of the middleware."""

    def fail(self, error: Exception) -> None:
        """Something has failed in a thread of its own: who watches is told, and if nobody does, the user is."""
        with self._lock:
            self.fault = self.fault or reason_of(error)
            watching = list(self._watching)
        for call in watching:
            call()
        if not watching:
            show(error)

    def watch(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have it told, in any thread, that `endpoints` are others now, or it has failed; returns what ends that."""
        with self._lock:
            self._watching.append(changed)

        def end() -> None:
            with self._lock:
                if changed in self._watching:
                    self._watching.remove(changed)

        return end

    @abstractmethod
    def endpoints(self) -> Sequence[Ros2Endpoint]:
        """Publishers and subscriptions of topics that are known of, those of this process included."""

    @abstractmethod
    def close(self) -> None:
        """Leave; whoever shares the bus leaves it for himself."""
