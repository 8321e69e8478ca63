"""Links to an MQTT broker: one client per robot, and one for the tracking system."""

from __future__ import annotations

from collections.abc import Callable

from devs_robotics.core.realtime.transport import Arrival, Link
from devs_robotics.hil.addresses import parse_mqtt
from devs_robotics.hil.lab.timekeeper import Timekeeper
from devs_robotics.hil.transports.mqtt import Mqtt, Will


class MqttLink:
    """A client of a broker with a thread of its own, which connects (again) by itself.

    Args:
        address: MQTT address
        timekeeper: in whose thread the following are called
        received: gets each message
        lost: told when the connection was lost
        listen: topic that is subscribed to, below the address's prefix; None for none
        will: topic below the prefix, and message, that the broker publishes when it has lost the client, and the client
            itself when it leaves

    Attributes:
        address: for people
        up: whether it is connected, and hears its topic
        trouble: why it is not; empty as long as that is not known

    Raises:
        AddressError: the address is not that of a broker, or its `cafile` cannot be used
    """

    def __init__(
        self,
        address: str,
        timekeeper: Timekeeper,
        received: Callable[[bytes], None] = lambda _data: None,
        lost: Callable[[], None] = lambda: None,
        listen: str | None = None,
        will: tuple[str, bytes] | None = None,
    ) -> None:
        at = parse_mqtt(address)
        self.address = str(at)
        self.up = False
        self.trouble = ""
        self._prefix = at.prefix
        self._timekeeper = timekeeper
        self._received = received
        self._lost = lost
        self._will = None if will is None else Will(self._topic(will[0]), will[1])
        self._client = Mqtt(at, will=self._will)
        if listen is not None:
            self._client.listen(self._topic(listen))

    def start(self) -> None:
        """Begin to connect."""
        self._client.open(self._arrived)

    def publish(self, topic: str, data: bytes) -> None:
        """Publish below the prefix; dropped while the link is down."""
        self._client.send(self._topic(topic), data)

    def leave(self) -> None:
        """Say the last will, and end."""
        if self._will is not None:
            self._client.send(self._will.topic, self._will.data)
        self._client.close()

    def _topic(self, topic: str) -> str:
        return "/".join(part for part in (self._prefix, topic) if part)

    def _arrived(self, arrival: Arrival) -> None:
        """Called in the client's thread."""
        content = arrival.content
        if isinstance(content, Link):
            was_up, self.up, self.trouble = self.up, content.up, content.reason
            if was_up and not content.up:
                self._timekeeper.act_soon(self._lost)
        else:
            self._timekeeper.act_soon(lambda: self._received(content.data))
