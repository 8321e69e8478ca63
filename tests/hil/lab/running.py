"""A lab that runs: its lines, and what it writes."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path

from tests.real_components import PATIENCE


def truth(path: Path) -> list[dict[str, float]]:
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that nobody can tell of, such as a file that grows."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def connected(address: str) -> socket.socket:
    host, port = address.removeprefix("tcp://").split(":")
    return socket.create_connection((host, int(port)), PATIENCE)


def received(client: socket.socket, size: int) -> bytes:
    """The next bytes, all of them."""
    data = b""
    while len(data) < size:
        piece = client.recv(size - len(data))
        assert piece, data
        data += piece
    return data
