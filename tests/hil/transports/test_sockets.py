"""What TCP sockets are told, as the system says of them."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator

import pytest

from devs_robotics.hil.transports.sockets import DEATH, acknowledge, notice_death, prompt

TCP = socket.IPPROTO_TCP


@pytest.fixture
def connection() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as made:
        yield made


def test_small_packets_are_sent_at_once(connection: socket.socket) -> None:
    assert not connection.getsockopt(TCP, socket.TCP_NODELAY)
    prompt(connection)
    assert connection.getsockopt(TCP, socket.TCP_NODELAY)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other names for it")
def test_a_peer_that_is_gone_is_noticed_in_time(connection: socket.socket) -> None:
    notice_death(connection)
    assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    first, then, times = (
        connection.getsockopt(TCP, name) for name in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
    )
    assert (first, then, times) == (1, 1, 2)
    assert first + then * times == DEATH == 3.0
    assert connection.getsockopt(TCP, socket.TCP_USER_TIMEOUT) == 3000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not have it")
def test_what_came_is_acknowledged_now(connection: socket.socket) -> None:
    connection.setsockopt(TCP, socket.TCP_QUICKACK, 0)
    acknowledge(connection)
    assert connection.getsockopt(TCP, socket.TCP_QUICKACK)


def test_systems_that_cannot_are_left_alone(connection: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TCP_QUICKACK", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT", "TCP_USER_TIMEOUT"):
        monkeypatch.delattr(socket, name, raising=False)
    acknowledge(connection)
    notice_death(connection)
    assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
