"""E-pucks, written from the facts about their protocols and not from the project's code."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod

from devs_robotics.hil.testing.driver_bench import DriverBench


def wrapped(count: int, bits: int = 16) -> int:
    half = 1 << (bits - 1)
    return (count + half) % (2 * half) - half


class EpuckPeer(ABC):
    """An e-puck at the other end of a table's link: wheels that keep their speed, whatever happens to the link.

    Attributes:
        latency: of each message, either way (s)
        faster: speed of the wheels, as a multiple of the one that was set
        wall: so many steps the wheels can turn, on the mean
        chunks: sizes of the pieces in which it sends, over and over; empty for whole answers
        deaf: whether it hears nothing
        speeds: that were set
        steps: that the wheels have made
        offset: what the counters show more than that
        bits: of its counters
    """

    def __init__(self, table: DriverBench) -> None:
        self.table = table
        self.latency = 0.0
        self.faster = 1.0
        self.wall = 1e9
        self.chunks: list[int] = []
        self.deaf = False
        self.speeds = (0, 0)
        self.steps = [0.0, 0.0]
        self.offset = [0, 0]
        self.bits = 16
        self.proximity = [0] * 8
        self.ahead = 2000
        self.light = [3000] * 8
        self.ground = [900] * 3
        self.battery = 3277
        self.stops: list[float] = []
        self._at = 0.0
        table.answer = self._arrived

    @property
    def now(self) -> float:
        return self.table.clock.now()

    @property
    def counters(self) -> tuple[int, int]:
        self._turn()
        left, right = (
            wrapped(round(steps) + offset, self.bits) for steps, offset in zip(self.steps, self.offset, strict=True)
        )
        return left, right

    def set_speeds(self, left: int, right: int) -> None:
        self._turn()
        if (left, right) == (0, 0):
            self.stops.append(self.now)
        self.speeds = (left, right)

    def restart(self) -> None:
        self.set_speeds(0, 0)
        self.offset = [-round(steps) for steps in self.steps]

    def _turn(self) -> None:
        passed, self._at = self.now - self._at, self.now
        left, right = (speed * passed * self.faster for speed in self.speeds)
        room = self.wall - 0.5 * sum(self.steps)
        share = min(1.0, max(0.0, room / (0.5 * (left + right)))) if left + right > 0.0 else 1.0
        self.steps = [self.steps[0] + share * left, self.steps[1] + share * right]

    def _arrived(self, data: bytes) -> None:
        if not self.deaf:
            self.table.at(self.now + self.latency, lambda: self.hear(data))

    @abstractmethod
    def hear(self, data: bytes) -> None: ...

    def say(self, data: bytes) -> None:
        if not self.deaf:
            self.table.at(self.now + self.latency, lambda: self._send(data))

    def _send(self, data: bytes) -> None:
        sizes = list(self.chunks)
        while data:
            size = sizes.pop(0) if sizes else len(data)
            self.table.say(data[:size])
            data = data[size:]


class AsciiPeer(EpuckPeer):
    _line = b""

    def hear(self, data: bytes) -> None:
        *lines, self._line = (self._line + data).replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            self._obey(line.decode().split(","))

    def _obey(self, fields: list[str]) -> None:
        if fields[0] == "D":
            self.set_speeds(int(fields[1]), int(fields[2]))
            self.say(b"d\r\n")
        elif fields[0] == "Q":
            self.say(b"q,%d,%d\r\n" % self.counters)
        elif fields[0] == "N":
            self.say(b"n," + ",".join(map(str, self.proximity)).encode() + b"\r\n")
        elif fields[0] == "O":
            self.say(b"o," + ",".join(map(str, self.light)).encode() + b"\r\n")
        elif fields[0] == "M":
            self.say(b"m," + ",".join(map(str, self.ground)).encode() + b",900,900\r\n")
        elif fields[0] == "b":
            self.say(b"b,%d (%d%%)\r\n" % (self.battery, round(100.0 * (self.battery / 819.2 - 3.4) / 0.8)))
        elif fields[0]:
            self.say(b"z,Command not found\r\n")


class BinaryPeer(EpuckPeer):
    """Of an e-puck2, unless `old`."""

    old = False
    drift = 0
    """The counters at the end of a chain show so many steps more than those before."""
    _chain = b""

    def hear(self, data: bytes) -> None:
        self._chain += data
        reply, drifted = b"", 0
        while self._chain:
            byte = self._chain[0]
            if byte == 0xBC:
                if len(self._chain) < 5:
                    break
                self.set_speeds(*struct.unpack("<hh", self._chain[1:5]))
                self._chain = self._chain[5:]
                continue
            self._chain = self._chain[1:]
            if byte == 0xAF:
                left, right = self.counters
                reply += struct.pack("<hh", wrapped(left + drifted), wrapped(right - drifted))
                drifted = self.drift
            elif byte == 0xB2:
                reply += struct.pack("<8H", *self.proximity)
            elif byte == 0xB1:
                reply += struct.pack("<8H", *self.light)
            elif byte == 0xB3:
                reply += struct.pack("<4H", *self.ground, 900)
            elif byte == 0x9E:
                reply += struct.pack("<H", self.battery)
            elif byte == 0xF3 and not self.old:
                reply += struct.pack("<H", self.ahead)
        if reply:
            self.say(reply)


class WifiPeer(EpuckPeer):
    _bytes = b""
    _streaming = False

    def hear(self, data: bytes) -> None:
        self._bytes += data
        while len(self._bytes) >= 21:
            start, request, flags, left, right = struct.unpack("<BBBhh", self._bytes[:7])
            self._bytes = self._bytes[21:]
            assert (start, request, flags) == (0x80, 2, 0)
            self.set_speeds(left, right)
        if not self._streaming:
            self._streaming = True
            self._stream()

    def packet(self) -> bytes:
        data = bytearray(105)
        data[0] = 2
        struct.pack_into("<8H8HH", data, 1 + 37, *self.proximity, *self.light, self.ahead)
        struct.pack_into("<hh", data, 1 + 79, *self.counters)
        struct.pack_into("<H", data, 1 + 83, self.battery)
        struct.pack_into("<3H", data, 1 + 90, *self.ground)
        return bytes(data)

    def _stream(self) -> None:
        self.say(self.packet())
        self.table.at(self.now + 0.02, self._stream)
