"""Serial lines: devices, and what else pyserial opens by a URL and can give a time limit (``socket://host:port``)."""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress
from threading import Event
from typing import Any

from devs_robotics.core.extras import needed
from devs_robotics.hil.addresses import SerialAddress
from devs_robotics.hil.transports.stream import PIECE, POLL, STALL, StreamTransport, Wire

with needed("a serial line needs"):
    import serial  # type: ignore[import-untyped]

OUTBOX = 1 << 16
"""Size of what waits to be sent above which packets are dropped (bytes): a few seconds of a serial line."""

PORTION = 64
"""Size of what is written at once (bytes); the slowest lines take it within `STALL`."""

ERRORS: tuple[type[Exception], ...] = (OSError, ValueError)
"""What pyserial raises when it cannot open a port."""
with suppress(ImportError):  # where the system has no POSIX terminals
    import termios

    ERRORS += (termios.error,)

REMEDIES = {
    errno.ENOENT: "plug it in, or correct the address",
    errno.EACCES: "let this user read and write it (on Linux mostly by adding the user to the group dialout)",
    errno.EAGAIN: "end the program that uses it",
    errno.EBUSY: "end the program that uses it",
}


class SerialLine(StreamTransport):
    """A serial line, 8N1, which nobody else may open meanwhile; opened again when it was pulled and is back.

    Args:
        address: of the device
        outbox: how much may wait to be sent (bytes)
    """

    def __init__(self, address: SerialAddress, outbox: int = OUTBOX) -> None:
        super().__init__(str(address), outbox)
        self._at = address

    def connect(self) -> Wire:
        """Open the device."""
        port = None
        try:
            port = serial.serial_for_url(
                self._at.url,
                do_not_open=True,
                baudrate=self._at.baud,
                timeout=POLL,
                write_timeout=STALL,
                exclusive=True,
            )
            port.open()
        except ERRORS as error:
            _close(port)
            number: int = getattr(error, "errno", None) or 0
            why = os.strerror(number) if number else str(error)
            remedy = REMEDIES.get(number, "correct the address, or try another port")
            raise OSError(f"{self.address} cannot be opened ({why}): {remedy}") from error
        return _Port(port)


class _Port(Wire):
    def __init__(self, port: Any) -> None:
        self._port = port
        self._cancelled = Event()

    def read(self) -> bytes:
        try:
            data = bytearray(self._port.read(1))
            while data and len(data) < PIECE and (ready := self._port.in_waiting):
                data += self._port.read(min(ready, PIECE - len(data)))
        except OSError as error:
            raise OSError("it was pulled out, or another program reads it") from error
        return bytes(data)

    def write(self, data: bytes) -> None:
        for start in range(0, len(data), PORTION):
            if self._cancelled.is_set():
                raise OSError("it was given up")
            self._port.write(data[start : start + PORTION])

    def cancel(self) -> None:
        self._cancelled.set()  # what is under way ends by itself within `POLL` or `STALL`

    def close(self) -> None:
        _close(self._port)


def _close(port: Any) -> None:
    """Close a port, open or not; where pyserial holds a socket, it forgets to close it when the peer has gone."""
    connection = getattr(port, "_socket", None)
    with suppress(*ERRORS):
        if port is not None:
            port.close()
    if isinstance(connection, socket.socket):
        connection.close()
