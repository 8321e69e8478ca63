"""Links to an MQTT broker: one client a robot, and one for the tracking system."""

from __future__ import annotations

import secrets
import socket
import ssl
from collections.abc import Callable
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from devs_robotics.errors import DevsRoboticsError
from hil.addresses import parse_mqtt
from hil.lab.timekeeper import Timekeeper

KEEPALIVE = 5
"""A broker that has been silent for this time (s) is asked for a sign of life."""

RETRY = 1
"""Time between two attempts to connect (s)."""

ENOUGH = 2
"""A broker that was out of reach so many times cannot be reached."""


class MqttLink:
    """A client of a broker with a thread of its own, which connects (again) by itself.

    Args:
        address: MQTT address
        timekeeper: in whose thread the following are called
        received: gets each message, retained ones excepted
        lost: told when the connection was lost
        listen: topic that is subscribed to, below the address's prefix; None for none
        will: topic below the prefix, and message, that the broker publishes when it has lost the client

    Attributes:
        address: for people
        prefix: of the topics

    Raises:
        AddressError: the address is not that of a broker
        DevsRoboticsError: its `cafile` cannot be used
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
        self.prefix = at.prefix
        self._timekeeper = timekeeper
        self._received = received
        self._lost = lost
        self._listen = listen
        self._will = will
        self._up = False
        self._refused = ""
        self._failures = 0
        self._client = Client(
            CallbackAPIVersion.VERSION2, client_id=f"stand-in-{secrets.token_hex(8)}", clean_session=True
        )
        self._client.connect_timeout = 2.0
        self._client.reconnect_delay_set(min_delay=RETRY, max_delay=RETRY)
        if at.user:
            self._client.username_pw_set(at.user, at.password)
        if at.tls:
            self._client.tls_set_context(_tls(self.address, at.cafile))
        if will is not None:
            self._client.will_set(self._topic(will[0]), will[1])
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message
        self._client.on_socket_open = _no_delay
        self._client.connect_async(at.host, at.port, KEEPALIVE)

    def start(self) -> None:
        """Begin to connect."""
        self._client.loop_start()

    @property
    def up(self) -> bool:
        """Whether it is connected, and hears its topic."""
        return self._up

    @property
    def failed(self) -> bool:
        """Whether its attempts to connect are in vain, as far as one can tell."""
        return not self._up and (self._failures >= ENOUGH or bool(self._refused))

    def fault(self) -> str:
        """What to say when it is not up."""
        if self._refused:
            return f"the broker of {self.address} refuses the connection ({self._refused}): check user and password"
        return f"the broker of {self.address} cannot be reached: start it, or correct the address"

    def publish(self, topic: str, data: bytes) -> None:
        """Publish below the prefix; dropped while the link is down."""
        if self._up:
            self._client.publish(self._topic(topic), data)

    def leave(self) -> None:
        """Say the last will, and begin to end."""
        if self._up and self._will is not None:
            self._client.publish(self._topic(self._will[0]), self._will[1])
        self._client.disconnect()

    def stop(self) -> None:
        """Wait for the end."""
        self._client.loop_stop()

    def _topic(self, topic: str) -> str:
        return "/".join(part for part in (self.prefix, topic) if part)

    # called by paho, in its thread

    def _on_connect(
        self, client: Client, _user: Any, _flags: ConnectFlags, code: ReasonCode, _properties: Properties | None
    ) -> None:
        self._refused = str(code) if code.is_failure else ""
        if code.is_failure:
            return
        if self._listen is None:
            self._up = True
        else:
            client.subscribe(self._topic(self._listen))

    def _on_connect_fail(self, _client: Client, _user: Any) -> None:
        self._failures += 1

    def _on_subscribe(
        self, _client: Client, _user: Any, _number: int, codes: list[ReasonCode], _properties: Properties | None
    ) -> None:
        self._up = not any(code.is_failure for code in codes)

    def _on_disconnect(
        self, _client: Client, _user: Any, _flags: DisconnectFlags, _code: ReasonCode, _properties: Properties | None
    ) -> None:
        self._up = False
        self._timekeeper.act_soon(self._lost)

    def _on_message(self, _client: Client, _user: Any, message: MQTTMessage) -> None:
        if not message.retain:
            data = bytes(message.payload)
            self._timekeeper.act_soon(lambda: self._received(data))


def _tls(address: str, cafile: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=cafile or None)
    except OSError as error:
        raise DevsRoboticsError(f"the cafile of {address} cannot be used ({error}): it must hold PEM") from error


def _no_delay(_client: Client, _user: Any, connection: Any) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
