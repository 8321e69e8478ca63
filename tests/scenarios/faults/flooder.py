"""An e-puck2 on Wi-Fi that sends without end, as fast as it is read, from when it is told to: nobody is so fast."""

from __future__ import annotations

import socket
from contextlib import suppress
from random import Random
from threading import Event, Thread
from types import TracebackType
from typing import Self

from tests.real_components import PATIENCE

AT_REST = b"\x02" + bytes(104)
"""A packet of all sensors: its wheels stand still and it sees nothing."""

VALID = AT_REST * 1000
GARBAGE = Random(1).randbytes(100_000)

USUAL = 0.02
"""Between two packets before the flood (s)."""


class Flooder:
    """A server for one client, while it is entered.

    Args:
        flood: what is sent again and again

    Attributes:
        address: where it is
        begin: starts the flood
        sent: so many bytes of it have been sent
    """

    def __init__(self, flood: bytes) -> None:
        self.begin = Event()
        self.sent = 0
        self._flood = flood
        self._ended = Event()
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(4.0 * PATIENCE)
        self.address = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"
        self._thread = Thread(target=self._serve)

    def _serve(self) -> None:
        with suppress(OSError), self._server.accept()[0] as client:
            client.settimeout(USUAL)
            while not (self.begin.wait(USUAL) or self._ended.is_set()):
                client.sendall(AT_REST)
            while not self._ended.is_set():
                with suppress(TimeoutError):
                    self.sent += client.send(self._flood)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self.begin.set()
        self._server.close()
        self._thread.join()
