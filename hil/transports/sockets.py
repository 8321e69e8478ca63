"""What TCP sockets are told, whoever uses them."""

from __future__ import annotations

import socket

DEATH = 3.0
"""Time after which a peer whose machine or network is gone is noticed (s), where the system can."""


def prompt(connection: socket.socket) -> None:
    """Have small packets sent at once: one that waits for the acknowledgement of the one before waits for 40 ms."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def acknowledge(connection: socket.socket) -> None:
    """Have what came be acknowledged now, since the peer may wait for that with its next small packet.

    The system soon falls back to waiting, so this is to be called after each read. mosquitto is such a peer.
    """
    if hasattr(socket, "TCP_QUICKACK"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


def notice_death(connection: socket.socket) -> None:
    """Have the connection end when the peer's machine does not answer any more, though nobody has closed it."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", 1),  # s
        ("TCP_KEEPINTVL", 1),  # s
        ("TCP_KEEPCNT", int(DEATH) - 1),
        ("TCP_USER_TIMEOUT", int(DEATH * 1000)),  # ms; for what was sent and not acknowledged
    ):
        option = getattr(socket, name, None)
        if option is not None:
            connection.setsockopt(socket.IPPROTO_TCP, option, value)
