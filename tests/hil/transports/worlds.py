"""What the conformance suite needs of each kind of link: a transport, a peer at its other end, ways to hurt them."""

from __future__ import annotations

import os
import pty
import select
import socket
import tty
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from devs_robotics.core.realtime.transport import Arrival, Loopback, Packet, Transport
from devs_robotics.hil.addresses import below
from devs_robotics.hil.broker import EmbeddedBroker
from devs_robotics.hil.transports.connections import Connections
from devs_robotics.hil.transports.mqtt import Mqtt
from tests.hil.transports.inbox import PATIENCE, Inbox
from tests.real_components import Mosquitto, free_port


class World(ABC):
    """A transport that is tested, `near`, and its peer, `far`.

    Attributes:
        near: not yet open
        inbox, far: get what arrives here and there; each may be held up by its gate
        large: length of a packet that is large for it (bytes)
        flood: how many packets of 10 kB are much for it to receive
        boundaries: packets stay packets; otherwise only the bytes count
    """

    near: Transport
    inbox: Inbox
    far: Inbox
    boundaries = False
    large = 200_000
    flood = 2000
    send_on = ""

    def __init__(self) -> None:
        self.inbox, self.far = Inbox(), Inbox()

    def send(self, data: bytes) -> None:
        self.near.send(self.send_on, data)

    def open(self) -> None:
        before = len(self.inbox.links)
        self.near.open(self.inbox)
        self.inbox.wait_for_link(up=True, after=before)

    @abstractmethod
    def answer(self, data: bytes) -> None:
        """Send from the far end; may wait."""

    @abstractmethod
    def kill(self) -> None:
        """Take the link down for good."""

    @abstractmethod
    def revive(self) -> None:
        """Let the link come up again."""

    @abstractmethod
    def clean_up(self) -> None:
        """Free everything but `near`."""


class LoopbackWorld(World):
    boundaries = True

    def __init__(self, _folder: Path) -> None:
        super().__init__()
        self.loopback, self._peer = Loopback.pair()
        self.near = self.loopback
        for end in (self.loopback, self._peer):
            end.listen("")
        self._peer.open(self.far)

    def answer(self, data: bytes) -> None:
        self._peer.send("", data)

    def kill(self) -> None:
        self.loopback.cut()

    def revive(self) -> None:
        self.loopback.mend()

    def clean_up(self) -> None:
        self._peer.close()


class MqttWorld(World):
    """Both ends are clients of one broker, which is what gets killed."""

    boundaries = True
    send_on = "robot/7/command"

    def __init__(self, broker: Mosquitto | EmbeddedBroker) -> None:
        super().__init__()
        self._broker = broker
        broker.start()
        endpoint = Connections().at(below(broker.address, "robot/7"))
        assert endpoint.send_on == self.send_on
        self.near = endpoint.transport
        self.near.listen(endpoint.listen_on)
        self._peer = Mqtt(broker.address)
        self._peer.listen(self.send_on)
        self._peer.open(self.far)
        self.far.wait_for_link(up=True)

    def answer(self, data: bytes) -> None:
        self._peer.send("robot/7/report", data)

    def kill(self) -> None:
        before = len(self.far.links)
        self._broker.kill()
        self.far.wait_for_link(up=False, after=before)

    def revive(self) -> None:
        before = len(self.far.links)
        self._broker.start()
        self.far.wait_for_link(up=True, after=before)

    def clean_up(self) -> None:
        self._peer.close()
        if isinstance(self._broker, EmbeddedBroker):
            self._broker.close()
        else:
            self._broker.stop()


class RawWorld(World):
    """The far end is no transport but a file descriptor, served by a thread until that is woken."""

    def __init__(self) -> None:
        super().__init__()
        self._awake, self._wake = os.pipe()
        self._thread: Thread | None = None

    @abstractmethod
    def serve(self) -> None:
        """Have `far` get what comes from the near end; in the thread."""

    def start_thread(self) -> None:
        self._thread = Thread(target=self.serve)
        self._thread.start()

    def stop_thread(self) -> None:
        if self._thread is not None:
            os.write(self._wake, b"x")
            self._thread.join(PATIENCE)
            assert not self._thread.is_alive()
            self._thread = None
            os.read(self._awake, 1)

    def readable(self, descriptor: int) -> bool:
        """Wait until it can be read; returns False when the thread is to end."""
        ready, _, _ = select.select([descriptor, self._awake], [], [])
        return self._awake not in ready

    def clean_up(self) -> None:
        self.kill()
        os.close(self._awake)
        os.close(self._wake)


class PtyWorld(RawWorld):
    """A serial line whose device is a pty, under a name that stays the same, as udev gives it."""

    large = 50_000

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._name = folder / "robot"
        self._ends: tuple[int, int] | None = None
        self.revive()
        self.near = Connections().at(f"serial://{self._name}?baud=115200").transport

    def answer(self, data: bytes) -> None:
        assert self._ends is not None
        while data:
            data = data[os.write(self._ends[0], data) :]

    def kill(self) -> None:
        self.stop_thread()
        if self._ends is not None:
            self._name.unlink()
            for end in self._ends:
                os.close(end)
            self._ends = None

    def revive(self) -> None:
        self._ends = pty.openpty()
        for end in self._ends:
            tty.setraw(end)
        self._name.symlink_to(os.ttyname(self._ends[1]))
        self.start_thread()

    def serve(self) -> None:
        assert self._ends is not None
        while self.readable(self._ends[0]):
            self.far(Arrival("", Packet(os.read(self._ends[0], 4096))))


class TcpWorld(RawWorld):
    """A TCP server, of one client at a time."""

    def __init__(self, address: str = "tcp://127.0.0.1:{}") -> None:
        super().__init__()
        self._port = free_port()
        self._connected = Event()
        self.revive()
        self.near = Connections().at(address.format(self._port)).transport

    def answer(self, data: bytes) -> None:
        if self._connected.wait(1.0):  # otherwise nobody is there who could hear it
            with suppress(ConnectionError):
                self._connection.sendall(data)

    def kill(self) -> None:
        self.stop_thread()

    def revive(self) -> None:
        self._server = socket.create_server(("127.0.0.1", self._port))
        self.start_thread()

    def serve(self) -> None:
        with self._server:
            while self.readable(self._server.fileno()):
                self._connection, _ = self._server.accept()
                with self._connection:
                    self._connected.set()
                    while self.readable(self._connection.fileno()) and (data := self._receive()):
                        self.far(Arrival("", Packet(data)))
                    self._connected.clear()

    def _receive(self) -> bytes:
        with suppress(ConnectionError):
            return self._connection.recv(4096)
        return b""


class SocketSerialWorld(TcpWorld):
    """A serial port by a URL of pyserial's, which reads each byte by itself."""

    large = 50_000
    flood = 20

    def __init__(self) -> None:
        super().__init__("serial:socket://127.0.0.1:{}")


WORLDS: dict[str, Callable[[Path], World]] = {
    "loopback": LoopbackWorld,
    "mosquitto": lambda _: MqttWorld(Mosquitto()),
    "amqtt": lambda _: MqttWorld(EmbeddedBroker(port=free_port())),
    "pty": PtyWorld,
    "serial over a socket": lambda _: SocketSerialWorld(),
    "tcp": lambda _: TcpWorld(),
}
