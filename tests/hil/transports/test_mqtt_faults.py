"""A broker that goes wrong, and a receiver that does: a lost link with its reason, and never silence."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest
from paho.mqtt.client import Client, MQTTMessageInfo
from paho.mqtt.enums import MQTTErrorCode

from devs_robotics.core.realtime.transport import Arrival, Link, Packet
from devs_robotics.hil.transports import mqtt
from devs_robotics.hil.transports.backoff import Backoff
from devs_robotics.hil.transports.mqtt import OUTBOX, OVERHEAD, Mqtt
from tests.hil.transports.inbox import PATIENCE, Inbox
from tests.hil.transports.test_stream import Failing
from tests.real_components import free_port

CONNACK = b"\x20\x02\x00\x00"
SUBACK = b"\x90\x03"


class Broker:
    """As much of a broker as a client needs to come up; the test says what follows."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._server = stack.enter_context(socket.create_server(("127.0.0.1", free_port())))
        self._server.settimeout(PATIENCE)
        self.address = f"mqtt://127.0.0.1:{self._server.getsockname()[1]}"

    def accept(self, *, acknowledges: bool = True) -> socket.socket:
        """The next connection, of a client of one channel."""
        connection, number = self.subscribed()
        if acknowledges:
            connection.sendall(SUBACK + number + b"\x00")
        return connection

    def subscribed(self) -> tuple[socket.socket, bytes]:
        """The next connection, and the number of its subscription, which is not acknowledged."""
        connection, _ = self._server.accept()
        self._stack.enter_context(connection)
        connection.settimeout(PATIENCE)
        assert connection.recv(1000)[0] == 0x10
        connection.sendall(CONNACK)
        subscribe = connection.recv(1000)
        assert subscribe[0] == 0x82
        return connection, subscribe[2:4]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def broker(stack: ExitStack) -> Broker:
    return Broker(stack)


def opened(
    stack: ExitStack, broker: Broker, inbox: Inbox | None = None, outbox: int = OUTBOX, channels: tuple[str, ...] = ()
) -> tuple[Mqtt, Inbox]:
    client, inbox = Mqtt(broker.address, outbox=outbox), inbox or Inbox()
    for channel in ("here", *channels):
        client.listen(channel)
    stack.callback(client.close)
    client.open(inbox)
    return client, inbox


def published(data: bytes) -> bytes:
    """A packet on the channel, at QoS 0."""
    return bytes([0x30, 6 + len(data)]) + b"\x00\x04here" + data


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(b"\x30\x01\x00", id="a topic's length cut off"),
        pytest.param(b"\x30\x00", id="an empty publication"),
        pytest.param(b"\x30\x02\x00\x05", id="a topic longer than its packet"),
        pytest.param(b"\x32\x03\x00\x01a", id="no number at QoS 1"),
        pytest.param(b"\x36\x05\x00\x01a\x00\x01", id="QoS 3"),
        pytest.param(b"\x90\x01\x00", id="half an acknowledgement"),
        pytest.param(b"\xb0\x00", id="an empty acknowledgement"),
        pytest.param(b"\x40\x01\x00", id="half a number"),
        pytest.param(b"\x00\x00", id="no kind of packet"),
        pytest.param(b"\x30\xff\xff\xff\xff\xff", id="an endless length"),
        pytest.param(published(b"x")[:-3], id="half a packet and then the end"),
        pytest.param(1000 * published(b"x") + b"\x30\x01\x00", id="after a flood"),
    ],
)
def test_a_malformed_packet_is_a_lost_link_with_a_reason_and_the_link_comes_back(
    words: bytes, broker: Broker, stack: ExitStack
) -> None:
    client, inbox = opened(stack, broker)
    with broker.accept() as connection:
        inbox.wait_for_link(up=True)
        connection.sendall(words)
        connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            while connection.recv(1000):
                pass
    link = inbox.wait_for_link(up=False)
    assert link.reason.startswith(f"the connection to the broker {broker.address} was lost")
    dropped = client.counts.dropped
    client.send("there", b"an old command")
    assert client.counts.dropped == dropped + 1
    with broker.accept() as connection:
        inbox.wait_for_link(up=True, after=2)
        connection.sendall(published(b"again"))
        inbox.wait_for(lambda: inbox.has(b"again"))
    assert inbox.packets == words.count(published(b"x")) * [b"x"] + [b"again"]


def test_what_is_not_mqtt_is_told_as_such(broker: Broker, stack: ExitStack) -> None:
    _, inbox = opened(stack, broker)
    with broker.accept() as connection:
        inbox.wait_for_link(up=True)
        connection.sendall(b"\x00\x00")
        assert inbox.wait_for_link(up=False).reason.endswith("was lost (it sent what is not MQTT)")


def test_whatever_paho_raises_is_a_lost_link_with_its_reason(
    broker: Broker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, inbox, faults = Client.loop, Inbox(), [IndexError("index out of range")]

    def loop(client: Client, timeout: float = 1.0) -> MQTTErrorCode:
        if inbox.packets and faults:
            raise faults.pop()
        return whole(client, timeout)

    monkeypatch.setattr(Client, "loop", loop)
    opened(stack, broker, inbox)
    with broker.accept() as connection:
        connection.sendall(published(b"x"))
        reason = inbox.wait_for_link(up=False).reason
        assert reason.endswith("was lost (IndexError: index out of range)")
        assert connection.recv(1) == b""
    with broker.accept():
        inbox.wait_for_link(up=True, after=2)


@pytest.mark.parametrize("fault", [RuntimeError("no room"), SystemExit(3)], ids=repr)
@pytest.mark.parametrize("kind", [Packet, Link])
def test_a_receiver_that_fails_loses_the_link_with_a_reason(
    fault: BaseException, kind: type, broker: Broker, stack: ExitStack
) -> None:
    client, inbox = opened(stack, broker, Failing(fault, lambda arrival: isinstance(arrival.content, kind)))
    with broker.accept() as connection:
        with suppress(ConnectionError):
            connection.sendall(published(b"lost"))
        lost = inbox.wait_for_link(up=False)
        assert lost.reason == (
            f"the connection to the broker {client.address} was lost "
            f"(what came could not be handled here: {type(fault).__name__}: {fault})"
        )
    with broker.accept() as connection:
        inbox.wait_for_link(up=True, after=inbox.links.index(lost) + 1)
        connection.sendall(published(b"again"))
        inbox.wait_for(lambda: inbox.packets == [b"again"])


def test_a_receiver_that_fails_when_it_is_told_of_a_lost_link_is_told_of_the_next_one(
    broker: Broker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(arrival: Arrival) -> bool:
        return isinstance(arrival.content, Link) and not arrival.content.up

    shown: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", shown.append)
    _, inbox = opened(stack, broker, Failing(RuntimeError("never mind"), lost))
    broker.accept().close()
    with broker.accept():
        inbox.wait_for(lambda: inbox.links == [Link(up=True), Link(up=True)])
    assert "RuntimeError: never mind" in str(shown[0].exc_value)


@pytest.mark.parametrize("says", ["nothing", "half a packet"])
def test_a_broker_that_falls_silent_is_lost(
    says: str, broker: Broker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt, "KEEPALIVE", 1)
    _, inbox = opened(stack, broker)
    with broker.accept() as connection:
        inbox.wait_for_link(up=True)
        if says == "half a packet":
            connection.sendall(published(b"x")[:-3])
        assert "was lost" in inbox.wait_for_link(up=False).reason
    with broker.accept():
        inbox.wait_for_link(up=True, after=2)


def test_a_broker_that_does_not_acknowledge_the_channels_is_told_and_tried_again(
    broker: Broker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt, "ANSWER", 0.1)
    monkeypatch.setattr(mqtt, "KEEPALIVE", 1)
    client, inbox = opened(stack, broker)
    with broker.accept(acknowledges=False):
        client.send("there", b"too early")
        assert client.counts.dropped == 1
        assert inbox.wait_for_link(up=False).reason == (
            f"the broker {broker.address} does not answer: see whether an MQTT broker listens there"
        )
    with broker.accept():
        inbox.wait_for_link(up=True)
    assert not inbox.packets


def everything(connection: socket.socket) -> bytes:
    """What comes until the connection ends."""
    whole = bytearray()
    with suppress(ConnectionError):
        while data := connection.recv(1 << 16):
            whole += data
    return bytes(whole)


def test_what_waited_when_the_link_was_lost_is_never_sent_and_counts_as_dropped(
    broker: Broker, stack: ExitStack
) -> None:
    client, inbox = opened(stack, broker, outbox=500_000)
    connection = broker.accept()
    inbox.wait_for_link(up=True)
    packet, count = bytes(10_000), 0
    while client._up and count < 10_000:
        client.send("there", packet)
        count += 1
        for info, _, _ in list(client._outbox)[-1:]:  # so that packets wait for the system, and not for the thread
            info.wait_for_publish(0.01)
    reason = inbox.wait_for_link(up=False).reason
    assert "does not take what is sent: its machine or the network is too slow" in reason
    assert client.counts.sent + client.counts.dropped == count
    assert client.counts.dropped > 0.8 * 500_000 / (10_000 + OVERHEAD)
    # what the system had taken still arrives, and no more than that
    assert 0 <= len(everything(connection)) - client.counts.sent * (len(packet) + 10) < len(packet)
    sent, dropped = client.counts.sent, client.counts.dropped
    connection = broker.accept()
    inbox.wait_for_link(up=True, after=2)
    words = [bytes([number]) * 100_000 for number in range(4)]
    for each in words:
        client.send("there", each)
    client.close()
    heard = everything(connection)
    assert [heard.count(each) for each in words] == [1, 1, 1, 1]
    assert bytes(1000) not in heard[200_000:]
    assert (client.counts.sent, client.counts.dropped) == (sent + 4, dropped)


def test_many_small_packets_that_wait_are_bounded_too(broker: Broker, stack: ExitStack) -> None:
    client, inbox = opened(stack, broker, outbox=10 * OVERHEAD)
    broker.accept()
    inbox.wait_for_link(up=True)
    with client._lock:  # as long as nothing is written
        client._outbox.append((MQTTMessageInfo(1), 9 * OVERHEAD, time.monotonic()))
        client._waiting += 9 * OVERHEAD
    client.send("there", b"")
    assert client.counts.dropped == 0
    client.send("there", b"")
    assert "does not take what is sent" in inbox.wait_for_link(up=False).reason


def test_what_was_written_makes_room(broker: Broker, stack: ExitStack) -> None:
    client, inbox = opened(stack, broker, outbox=3 * OVERHEAD)
    connection = broker.accept()
    inbox.wait_for_link(up=True)
    for _ in range(20):
        client.send("here", b"x")
        assert connection.recv(100) == published(b"x")
        client._outbox[-1][0].wait_for_publish(PATIENCE)
    assert (client.counts.sent, client.counts.dropped) == (20, 0)


def test_a_packet_that_has_waited_for_too_long_is_a_lost_link(
    broker: Broker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, inbox = opened(stack, broker)
    broker.accept()
    inbox.wait_for_link(up=True)
    with client._lock:
        client._outbox.append((MQTTMessageInfo(1), OVERHEAD, time.monotonic() - 0.5 * mqtt.STALL))
    client.send("there", b"")
    assert client.counts.dropped == 0
    with client._lock:
        client._outbox.appendleft((MQTTMessageInfo(1), OVERHEAD, time.monotonic() - 1.1 * mqtt.STALL))
    client.send("there", b"")
    assert "does not take what is sent" in inbox.wait_for_link(up=False).reason


def test_the_link_is_up_when_its_own_subscription_is_acknowledged_and_no_other(
    broker: Broker, stack: ExitStack
) -> None:
    client, inbox = opened(stack, broker)
    connection, number = broker.subscribed()
    connection.sendall(SUBACK + bytes([number[0], number[1] ^ 0x80]) + b"\x00" + published(b"before"))
    inbox.wait_for(lambda: inbox.packets == [b"before"])
    assert inbox.links == []
    client.send("there", b"too early")
    assert client.counts.dropped == 1
    connection.sendall(SUBACK + number + b"\x00")
    inbox.wait_for_link(up=True)


def test_after_a_lost_link_nothing_is_sent_before_the_subscription_is_acknowledged_again(
    broker: Broker, stack: ExitStack
) -> None:
    client, inbox = opened(stack, broker)
    broker.accept().close()
    inbox.wait_for_link(up=False)
    connection, number = broker.subscribed()
    connection.sendall(published(b"before"))
    inbox.wait_for(lambda: inbox.packets == [b"before"])
    client.send("here", b"too early")
    assert (client.counts.sent, client.counts.dropped) == (0, 1)
    connection.sendall(SUBACK + number + b"\x00")
    inbox.wait_for_link(up=True, after=2)
    client.send("here", b"in time")
    assert connection.recv(100) == published(b"in time")


def test_one_subscription_that_is_refused_is_told_and_is_not_the_reason_of_a_later_loss(
    broker: Broker, stack: ExitStack
) -> None:
    _, inbox = opened(stack, broker, channels=("and there",))
    connection, number = broker.subscribed()
    connection.sendall(SUBACK[:1] + bytes([len(number) + 2]) + number + b"\x00\x80")
    assert inbox.wait_for_link(up=False).reason == (
        f"the broker {broker.address} refuses a subscription: allow this user to read its topics"
    )
    connection, number = broker.subscribed()
    connection.sendall(SUBACK[:1] + bytes([len(number) + 2]) + number + b"\x00\x00")
    inbox.wait_for_link(up=True)
    connection.close()
    assert inbox.wait_for_link(up=False, after=2).reason == f"the connection to the broker {broker.address} was lost"


def test_every_channel_is_subscribed_to_again_and_waits_go_by_how_long_the_link_lasted(
    broker: Broker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    class Noting(Backoff):
        def up(self) -> None:
            told.append("up")

        def lost(self) -> float:
            told.append("lost")
            return 0.01

    monkeypatch.setattr(mqtt, "Backoff", Noting)
    client, inbox = opened(stack, broker)
    broker.accept().close()
    inbox.wait_for_link(up=False)
    client.listen("and there")
    client.listen("here")
    connection, number = broker.subscribed()
    connection.sendall(SUBACK[:1] + b"\x04" + number + b"\x00\x00")
    inbox.wait_for_link(up=True, after=2)
    connection.sendall(published(b"x"))
    inbox.wait_for(lambda: inbox.has(b"x"))
    connection.close()
    inbox.wait_for_link(up=False, after=3)
    assert told == ["up", "lost", "up", "lost"]


def test_what_is_sent_is_at_qos_0_and_not_retained(broker: Broker, stack: ExitStack) -> None:
    client, inbox = opened(stack, broker)
    connection = broker.accept()
    inbox.wait_for_link(up=True)
    client.send("here", b"x")
    assert connection.recv(100) == published(b"x")
    assert (client.counts.sent, client.counts.received) == (1, 0)
    connection.sendall(published(b"y"))
    inbox.wait_for(lambda: inbox.packets == [b"y"])
    assert (client.counts.sent, client.counts.received) == (1, 1)
    client.close()
    assert everything(connection) == b"\xe0\x00"  # goodbye
