"""Small clients of e-pucks, written from the description of their protocols, as somebody else's programs would be."""

from __future__ import annotations

import socket
import struct
from typing import Any, NamedTuple, Self

import serial  # type: ignore[import-untyped]

from tests.real_components import PATIENCE


class SerialClient:
    """A serial line at whose other end an e-puck speaks SerCom."""

    def __init__(self, address: str) -> None:
        self.line: Any = serial.Serial(address.removeprefix("serial://"), 115200, timeout=PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()

    def say(self, command: str) -> list[str]:
        """Send a line of text; the fields of the line that answers."""
        self.line.write(command.encode() + b"\r")
        return self.hear()

    def hear(self) -> list[str]:
        """The fields of the next line."""
        line: bytes = self.line.read_until(b"\r\n")
        assert line.endswith(b"\r\n"), line
        return line.decode().strip().split(",")

    def numbers(self, command: str) -> list[int]:
        """The numbers of an answer that begins with the letter of the command."""
        letter, *fields = self.say(command)
        assert letter == command[0].lower()
        return [int(field) for field in fields]

    def ask(self, commands: bytes, answer: str) -> tuple[Any, ...]:
        """Send a chain of binary commands, and take their answers apart."""
        self.line.write(commands + b"\0")
        data = self.line.read(struct.calcsize(answer))
        return struct.unpack(answer, data)


class Sensors(NamedTuple):
    """Some of what an e-puck2 sends over Wi-Fi."""

    acceleration: tuple[int, ...]
    proximity: tuple[int, ...]
    distance: int
    steps: tuple[int, int]
    selector: int
    ground: tuple[int, ...]


class WifiClient:
    """A client of an e-puck2's TCP server."""

    def __init__(self, address: str) -> None:
        host, _, port = address.removeprefix("tcp://").rpartition(":")
        self.socket = socket.create_connection((host, int(port)), PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def command(self, request: int, left: int = 0, right: int = 0, flags: int = 0, leds: bytes = bytes(14)) -> None:
        """Send one command of 21 bytes."""
        self.socket.sendall(struct.pack("<BBBhh", 0x80, request, flags, left, right) + leds)

    def packet(self) -> tuple[int, bytes]:
        """The next part of the stream: its kind, and what it holds."""
        kind = self._read(1)[0]
        return kind, self._read({1: 160 * 120 * 2, 2: 104, 3: 0}[kind])

    def sensors(self) -> Sensors:
        """The next readings."""
        while True:
            kind, data = self.packet()
            if kind == 2:
                return Sensors(
                    struct.unpack_from("<3h", data, 0),
                    struct.unpack_from("<8H", data, 37),
                    struct.unpack_from("<H", data, 69)[0],
                    struct.unpack_from("<2h", data, 79),
                    data[89],
                    struct.unpack_from("<3H", data, 90),
                )

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = self.socket.recv(size - len(data))
            assert piece, "the robot has hung up"
            data += piece
        return data
