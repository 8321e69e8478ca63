"""Links of robots that speak in streams of bytes: a pty, and a TCP server."""

from __future__ import annotations

import asyncio
import os
import pty
import tty
from contextlib import suppress

from hil.lab.core import Core
from hil.lab.timekeeper import Timekeeper

CHUNK = 4096
"""So much is read at once (bytes)."""

PTY_BACKLOG = 1 << 16
"""So much waits for the host to read it; further packets are lost, as on a real line (bytes)."""

TCP_BACKLOG = 1 << 18
"""The same for a TCP client."""


class PtyLink:
    """A pty on whose other end a host finds the robot.

    Args:
        core: the robot
        timekeeper: in whose time it lives
        loop: that runs

    Attributes:
        address: where the host finds it
    """

    def __init__(self, core: Core, timekeeper: Timekeeper, loop: asyncio.AbstractEventLoop) -> None:
        self._core, self._timekeeper, self._loop = core, timekeeper, loop
        # the host's end stays open here too: otherwise each host that leaves would end the line for good
        self._line, self._host_end = pty.openpty()
        tty.setraw(self._host_end)
        os.set_blocking(self._line, False)
        self.address = f"serial://{os.ttyname(self._host_end)}"
        self._unsent = bytearray()
        core.send = self._send
        loop.add_reader(self._line, self._read)

    def close(self) -> None:
        """Pull the cable."""
        self._loop.remove_reader(self._line)
        self._loop.remove_writer(self._line)
        os.close(self._line)
        os.close(self._host_end)

    def _read(self) -> None:
        data = os.read(self._line, CHUNK)
        self._timekeeper.act(lambda: self._core.receive(data))

    def _send(self, data: bytes) -> None:
        if len(self._unsent) + len(data) <= PTY_BACKLOG:
            self._unsent += data
            self._write()

    def _write(self) -> None:
        with suppress(BlockingIOError):
            del self._unsent[: os.write(self._line, self._unsent)]
        if self._unsent:
            self._loop.add_writer(self._line, self._write)
        else:
            self._loop.remove_writer(self._line)


class TcpLink:
    """A TCP server on a free port of this machine, for one client at a time; others are turned away.

    Args:
        core: the robot
        timekeeper: in whose time it lives
    """

    def __init__(self, core: Core, timekeeper: Timekeeper) -> None:
        self._core, self._timekeeper = core, timekeeper
        self._server: asyncio.Server | None = None
        self.client: asyncio.Transport | None = None
        core.send = self._send

    async def open(self) -> str:
        """Begin to listen; returns the address."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Client(self), "127.0.0.1", 0)
        return f"tcp://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def close(self) -> None:
        """End the connection, and listen no more."""
        if self._server is not None:
            self._server.close()
        if self.client is not None:
            self.client.abort()

    def received(self, data: bytes) -> None:
        """The client has sent something."""
        self._timekeeper.act(lambda: self._core.receive(data))

    def left(self) -> None:
        """The client has gone."""
        self.client = None
        self._timekeeper.act(self._core.link_lost)

    def _send(self, data: bytes) -> None:
        if self.client is not None and self.client.get_write_buffer_size() <= TCP_BACKLOG:
            self.client.write(data)


class _Client(asyncio.Protocol):
    """One connection."""

    def __init__(self, link: TcpLink) -> None:
        self._link = link
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if self._link.client is None:
            self._link.client = transport
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._link.client is self._transport:
            self._link.received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._link.client is self._transport:
            self._link.left()
