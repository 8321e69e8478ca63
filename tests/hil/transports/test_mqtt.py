"""What only MQTT has: users, TLS, the Last Will, topics."""

from __future__ import annotations

import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from devs_robotics.core.realtime.transport import Arrival, Link, Packet, Post
from devs_robotics.hil.addresses import AddressError
from devs_robotics.hil.transports.mqtt import LARGEST, Mqtt, Will
from tests.documents import FENCE
from tests.hil.transports.inbox import PATIENCE, Inbox
from tests.paths import ROOT
from tests.real_components import Certificate, Mosquitto, certificate, free_port, require


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def broker(stack: ExitStack) -> Mosquitto:
    return stack.enter_context(Mosquitto())


def opened(stack: ExitStack, client: Mqtt, *channels: str) -> Inbox:
    """Open a client that listens to some channels, and close it after the test."""
    for channel in channels:
        client.listen(channel)
    inbox = Inbox()
    stack.callback(client.close)
    client.open(inbox)
    return inbox


def connected(stack: ExitStack, client: Mqtt, *channels: str) -> Inbox:
    inbox = opened(stack, client, *channels)
    inbox.wait_for_link(up=True)
    return inbox


def passwords(folder: Path, **users: str) -> Path:
    """A password file of mosquitto's."""
    file = folder / "robots.passwd"
    file.touch(mode=0o600)
    for user, password in users.items():
        subprocess.run([require("mosquitto_passwd"), "-b", str(file), user.lstrip("_"), password], check=True)
    return file


def in_the_document(name: str) -> str:
    """A file that docs/brokers.md shows."""
    blocks = [match[2] for match in FENCE.finditer((ROOT / "docs" / "brokers.md").read_text()) if match[1] == "conf"]
    (block,) = (block for block in blocks if block.startswith(f"# {name}\n"))
    return block


def at(broker: Mosquitto, user: str, password: str) -> str:
    return f"mqtt://{user}:{password}@127.0.0.1:{broker.port}"


def test_one_client_serves_many_channels_and_tells_them_apart(broker: Mosquitto, stack: ExitStack) -> None:
    channels = [f"robot/{number}/report" for number in range(100)]
    inbox = connected(stack, Mqtt(broker.address), *channels)
    peer = Mqtt(broker.address)
    connected(stack, peer)
    for channel in channels:
        peer.send(channel, channel.encode())
    peer.send("robot/100/report", b"nobody listens")
    inbox.wait_for(lambda: len(inbox.packets) >= 100)
    got = [(arrival.channel, packet) for arrival, packet in zip(inbox.arrivals[1:], inbox.packets, strict=True)]
    assert got == [(channel, channel.encode()) for channel in channels]
    assert broker.wait_for_log("New client connected", 2)
    assert broker.count("New client connected") == 2


def test_a_channel_may_be_added_while_the_link_is_up(broker: Mosquitto, stack: ExitStack) -> None:
    client, peer = Mqtt(broker.address), Mqtt(broker.address)
    inbox, _ = connected(stack, client), connected(stack, peer)
    client.listen("late")
    for _ in range(int(10 * PATIENCE)):  # what comes before the broker has heard of it is lost
        peer.send("late", b"now")
        if inbox.wait_until(lambda: b"now" in inbox.packets, 0.1):
            break
    assert inbox.arrivals[-1] == Arrival("late", Packet(b"now"))


def test_retained_messages_are_dropped_since_they_are_old(broker: Mosquitto, stack: ExitStack) -> None:
    someone = Client(CallbackAPIVersion.VERSION2)
    someone.connect("127.0.0.1", broker.port)
    someone.loop_start()
    someone.publish("robot/7/command", b"an old command", qos=1, retain=True).wait_for_publish(PATIENCE)
    someone.disconnect()
    someone.loop_stop()
    client = Mqtt(broker.address)
    inbox = connected(stack, client, "robot/7/command")
    client.send("robot/7/command", b"a new one")
    inbox.wait_for(lambda: bool(inbox.packets))
    assert inbox.packets == [b"a new one"]
    assert client.counts.dropped == 1


def kept(broker: Mosquitto, topic: str) -> list[bytes]:
    """What the broker keeps on a topic, as one who comes later hears it."""
    heard: list[tuple[str, bytes]] = []
    done = threading.Event()
    late = Client(CallbackAPIVersion.VERSION2)

    def on_message(_client: Client, _user: object, message: MQTTMessage) -> None:
        heard.append((message.topic, bytes(message.payload)))
        if message.topic == "end":
            done.set()

    def on_subscribe(*_: Any) -> None:
        late.publish("end", b"")

    late.on_message = on_message
    late.on_subscribe = on_subscribe
    late.connect("127.0.0.1", broker.port)
    late.loop_start()
    late.subscribe([(topic, 0), ("end", 0)])
    assert done.wait(PATIENCE)
    late.disconnect()
    late.loop_stop()
    return [data for where, data in heard if where == topic]


def test_the_broker_keeps_what_it_is_to_keep_until_it_is_told_to_forget_it(broker: Mosquitto, stack: ExitStack) -> None:
    client, witness = Mqtt(broker.address), Mqtt(broker.address)
    connected(stack, client)
    inbox = connected(stack, witness, "config", "other")
    client.post(Post(b"arena", "config", retained=True))
    client.post(Post(b"passing", "other"))
    inbox.wait_for(lambda: len(inbox.packets) >= 2)
    assert (kept(broker, "config"), kept(broker, "other")) == ([b"arena"], [])
    client.post(Post(b"", "config", retained=True))
    inbox.wait_for(lambda: len(inbox.packets) >= 3)
    assert kept(broker, "config") == []


def test_a_last_will_can_have_the_broker_forget_what_it_keeps(broker: Mosquitto, stack: ExitStack) -> None:
    inbox = connected(stack, Mqtt(broker.address), "config")
    client = Mqtt(broker.address, will=Will("config", b"", retained=True), client_id="server")
    connected(stack, client)
    client.post(Post(b"arena", "config", retained=True))
    inbox.wait_for(lambda: inbox.packets[:1] == [b"arena"])
    connected(stack, Mqtt(broker.address, client_id="server"))  # the broker ends the connection of the first one
    inbox.wait_for(lambda: len(inbox.packets) >= 2)
    assert kept(broker, "config") == []


def test_packets_that_are_too_long_are_dropped(broker: Mosquitto, stack: ExitStack) -> None:
    client, peer = Mqtt(broker.address), Mqtt(broker.address)
    inbox, _ = connected(stack, client, "here"), connected(stack, peer)
    for packet in (bytes(LARGEST + 1), bytes(LARGEST), b"short"):
        peer.send("here", packet)
    inbox.wait_for(lambda: len(inbox.packets) >= 2)
    assert inbox.packets == [bytes(LARGEST), b"short"]
    assert client.counts.dropped == 1


def test_the_last_will_is_told_when_a_client_is_lost_but_not_when_it_closes(
    broker: Mosquitto, stack: ExitStack
) -> None:
    inbox = connected(stack, Mqtt(broker.address), "robot/7/report", "robot/8/report")
    orderly = Mqtt(broker.address, will=Will("robot/8/report", b"8 is gone"))
    connected(stack, orderly)
    orderly.close()
    broker.wait_for_log(r"disconnected\.$")
    lost = Mqtt(broker.address, will=Will("robot/7/report", b"7 is gone"), client_id="robot7")
    connected(stack, lost)
    usurper = Mqtt(broker.address, client_id="robot7")  # the broker ends the connection of the first one
    connected(stack, usurper)
    inbox.wait_for(lambda: bool(inbox.packets))
    assert inbox.packets[0] == b"7 is gone"


def test_a_wrong_password_is_told_once_with_a_remedy_and_tried_again_at_leisure(
    tmp_path: Path, stack: ExitStack
) -> None:
    file = passwords(tmp_path, host="right")
    broker = stack.enter_context(Mosquitto(f"allow_anonymous false\npassword_file {file}", folder=tmp_path))
    began = time.monotonic()
    client = Mqtt(at(broker, "host", "wr0ng"))
    inbox = opened(stack, client, "here")
    link = inbox.wait_for_link(up=False)
    assert link.reason == (
        f"the broker mqtt://host:***@127.0.0.1:{broker.port} refuses the connection (Not authorized): "
        "check the user and the password in the address"
    )
    assert broker.wait_for_log("not authorised", times=4)
    assert time.monotonic() - began > 0.1 + 0.2 + 0.4
    assert inbox.links == [link]
    assert "wr0ng" not in client.address + repr(client.__dict__)
    connected(stack, Mqtt(at(broker, "host", "right")))


def test_with_the_documents_rules_no_robot_can_speak_for_another(tmp_path: Path, stack: ExitStack) -> None:
    passwords(tmp_path, host="h", _7="seven", _8="eight")
    (tmp_path / "robots.acl").write_text(in_the_document("robots.acl"))
    (tmp_path / "robots.acl").chmod(0o600)
    rules = in_the_document("mosquitto.conf")
    assert "listener 1883\n" in rules
    broker = stack.enter_context(Mosquitto(rules.replace("listener 1883\n", ""), folder=tmp_path))
    host, seven, eight = (
        Mqtt(at(broker, *names), will=will)
        for names, will in (
            (("host", "h"), None),
            (("7", "seven"), Will("robot/7/report", b"7 is gone")),
            (("8", "eight"), None),
        )
    )
    at_host = connected(stack, host, "robot/7/report", "robot/8/report")
    at_seven = connected(stack, seven, "robot/7/command", "robot/8/command", "robot/8/report")
    at_eight = connected(stack, eight, "robot/8/command")
    seven.send("robot/8/report", b"7 speaks for 8")
    seven.send("robot/8/command", b"7 commands 8")
    seven.send("robot/7/report", b"I am 7")
    at_host.wait_for(lambda: bool(at_host.packets))
    host.send("robot/8/command", b"go, 8")
    host.send("robot/7/command", b"go, 7")
    at_seven.wait_for(lambda: bool(at_seven.packets))
    at_eight.wait_for(lambda: bool(at_eight.packets))
    assert at_host.packets == [b"I am 7"]
    assert at_seven.packets == [b"go, 7"]
    assert at_eight.packets == [b"go, 8"]
    stranger = opened(stack, Mqtt(f"mqtt://127.0.0.1:{broker.port}"))
    assert "Not authorized" in stranger.wait_for_link(up=False).reason
    connected(stack, Mqtt(at(broker, "8", "eight"), client_id="8", will=Will("robot/7/report", b"a false will")))
    connected(stack, Mqtt(at(broker, "8", "eight"), client_id="8"))  # the broker ends the connection of the first one
    eight.send("robot/8/report", b"I am 8")
    at_host.wait_for(lambda: len(at_host.packets) >= 2)
    assert at_host.packets == [b"I am 7", b"I am 8"]


def test_what_is_sent_after_it_was_closed_is_dropped(stack: ExitStack, broker: Mosquitto) -> None:
    client = Mqtt(broker.address)
    opened(stack, client).wait_for_link(up=True)
    client.send("robot/7/command", b"before")
    client.close()
    client.send("robot/7/command", b"after")
    assert (client.counts.sent, client.counts.dropped) == (1, 1)


@pytest.fixture(scope="module")
def own_certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return certificate(tmp_path_factory.mktemp("certificate"))


def test_it_speaks_tls_and_comes_back_over_it(tmp_path: Path, stack: ExitStack, own_certificate: Certificate) -> None:
    broker = stack.enter_context(Mosquitto("allow_anonymous true", folder=tmp_path, tls=own_certificate))
    client = Mqtt(broker.address)
    assert client.address.startswith("mqtts://")
    inbox = connected(stack, client, "here")
    packets = [bytes([number]) * 20_000 for number in range(100)]
    for packet in packets:
        client.send("here", packet)
    inbox.wait_for(lambda: len(inbox.packets) >= 100)
    assert inbox.packets == packets
    broker.kill()
    inbox.wait_for_link(up=False)
    broker.start()
    inbox.wait_for_link(up=True, after=2)
    client.send("here", b"again")
    inbox.wait_for(lambda: inbox.has(b"again"))


def test_a_broker_whose_certificate_is_not_trusted_is_refused(
    tmp_path: Path, stack: ExitStack, own_certificate: Certificate
) -> None:
    broker = stack.enter_context(Mosquitto("allow_anonymous true", folder=tmp_path, tls=own_certificate))
    (tmp_path / "another").mkdir()
    other = certificate(tmp_path / "another").certificate
    for address in (f"mqtts://127.0.0.1:{broker.port}", f"mqtts://127.0.0.1:{broker.port}?cafile={other}"):
        link = opened(stack, Mqtt(address)).wait_for_link(up=False)
        assert "certificate that is not trusted" in link.reason
        assert "cafile=FILE" in link.reason


def test_a_cafile_that_holds_no_certificates_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(AddressError, match=r"cafile that cannot be used .* PEM format"):
        Mqtt(f"mqtts://127.0.0.1?cafile={tmp_path / 'ca.pem'}")


def test_a_broker_that_is_not_there_is_told_and_awaited(stack: ExitStack) -> None:
    broker = Mosquitto()
    inbox = opened(stack, Mqtt(broker.address), "here")
    link = inbox.wait_for_link(up=False)
    assert link.reason == (
        f"the broker {broker.address} cannot be reached (Connection refused): start it, or correct the address"
    )
    stack.enter_context(broker)
    inbox.wait_for_link(up=True)
    assert inbox.links == [link, Link(up=True)]


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\x20",
        b"\x20\x02\x00",
        b"\x20\x00",
        b"\x30\xff\xff\xff\xff\xff",
        b"\x90\x00",
    ],
)
def test_a_server_that_is_no_broker_is_a_link_that_is_down(answer: bytes, stack: ExitStack) -> None:
    port = free_port()
    server = stack.enter_context(socket.create_server(("127.0.0.1", port)))
    threads = set(threading.enumerate())
    client = Mqtt(f"mqtt://127.0.0.1:{port}")
    inbox = opened(stack, client, "here")
    server.settimeout(PATIENCE)
    for _ in range(2):  # it tries again
        connection, _ = server.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(answer)
    inbox.wait_for_link(up=False)
    assert [thread.name for thread in set(threading.enumerate()) - threads] == [f"mqtt {client.address}"]


def test_the_document_tells_what_each_reason_means() -> None:
    text = (ROOT / "docs" / "brokers.md").read_text()
    code = (ROOT / "hil" / "transports" / "mqtt.py").read_text()
    for reason in re.findall(r"^\| ([a-z][^(|]+?) \(", text.partition("## When a link")[2], flags=re.M):
        assert reason in code
