"""TCP: a client of a robot that is a server, such as the e-puck2 over Wi-Fi."""

from __future__ import annotations

import socket
import time
from contextlib import suppress

from devs_robotics.hil.addresses import TcpAddress
from devs_robotics.hil.transports.sockets import notice_death, prompt
from devs_robotics.hil.transports.stream import CONNECT_TIMEOUT, LINGER, PIECE, POLL, STALL, StreamTransport, Wire

OUTBOX = 1 << 20
"""Size of what waits to be sent above which packets are dropped (bytes)."""


class Tcp(StreamTransport):
    """A TCP client.

    Args:
        address: of the server
        outbox: how much may wait to be sent (bytes)
    """

    def __init__(self, address: TcpAddress, outbox: int = OUTBOX) -> None:
        super().__init__(str(address), outbox)
        self._at = address

    def connect(self) -> Wire:
        """Connect to the server."""
        try:
            connection = socket.create_connection((self._at.host, self._at.port), timeout=CONNECT_TIMEOUT)
        except OSError as error:
            why = error.strerror or str(error)
            raise OSError(f"{self.address} cannot be reached ({why}): start it, or correct the address") from error
        if connection.getsockname() == connection.getpeername():  # which happens when nobody listens at a port up there
            connection.close()
            raise OSError(f"{self.address} cannot be reached (nobody listens): start it, or correct the address")
        prompt(connection)
        notice_death(connection)
        connection.settimeout(POLL)
        return _Connection(connection)


class _Connection(Wire):
    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection

    def read(self) -> bytes:
        try:
            data = self._socket.recv(PIECE)
        except TimeoutError:
            return b""
        if not data:
            raise ConnectionError("the other side has closed it")
        return data

    def write(self, data: bytes) -> None:
        left, until = memoryview(data), time.monotonic() + STALL
        while left:
            try:
                left = left[self._socket.send(left) :]
            except TimeoutError:
                if time.monotonic() > until:
                    raise
            else:
                until = time.monotonic() + STALL

    def cancel(self) -> None:
        with suppress(OSError):  # it has ended already
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with self._socket, suppress(OSError):
            # a socket that is closed before all was read resets the connection, and what was written last may be lost
            self._socket.shutdown(socket.SHUT_WR)
            until = time.monotonic() + LINGER
            while time.monotonic() < until and self._socket.recv(PIECE):
                pass
