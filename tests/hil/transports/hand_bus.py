"""A bus of ROS 2 whose other ends the test makes: who is there, what they say, and what does not match."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from devs_robotics.hil.protocols.ros2.graph import Ros2Endpoint
from devs_robotics.hil.transports.ros2_bus import READ, Mismatch, Publisher, Quality, Ros2Bus, Subscription


class HandPublisher(Publisher):
    """Notes what is sent.

    Attributes:
        topic, kind, quality, mismatch: as they were asked for
        sent: the messages
        takes: whether it takes any
        flushed: how long it was to wait, each time (s)
        closed: whether it was
    """

    def __init__(self, topic: str, kind: str, quality: Quality, mismatch: Mismatch | None) -> None:
        self.topic, self.kind, self.quality, self.mismatch = topic, kind, quality, mismatch
        self.key = f"our {kind} to {topic}"
        self.sent: list[bytes] = []
        self.takes = True
        self.flushed: list[float] = []
        self.closed = False

    def send(self, data: bytes) -> bool:
        if self.takes:
            self.sent.append(data)
        return self.takes

    def flush(self, timeout: float) -> None:
        self.flushed.append(timeout)

    def close(self) -> None:
        self.closed = True


class HandSubscription(Subscription):
    """Lets the test say what is heard, by `heard`.

    Attributes:
        topic, kind, heard, quality, mismatch: as they were asked for
        closed: whether it was
        fault: what is raised when it is closed
    """

    def __init__(
        self, topic: str, kind: str, heard: Callable[[bytes], None], quality: Quality, mismatch: Mismatch | None
    ) -> None:
        self.topic, self.kind, self.heard, self.quality, self.mismatch = topic, kind, heard, quality, mismatch
        self.key = f"our {kind} from {topic}"
        self.closed = False
        self.fault: Exception | None = None

    def close(self) -> None:
        self.closed = True
        if self.fault is not None:
            raise self.fault


class HandBus(Ros2Bus):
    """A bus on which others are whom the test names.

    Attributes:
        others: their endpoints
        publishers, subscriptions: all that were made, in order
        closed: whether it was
    """

    def __init__(self) -> None:
        super().__init__()
        self.others: list[Ros2Endpoint] = []
        self.publishers: list[HandPublisher] = []
        self.subscriptions: list[HandSubscription] = []
        self.closed = False

    def publish(self, topic: str, kind: str, quality: Quality, mismatch: Mismatch | None = None) -> HandPublisher:
        self.publishers.append(HandPublisher(topic, kind, quality, mismatch))
        return self.publishers[-1]

    def subscribe(
        self,
        topic: str,
        kind: str,
        heard: Callable[[bytes], None],
        quality: Quality = READ,
        mismatch: Mismatch | None = None,
    ) -> HandSubscription:
        self.subscriptions.append(HandSubscription(topic, kind, heard, quality, mismatch))
        return self.subscriptions[-1]

    def endpoints(self) -> Sequence[Ros2Endpoint]:
        """Others, and our own, as a middleware tells them."""
        own = [(each, True) for each in self.publishers if not each.closed]
        own += [(each, False) for each in self.subscriptions if not each.closed]  # type: ignore[misc]
        return [
            *self.others,
            *(
                Ros2Endpoint(
                    key=each.key, topic=each.topic, type=each.kind, writes=writes, participant="us", node="/us"
                )
                for each, writes in own
            ),
        ]

    def close(self) -> None:
        self.closed = True

    def to(self, topic: str) -> HandPublisher:
        """The publisher of a topic that is open."""
        (found,) = [each for each in self.publishers if each.topic == topic and not each.closed]
        return found

    def of(self, topic: str, kind: str = "") -> HandSubscription:
        """The subscription to a topic that is open."""
        (found,) = [
            each
            for each in self.subscriptions
            if each.topic == topic and each.kind in (kind or each.kind) and not each.closed
        ]
        return found

    def change(self) -> None:
        """Tell those who watch that others are there."""
        for changed in list(self._watching):
            changed()

    @property
    def watched(self) -> int:
        """By how many."""
        return len(self._watching)


def endpoint(topic: str, kind: str, *, writes: bool, by: str = "base", latched: bool = False) -> Ros2Endpoint:
    """An endpoint of a node; one `by` nobody has no name."""
    return Ros2Endpoint(
        key=f"{by} {writes} {topic} {kind}",
        topic=topic,
        type=kind,
        writes=writes,
        participant=by,
        node=f"/{by}" if by else "",
        latched=latched,
    )
