"""The link to a tracking system of ROS 2: topics with transforms or poses, by DDS or zenoh."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from devs_robotics.hil.addresses import Ros2Address
from devs_robotics.hil.protocols.ros2.fixes import FixTopic
from devs_robotics.hil.protocols.ros2.packets import pack
from devs_robotics.hil.transports.receiver import Receiver
from devs_robotics.hil.transports.ros2_bus import LATCHED, Quality, Ros2Bus
from devs_robotics.hil.transports.ros2_bus_link import Ros2BusLink

HEARD = Quality(reliable=False, depth=100)
"""Of the rest: many robots publish transforms on one topic."""


class Ros2FixLink(Ros2BusLink):
    """Hears some topics. It is up while somebody publishes one of them; nothing is sent.

    A packet is the name of a topic, NUL and bytes (`protocols.ros2.packets`).

    Args:
        address: of the domain, or of the router
        topics: that are heard

    Raises:
        Ros2Error: what it needs is not installed
    """

    def __init__(self, address: Ros2Address, topics: Sequence[FixTopic]) -> None:
        super().__init__(address)
        self._topics = tuple(topics)
        self._up = False

    def send(self, channel: str, data: bytes) -> None:
        """Drop it: a tracking system is told nothing."""
        self.counts.dropped += 1

    def flush(self, timeout: float) -> None:
        """Nothing to wait for."""

    # in the thread of the link

    def _subscribe(self, bus: Ros2Bus, receiver: Receiver) -> None:
        for topic in self._topics:
            quality, heard = LATCHED if topic.latched else HEARD, self._hearing(topic.name, receiver)
            for kind in topic.kinds:
                self._subscriptions.append(bus.subscribe(topic.name, kind, heard, quality))

    def _hearing(self, topic: str, receiver: Receiver) -> Callable[[bytes], None]:
        def heard(data: bytes) -> None:
            self._hand_on(receiver, pack(topic, data))

        return heard

    def _left(self) -> None:
        self._up = False

    def _look(self, bus: Ros2Bus, receiver: Receiver) -> None:
        """See whether anybody publishes, and tell when that has changed."""
        wanted = {(topic.name, kind) for topic in self._topics for kind in topic.kinds if not topic.latched}
        writers = [each for each in bus.endpoints() if each.writes]
        up = self._bridged or any((each.topic, each.type) in wanted for each in writers)
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
        remedy = "start what localises the robots, or correct the address"
        return f"nobody publishes {' or '.join(names[:3])} {self._where}: {remedy}"
