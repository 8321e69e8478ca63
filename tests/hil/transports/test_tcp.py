"""What only TCP has: the way in which a connection ends."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

import pytest

from devs_robotics.hil.addresses import TcpAddress
from devs_robotics.hil.transports import tcp
from devs_robotics.hil.transports.stream import LINGER, PIECE, POLL, STALL, Wire
from devs_robotics.hil.transports.tcp import Tcp
from tests.hand_time import HandTime
from tests.hil.transports.inbox import PATIENCE, Inbox

MEGABYTE = 1 << 20


def test_the_last_words_arrive_in_order_though_the_peer_is_still_talking() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        transport, inbox = Tcp(TcpAddress(*server.getsockname())), Inbox()
        transport.open(inbox)
        robot, _ = server.accept()
        with robot:
            inbox.wait_for_link(up=True)
            inbox.gate.clear()
            robot.sendall(bytes(100_000))
            assert inbox.held.wait(PATIENCE)
            for _ in range(10):
                transport.send("", b"stop")
            ending = Thread(target=transport.close)
            ending.start()
            heard = robot.recv(40, socket.MSG_WAITALL)
            inbox.gate.set()
            ending.join(PATIENCE)
            robot.settimeout(PATIENCE)
            assert heard + robot.recv(1000) == b"stop" * 10  # and then the end, not a reset
            assert robot.recv(1) == b""


def test_a_server_that_is_not_there_is_told() -> None:
    transport, inbox = Tcp(TcpAddress("127.0.0.1", 1)), Inbox()
    transport.open(inbox)
    assert inbox.wait_for_link(up=False).reason == (
        "tcp://127.0.0.1:1 cannot be reached (Connection refused): start it, or correct the address"
    )
    transport.close()


@pytest.fixture
def ends() -> Iterator[tuple[Wire, socket.socket]]:
    """A connection, which takes little at once, and its other end."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
        wire = Tcp(TcpAddress(*server.getsockname())).connect()
        connection = wire._socket  # type: ignore[attr-defined]
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 14)
        connection.settimeout(0.001)  # so that what a stalled peer does is seen at once
        far, _ = server.accept()
        with far:
            far.settimeout(PATIENCE)
            yield wire, far
        wire.close()


def test_a_slow_but_steady_reader_gets_everything(
    ends: tuple[Wire, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    wire, far = ends
    heard = bytearray()
    far.setblocking(False)

    def read_a_little() -> None:
        with suppress(BlockingIOError):  # nothing is under way
            heard.extend(far.recv(1 << 16))
            clock.now += 0.3 * STALL

    clock = HandTime(asked=read_a_little)
    monkeypatch.setattr(tcp, "time", clock)
    data = bytes(range(256)) * (MEGABYTE // 256)
    wire.write(data)
    assert clock.now > 3 * STALL
    far.settimeout(PATIENCE)
    while len(heard) < len(data):
        heard.extend(far.recv(MEGABYTE))
    assert heard == data


def test_a_reader_that_takes_nothing_is_given_up_when_it_stalls_and_not_before(
    ends: tuple[Wire, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    wire, _ = ends
    looks: list[float] = []

    def go_on() -> None:
        clock.now += 0.3 * STALL
        looks.append(clock.now)
        assert len(looks) < 10_000, "it waits for ever"

    clock = HandTime(asked=go_on)
    monkeypatch.setattr(tcp, "time", clock)
    with pytest.raises(TimeoutError):
        wire.write(bytes(32 * MEGABYTE))
    assert len(looks) >= 5  # when the last of it was taken, and then until more than STALL had passed


def test_reading_gives_what_has_come_nothing_in_time_and_an_error_at_the_end(
    ends: tuple[Wire, socket.socket],
) -> None:
    wire, far = ends
    assert wire.read() == b""
    far.sendall(bytes(2 * PIECE))
    pieces: list[bytes] = []
    while sum(map(len, pieces)) < 2 * PIECE:
        pieces.append(wire.read())
        assert len(pieces[-1]) <= PIECE
    far.shutdown(socket.SHUT_WR)
    with pytest.raises(ConnectionError, match="the other side has closed it"):
        wire.read()
    wire.cancel()
    with pytest.raises(OSError, match=r".+"):
        wire.write(b"too late")
    wire.cancel()


def test_closing_waits_for_a_peer_that_goes_on_talking_but_not_for_ever(
    ends: tuple[Wire, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    wire, far = ends

    def talk() -> None:
        clock.now += 0.3 * LINGER
        far.sendall(b"and another thing")
        assert clock.now < 100 * LINGER, "it listens for ever"

    wire.write(b"last words")
    clock = HandTime(asked=talk)
    monkeypatch.setattr(tcp, "time", clock)
    wire.close()
    assert clock.now >= LINGER
    assert far.recv(100) == b"last words"


def test_a_dead_peer_and_small_packets_are_minded(ends: tuple[Wire, socket.socket]) -> None:
    connection = ends[0]._socket  # type: ignore[attr-defined]
    assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        options = ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT", "TCP_USER_TIMEOUT")
        assert [connection.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in options] == [1, 1, 2, 3000]


def test_a_read_waits_for_a_moment_at_most() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        wire = Tcp(TcpAddress(*server.getsockname())).connect()
        assert wire._socket.gettimeout() == POLL  # type: ignore[attr-defined]
        wire.cancel()
        wire.close()


def test_a_connection_to_itself_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes about when nobody listens at a port that the system gives out to clients."""
    itself = socket.socket()
    itself.bind(("127.0.0.1", 0))
    itself.connect(itself.getsockname())
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: itself)
    with pytest.raises(OSError, match=r"tcp://.* cannot be reached \(nobody listens\): start it"):
        Tcp(TcpAddress("127.0.0.1", 40000)).connect()
    assert itself.fileno() == -1
