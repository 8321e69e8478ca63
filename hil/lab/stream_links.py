"""Links of robots that speak in streams of bytes: a pty, and a TCP server."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from contextlib import suppress
from pathlib import Path

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.hil.addresses import SerialAddress, TcpAddress, parse
from devs_robotics.hil.lab.core import Core
from devs_robotics.hil.lab.timekeeper import Timekeeper

CHUNK = 4096
"""Largest size of what is read at once (bytes)."""

PTY_BACKLOG = 1 << 16
"""Size of what waits until the host reads it above which packets are lost, as on a real line (bytes)."""

TCP_BACKLOG = 1 << 18
"""The same for a TCP client (bytes)."""

QUEUE = 8
"""Number of clients that may wait until the one that is served has left."""

BREATH = 0.1
"""Time after which clients are let in again when one could not be (s)."""

_REMEDIES = {
    errno.EADDRINUSE: "end the program that listens there, or choose another port",
    errno.EACCES: "choose a port from 1024 on, or allow it (on Linux by net.ipv4.ip_unprivileged_port_start)",
    errno.EADDRNOTAVAIL: "choose an address that this machine has",
}


class PtyLink:
    """A pty on whose other end a host finds the robot, by the name of a link if the robot's plan gives one.

    Args:
        core: the robot
        timekeeper: in whose time it lives
        loop: that runs

    Attributes:
        address: where the host finds it

    Raises:
        DevsRoboticsError: the plan's address is no path, or there cannot be a link
    """

    def __init__(self, core: Core, timekeeper: Timekeeper, loop: asyncio.AbstractEventLoop) -> None:
        try:
            import pty
            import tty
        except ImportError:  # as on Windows
            raise DevsRoboticsError(
                f"robot {core.surroundings.plan.robot} would be played on a pseudo-terminal, which this system "
                "does not have: let it listen at a tcp:// address (--listen), or take --lab inside"
            ) from None
        self._core, self._timekeeper, self._loop = core, timekeeper, loop
        self._name = _name(core)
        # the host's end stays open here too: otherwise each host that leaves would end the line for good
        self._line, self._host_end = pty.openpty()
        self._device = os.ttyname(self._host_end)
        if self._name is not None:
            try:
                self._name.symlink_to(self._device)
            except OSError as error:
                os.close(self._line)
                os.close(self._host_end)
                raise _no_link(core, self._name, f"({error.strerror}): choose another name") from error
        tty.setraw(self._host_end)
        os.set_blocking(self._line, False)
        self.address = f"serial://{self._name or self._device}"
        self._unsent = bytearray()
        core.send = self._send
        loop.add_reader(self._line, self._read)

    def close(self) -> None:
        """Pull the cable, and take the link away."""
        if self._name is not None:
            with suppress(OSError):  # somebody else has taken it away, or put something else there
                if str(self._name.readlink()) == self._device:
                    self._name.unlink()
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


def _name(core: Core) -> Path | None:
    """Of the link that the robot's plan wants, free to be made; None if it wants none."""
    plan = core.surroundings.plan
    if not plan.address:
        return None
    address = parse(plan.address)
    if not isinstance(address, SerialAddress) or not address.url.startswith("/"):
        raise DevsRoboticsError(
            f"robot {plan.robot} is on a serial line and cannot listen at {plan.address}: give a name for its line, "
            f"such as serial:///tmp/epuck{plan.robot}"
        )
    name = Path(address.url)
    if name.is_symlink() and str(name.readlink()).startswith("/dev/") and not name.exists():
        name.unlink()  # a lab that was killed has left it
    if name.is_symlink():
        raise _no_link(core, name, "since another line has it: end the program that uses it, or choose another name")
    if name.exists():
        raise _no_link(core, name, "since there is something else already: choose another name")
    return name


def _no_link(core: Core, name: Path, why: str) -> DevsRoboticsError:
    return DevsRoboticsError(f"robot {core.surroundings.plan.robot} cannot have {name} as the name of its line {why}")


class TcpLink:
    """A TCP server for one client at a time, at the address of the robot's plan or on a free port of this machine.

    Others can connect, and are served one after the other when the one before has left.

    Args:
        core: the robot
        timekeeper: in whose time it lives

    Attributes:
        client: that is served
    """

    def __init__(self, core: Core, timekeeper: Timekeeper) -> None:
        self._core, self._timekeeper = core, timekeeper
        self._listening: socket.socket | None = None
        self._serving: asyncio.Task[None] | None = None
        self.client: asyncio.Transport | None = None
        core.send = self._send
        core.is_jammed = self._is_jammed

    def open(self) -> str:
        """Begin to listen; returns the address.

        Raises:
            DevsRoboticsError: the plan's address is none for TCP, or nobody can listen there
        """
        self._listening = _listen(self._core)
        self._listening.setblocking(False)
        self._serving = asyncio.get_running_loop().create_task(self._serve(self._listening))
        host, port = self._listening.getsockname()[:2]
        return str(TcpAddress(host, port))

    def close(self) -> None:
        """End the connection, and listen no more."""
        if self._serving is not None:
            self._serving.cancel()
        if self._listening is not None:
            self._listening.close()
        if self.client is not None:
            self.client.abort()

    def received(self, data: bytes) -> None:
        """The client has sent something."""
        self._timekeeper.act(lambda: self._core.receive(data))

    def left(self) -> None:
        """The client has gone."""
        self.client = None
        self._timekeeper.act(self._core.link_lost)

    async def _serve(self, listening: socket.socket) -> None:
        """Let clients in, one after the other; those that wait do so in the system's queue."""
        loop = asyncio.get_running_loop()
        while True:
            client = _Client(self)
            try:
                connection, _ = await loop.sock_accept(listening)
                await loop.connect_accepted_socket(lambda client=client: client, connection)  # type: ignore[misc]
            except OSError:  # it has gone already, or this process has too many files open
                await asyncio.sleep(BREATH)
            else:
                await client.gone.wait()

    def _send(self, data: bytes) -> None:
        if self.client is not None and not self._is_jammed():
            self.client.write(data)

    def _is_jammed(self) -> bool:
        return self.client is not None and self.client.get_write_buffer_size() > TCP_BACKLOG


class _Client(asyncio.Protocol):
    """One connection."""

    def __init__(self, link: TcpLink) -> None:
        self.gone = asyncio.Event()
        self._link = link

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._link.client = transport

    def data_received(self, data: bytes) -> None:
        self._link.received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._link.left()
        self.gone.set()


def _listen(core: Core) -> socket.socket:
    plan = core.surroundings.plan
    address = parse(plan.address) if plan.address else TcpAddress("127.0.0.1", 0)
    if not isinstance(address, TcpAddress):
        raise DevsRoboticsError(
            f"robot {plan.robot} is a TCP server and cannot listen at {plan.address}: give a host of this machine and "
            "a port, such as tcp://127.0.0.1:1000"
        )
    try:
        family, _, _, _, place = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(place, family=family, backlog=QUEUE)
    except OSError as error:
        number = error.errno or 0
        why = error.strerror if isinstance(error, socket.gaierror) else os.strerror(number)
        remedy = _REMEDIES.get(number, "correct the address")
        raise DevsRoboticsError(f"robot {plan.robot} cannot listen at {address} ({why}): {remedy}") from error
