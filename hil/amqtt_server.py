"""What runs in the process of the embedded broker: amqtt behind a socket of ours, with bounds of ours."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from pathlib import Path
from typing import Any

from amqtt.adapters import StreamReaderAdapter, StreamWriterAdapter  # type: ignore[import-untyped]
from amqtt.broker import Broker  # type: ignore[import-untyped]
from amqtt.errors import AMQTTError, MQTTError, NoDataError  # type: ignore[import-untyped]
from amqtt.plugins.base import BaseAuthPlugin  # type: ignore[import-untyped]
from amqtt.session import Session  # type: ignore[import-untyped]

from devs_robotics.hil.transports.sockets import notice_death

LARGEST = 1 << 21
"""Largest size of a message (bytes); a client that sends a larger one is disconnected."""

BACKLOG = 1 << 22
"""Size of what waits for a client (bytes) above which it is taken not to read, and is disconnected."""

LISTENER = "default"
AUTHENTICATION = "amqtt.plugins.authentication."


class _Reader(StreamReaderAdapter):  # type: ignore[misc]
    """Takes no longer messages than `LARGEST`."""

    async def read(self, n: int = -1) -> bytes:
        if n > LARGEST:
            raise AMQTTError(f"a message of {n} bytes")
        data: bytes = await super().read(n)
        return data


class _Writer(StreamWriterAdapter):  # type: ignore[misc]
    """Never waits for a client that does not read; gives it up."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        super().__init__(writer)
        self._transport = writer.transport

    async def drain(self) -> None:
        if self._transport.get_write_buffer_size() > BACKLOG:
            self._transport.abort()

    async def close(self) -> None:
        self.is_closed = True
        self._transport.close()


class Passwords(BaseAuthPlugin):  # type: ignore[misc]
    """Lets in who has a password that was made up for this broker, which cannot be guessed, and so needs no slow hash.

    A hundred robots connect at once, and a hash of a password takes so long that the last ones would be too late.
    """

    @dataclass
    class Config:
        """Passwords by user."""

        passwords: dict[str, str] = field(default_factory=dict)

    async def authenticate(self, *, session: Session) -> bool:
        """Whether a client has the password of its user."""
        given, right = session.password, self.config.passwords.get(session.username)
        return bool(right) and given is not None and compare_digest(given.encode(), right.encode())


async def serve(listening: socket.socket, admitted: Mapping[str, str] | Path | None, ready: Callable[[], None]) -> None:
    """Be a broker at a listening socket, until cancelled.

    Args:
        listening: TCP
        admitted: who may connect: passwords by user, or a file with a line ``user:hash`` for each; None for everybody
        ready: called once clients can connect
    """
    plugins: dict[str, dict[str, Any]]
    if admitted is None:
        plugins = {AUTHENTICATION + "AnonymousAuthPlugin": {"allow_anonymous": True}}
    elif isinstance(admitted, Path):
        plugins = {AUTHENTICATION + "FileAuthPlugin": {"password_file": str(admitted)}}
    else:
        plugins = {f"{__name__}.{Passwords.__name__}": {"passwords": dict(admitted)}}
    broker = Broker({"listeners": {LISTENER: {"type": "external"}}, "plugins": plugins})
    await broker.start()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # amqtt does not end a client that has been silent for longer than its keep-alive; this does
        notice_death(writer.get_extra_info("socket"))
        try:
            await broker.external_connected(_Reader(reader), _Writer(writer), LISTENER)
        except (AMQTTError, MQTTError, NoDataError, OSError):
            pass  # whatever it was that connected, it did not speak MQTT
        finally:
            writer.close()

    async with await asyncio.start_server(connected, sock=listening, backlog=1000) as server:
        ready()
        await server.serve_forever()
