"""MQTT: one client, many channels (topics), all at QoS 0: what is late must not arrive at all.

The broker keeps nothing but what is posted for it to keep; what it has kept does not arrive here.
"""

from __future__ import annotations

import secrets
import socket
import ssl
import time
from collections import deque
from threading import Event, Lock, Thread
from typing import Any

from msgspec import Struct

from devs_robotics.core.extras import needed
from devs_robotics.core.realtime.transport import Arrived, Counts, Post, Transport
from devs_robotics.hil.addresses import AddressError, MqttAddress, parse_mqtt
from devs_robotics.hil.transports.backoff import Backoff
from devs_robotics.hil.transports.receiver import Receiver, reason_of
from devs_robotics.hil.transports.sockets import acknowledge, notice_death, prompt

with needed("MQTT needs"):
    from paho.mqtt.client import Client, ConnectFlags, MQTTMessage, MQTTMessageInfo
    from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

KEEPALIVE = 5
"""Half of the silence after which a broker is lost (s); a broker misses a client after one and a half times this."""

CONNECT_TIMEOUT = 2.0
"""Longest time in which a broker takes a connection (s); after it, the attempt has failed."""

ANSWER = 10.0
"""Longest time in which a broker acknowledges a connection and subscriptions (s); after it, it is no MQTT broker."""

GRACE = 0.5
"""Longest time for the thread to end once its connection is gone (s); after it, it is not waited for."""

STALL = 1.0
"""Time for which a packet waits for the system to take it (s) above which the link is lost."""

PACE = 0.005
"""Time between two looks at whether all is sent (s)."""

OUTBOX = 1 << 22
"""Size of what waits to be sent above which packets are dropped (bytes)."""

OVERHEAD = 1 << 10
"""Size of what paho keeps with each packet that waits (bytes)."""

LARGEST = 1 << 20
"""Largest size of a packet that comes in (bytes); a larger one is dropped."""

SUCCESS = MQTTErrorCode.MQTT_ERR_SUCCESS


class Will(Struct, frozen=True):
    """A Last Will: what the broker publishes when it has lost this client.

    Attributes:
        retained: whether it keeps it; if it is empty, it keeps no more what it kept on that topic
    """

    topic: str
    data: bytes
    retained: bool = False


class Mqtt(Transport):
    """A client of an MQTT broker (3.1.1); it subscribes to its channels each time it has (re)connected.

    The link is up when the broker has acknowledged all subscriptions. When it is down, the reason is told once, and
    again when it has become another one. Whatever is raised in its thread, by paho or by the receiver, is a lost link
    too. Retained messages, which are old ones, are dropped.

    Args:
        address: of the broker; its prefix is not used: channels are whole topics
        will: told by the broker when the connection was lost, but not after `close`
        client_id: must be its own at the broker; chosen at random if empty
        outbox: how much may wait to be sent (bytes)

    Raises:
        AddressError: the address is none of a broker, or its `cafile` cannot be used
    """

    def __init__(
        self, address: MqttAddress | str, *, will: Will | None = None, client_id: str = "", outbox: int = OUTBOX
    ) -> None:
        self._at = parse_mqtt(address) if isinstance(address, str) else address
        self.address = str(self._at.broker)
        self.counts = Counts()
        self._will = will
        self._client_id = client_id or f"devs-{secrets.token_hex(8)}"
        self._outbox_size = outbox
        self._tls = _tls(self._at) if self._at.tls else None
        self._channels: dict[str, None] = {}
        self._lock = Lock()
        self._outbox: deque[tuple[MQTTMessageInfo, int, float]] = deque()
        self._waiting = 0
        self._up = False
        self._connected = False
        self._subscription: int | None = None
        self._fault = ""
        self._closing = Event()
        self._client: Client | None = None
        self._thread: Thread | None = None

    def listen(self, channel: str) -> None:
        """Subscribe to one more topic."""
        with self._lock:
            if channel not in self._channels:
                self._channels[channel] = None
                if self._connected and self._client is not None:
                    self._client.subscribe(channel, 0)

    def open(self, arrived: Arrived) -> None:
        """Begin to connect."""
        receiver = Receiver(arrived, self._closing)
        self._client = client = self._new_client(receiver)
        self._thread = Thread(target=self._run, args=(client, receiver), name=f"mqtt {self.address}", daemon=True)
        self._thread.start()

    def send(self, channel: str, data: bytes) -> None:
        """Publish a packet to a topic."""
        self.post(Post(data, channel))

    def post(self, post: Post) -> None:
        """Publish a packet to the topic that it names, for the broker to keep it if it says so."""
        data = post.data
        with self._lock:
            if not self._up or self._client is None or not self._has_room(len(data) + OVERHEAD):
                self.counts.dropped += 1
                return
            info = self._client.publish(post.channel, data, qos=0, retain=post.retained)
            if info.rc != SUCCESS:
                self.counts.dropped += 1
                return
            self.counts.sent += 1
            self._waiting += len(data) + OVERHEAD
            self._outbox.append((info, len(data) + OVERHEAD, time.monotonic()))

    def flush(self, timeout: float) -> None:
        """Wait until what was queued is with the system."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            with self._lock:
                if all(info.is_published() for info, _, _ in self._outbox):
                    return
            self._closing.wait(PACE)

    def close(self, timeout: float = 1.0) -> None:
        """Send what is still queued, say goodbye, and end."""
        with self._lock:
            self._closing.set()
            self._up = False
            thread, client, self._thread = self._thread, self._client, None
        if thread is None or client is None:
            return
        client.disconnect()
        thread.join(timeout)
        _cut(client)
        # a thread that outlasts this is held up by the receiver of its arrivals, and is not heard any more
        thread.join(CONNECT_TIMEOUT if client.socket() is None else GRACE)

    # within a lock

    def _has_room(self, size: int) -> bool:
        """Whether a packet may be queued; if it may not, the link is given up."""
        while self._outbox and self._outbox[0][0].is_published():
            self._waiting -= self._outbox.popleft()[1]
        stalled = bool(self._outbox) and time.monotonic() - self._outbox[0][2] > STALL
        if not stalled and self._waiting + size <= self._outbox_size:
            return True
        self._give_up(f"the broker {self.address} does not take what is sent: its machine or the network is too slow")
        return False

    def _give_up(self, reason: str) -> None:
        """Have the thread end this connection, and try another."""
        self._up = False
        self._fault = reason
        if self._client is not None:
            _cut(self._client)

    # in the thread

    def _run(self, client: Client, receiver: Receiver) -> None:
        backoff = Backoff()
        while not self._closing.is_set():
            self._fault = ""
            try:
                reason = self._connect(client) or self._serve(client, backoff)
            except Exception as error:  # of paho, which does not expect everything, or of the receiver
                reason = f"the connection to the broker {self.address} was lost ({reason_of(error)})"
                _cut(client)
            self._down()
            receiver.down(self._fault or reason)
            self._closing.wait(backoff.lost())
        with self._lock:
            self._client = None  # it closes the sockets by which it wakes itself when nobody refers to it

    def _connect(self, client: Client) -> str:
        """Connect; returns why it did not succeed."""
        try:
            client.reconnect()
        except ssl.SSLCertVerificationError as error:
            return (
                f"the broker {self.address} shows a certificate that is not trusted ({error.verify_message}): "
                "name the certificate that signed it in the address, with cafile=FILE"
            )
        except OSError as error:
            why = error.strerror or str(error)
            return f"the broker {self.address} cannot be reached ({why}): start it, or correct the address"
        return ""

    def _serve(self, client: Client, backoff: Backoff) -> str:
        """Carry packets until the connection ends; returns why it did."""
        if self._closing.is_set():
            client.disconnect()
        up, began = False, time.monotonic()
        while (code := client.loop(1.0)) == SUCCESS:
            connection = client.socket()
            if isinstance(connection, socket.socket):
                acknowledge(connection)
            if self._up and not up:
                backoff.up()
                up = True
            if not up and time.monotonic() - began > ANSWER:
                break
        if up:
            why = " (it sent what is not MQTT)" if code == MQTTErrorCode.MQTT_ERR_PROTOCOL else ""
            return f"the connection to the broker {self.address} was lost{why}"
        _cut(client)
        what = "ends the connection at once" if time.monotonic() - began < KEEPALIVE - 1 else "does not answer"
        return f"the broker {self.address} {what}: see whether an MQTT broker listens there"

    def _down(self) -> None:
        """What waits to be sent is lost."""
        with self._lock:
            self._up = self._connected = False
            self._subscription = None
            unsent = sum(not info.is_published() for info, _, _ in self._outbox)
            self.counts.sent -= unsent
            self.counts.dropped += unsent
            self._outbox.clear()
            self._waiting = 0

    def _rise(self, receiver: Receiver) -> None:
        with self._lock:
            self._up = not self._closing.is_set()
        receiver.up()

    # called by paho, in the thread

    def _new_client(self, receiver: Receiver) -> Client:
        client = Client(
            CallbackAPIVersion.VERSION2, client_id=self._client_id, clean_session=True, reconnect_on_failure=False
        )
        client.connect_timeout = CONNECT_TIMEOUT
        if self._at.user:
            client.username_pw_set(self._at.user, self._at.password)
        if self._tls is not None:
            client.tls_set_context(self._tls)
        if self._will is not None:
            client.will_set(self._will.topic, self._will.data, qos=0, retain=self._will.retained)
        client.user_data_set(receiver)
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_message = self._on_message
        client.on_socket_open = _prepare
        # where this is set, paho leaves all writing to the thread
        client.on_socket_register_write = lambda *_: None
        client.connect_async(self._at.host, self._at.port, KEEPALIVE)
        return client

    def _on_connect(
        self, client: Client, receiver: Receiver, _flags: ConnectFlags, code: ReasonCode, _properties: Properties | None
    ) -> None:
        if code.is_failure:
            remedy = ": check the user and the password in the address" if _about_credentials(code) else ""
            self._fault = f"the broker {self.address} refuses the connection ({code}){remedy}"
            return
        with self._lock:
            self._connected = True
            if self._channels:
                _, self._subscription = client.subscribe([(channel, 0) for channel in self._channels])
        if self._subscription is None:
            self._rise(receiver)

    def _on_subscribe(
        self, _client: Client, receiver: Receiver, number: int, codes: list[ReasonCode], _properties: Properties | None
    ) -> None:
        if any(code.is_failure for code in codes):
            with self._lock:
                self._give_up(f"the broker {self.address} refuses a subscription: allow this user to read its topics")
        elif number == self._subscription:
            self._subscription = None
            self._rise(receiver)

    def _on_message(self, _client: Client, receiver: Receiver, message: MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            topic = ""  # which none is
        if message.retain or len(message.payload) > LARGEST or not topic:
            with self._lock:
                self.counts.dropped += 1
            return
        self.counts.received += 1
        receiver.packet(topic, bytes(message.payload))


class _TlsSocket(ssl.SSLSocket):
    """Closes itself when the two sides do not agree, which paho forgets."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def _tls(address: MqttAddress) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=address.cafile or None)
    except OSError as error:
        raise AddressError(
            f"the address '{address}' names a cafile that cannot be used ({error.strerror or error}): "
            "it must hold certificates in PEM format"
        ) from error
    context.sslsocket_class = _TlsSocket
    return context


def _about_credentials(code: ReasonCode) -> bool:
    return code.getName() in ("Bad user name or password", "Not authorized")


def _prepare(_client: Client, _user: Any, connection: Any) -> None:
    prompt(connection)
    notice_death(connection)


def _cut(client: Client) -> None:
    """End the client's connection from another thread."""
    connection = client.socket()
    if isinstance(connection, socket.socket):
        try:
            # not the method of SSLSocket, which would take the encryption away from the thread that uses it
            socket.socket.shutdown(connection, socket.SHUT_RDWR)
        except OSError:
            return  # it has ended already
