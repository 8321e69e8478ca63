"""What only TCP has: the way in which a connection ends."""

from __future__ import annotations

import socket
from threading import Thread

from hil.addresses import TcpAddress
from hil.transports.tcp import Tcp
from tests.hil.transports.inbox import PATIENCE, Inbox


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
