"""The link to a tracking system of ROS 2: topics with transforms or poses, by DDS or zenoh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event, Thread

from devs_robotics.core.realtime.transport import Arrived, Counts, Transport
from devs_robotics.hil.addresses import Ros2Address
from devs_robotics.hil.protocols.ros2.fixes import FixTopic
from devs_robotics.hil.protocols.ros2.packets import pack
from devs_robotics.hil.protocols.ros2.type_store import Ros2Error
from devs_robotics.hil.transports.backoff import Backoff
from devs_robotics.hil.transports.receiver import Receiver, reason_of
from devs_robotics.hil.transports.ros2_bus import Quality, Ros2Bus, Subscription
from devs_robotics.hil.transports.ros2_link import bus_at

LOOK = 1.0
"""Longest time between two looks at who is there (s)."""

LATCHED = Quality(reliable=True, latched=True, depth=100)
"""Of what is told to those who come late."""

HEARD = Quality(reliable=False, depth=100)
"""Of the rest: many robots publish transforms on one topic."""


class Ros2FixLink(Transport):
    """Hears some topics. It is up while somebody publishes one of them; nothing is sent.

    A packet is the name of a topic, NUL and bytes (`protocols.ros2.packets`).

    Args:
        address: of the domain, or of the router
        topics: that are heard
    """

    def __init__(self, address: Ros2Address, topics: Sequence[FixTopic]) -> None:
        self.address = str(address)
        self.counts = Counts()
        self._at = address
        self._topics = tuple(topics)
        self._closing, self._changed = Event(), Event()
        self._thread: Thread | None = None
        self._up = False

    def listen(self, channel: str) -> None:
        """Nothing to do: there is one channel."""

    def open(self, arrived: Arrived) -> None:
        """Begin to hear."""
        receiver = Receiver(arrived, self._closing)
        self._thread = Thread(target=self._run, args=(receiver,), name=self.address, daemon=True)
        self._thread.start()

    def send(self, channel: str, data: bytes) -> None:
        """Drop it: a tracking system is told nothing."""
        self.counts.dropped += 1

    def flush(self, timeout: float) -> None:
        """Nothing to wait for."""

    def close(self, timeout: float = 1.0) -> None:
        """Hear no more."""
        self._closing.set()
        self._changed.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(timeout + LOOK)

    # in the thread of the link

    def _run(self, receiver: Receiver) -> None:
        backoff = Backoff()
        while not self._closing.is_set():
            try:
                bus = bus_at(self._at)
            except Exception as error:  # a library may raise more than it says
                receiver.down(str(error) if isinstance(error, Ros2Error) else reason_of(error))
                self._closing.wait(backoff.lost())
                continue
            subscriptions: list[Subscription] = []
            end = bus.watch(self._changed.set)
            try:
                subscriptions += self._subscribe(bus, receiver)
                while not self._closing.is_set():
                    self._look(bus, receiver)
                    self._changed.wait(LOOK)
                    self._changed.clear()
            except Exception as error:  # of the middleware, or of the receiver
                receiver.down(f"{self.address} was lost ({reason_of(error)})")
            finally:
                end()
                for each in subscriptions:
                    each.close()
                bus.close()
                self._up = False
            self._closing.wait(backoff.lost())

    def _subscribe(self, bus: Ros2Bus, receiver: Receiver) -> list[Subscription]:
        return [
            bus.subscribe(topic.name, kind, self._hearing(topic.name, receiver), LATCHED if topic.latched else HEARD)
            for topic in self._topics
            for kind in topic.kinds
        ]

    def _hearing(self, topic: str, receiver: Receiver) -> Callable[[bytes], None]:
        def heard(data: bytes) -> None:
            self.counts.received += 1
            receiver.packet("", pack(topic, data))

        return heard

    def _look(self, bus: Ros2Bus, receiver: Receiver) -> None:
        """See whether anybody publishes, and tell when that has changed."""
        wanted = {(topic.name, kind) for topic in self._topics for kind in topic.kinds if not topic.latched}
        writers = [each for each in bus.endpoints() if each.writes]
        up = self._at.option("bridge") != "" or any((each.topic, each.type) in wanted for each in writers)
        if up and not self._up:
            self._up = True
            receiver.up()
        elif not up:
            self._up = False
            receiver.down(self._why_not({each.topic: each.type for each in writers}))

    def _why_not(self, others: dict[str, str]) -> str:
        names = [topic.name for topic in self._topics if not topic.latched]
        for topic in self._topics:
            if topic.name in others and others[topic.name] not in topic.kinds:
                return f"{topic.name} has the type {others[topic.name]}, and not {' or '.join(topic.kinds)}"
        at = self._at
        where = f"by the router {at.host}:{at.port} in domain {at.domain}" if at.host else f"in domain {at.domain}"
        remedy = "start what localises the robots, or correct the address"
        return f"nobody publishes {' or '.join(names[:3])} {where}: {remedy}"
