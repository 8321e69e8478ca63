"""The protocol of an e-puck2 on Wi-Fi."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from math import isfinite

from devs_robotics.core.robots.epuck2.ground import WHITE
from devs_robotics.hil.protocols.epuck import Epuck
from devs_robotics.hil.protocols.epuck_reading import HIGHEST, EpuckReading
from devs_robotics.hil.protocols.events import Dropped
from devs_robotics.hil.protocols.settings import DriverSettings

_COMMAND = struct.Struct("<BBBhh14x")
_BEGINS, _SENSORS = 0x80, 0x02
"""First byte of a command, and the bit in its second one that asks for the sensors."""

_PAYLOAD = struct.Struct("<3h3f3h3fb8H8HH4H2hHB3BB3H3HBB")


class Epuck2Wifi(Epuck):
    """An e-puck2 that is a TCP server: each command sets all there is, and it sends all its sensors without end.

    A packet's beginning is told by what can stand in a packet; other bytes are skipped.
    """

    schemes = ("tcp",)
    check = "check that it is switched on and in the same network, its selector, and its address"
    streams = True

    def __init__(self, robot: int, settings: DriverSettings) -> None:
        super().__init__(robot, settings)
        self._told = (0, 0)
        self._bytes = bytearray()

    def stop_message(self) -> list[bytes]:
        """Stop."""
        return [_command(0, 0)]

    def wheels(self, left: int, right: int) -> bytes:
        """Speeds, and that it goes on sending its sensors."""
        self._told = (left, right)
        return _command(left, right)

    def poll(self) -> bytes:
        """What it was told last, which makes it send."""
        return _command(*self._told)

    def start_listening(self) -> None:
        """Forget half a packet."""
        self._bytes.clear()

    def readings(self, data: bytes) -> Iterator[EpuckReading | Dropped]:
        """A reading per packet."""
        self._bytes += data
        start = skipped = 0
        while start < len(self._bytes):
            packet = self._bytes[start : start + 1 + _PAYLOAD.size]
            reading = None
            if packet[0] == _SENSORS:
                if len(packet) <= _PAYLOAD.size:
                    break
                reading = _reading(packet)
            if reading is None:
                skipped += 1
                start += 1
            else:
                start += len(packet)
                yield reading
        del self._bytes[:start]
        if skipped:
            yield Dropped("bytes of no packet", skipped)


def _reading(packet: bytearray) -> EpuckReading | None:
    """What a packet of all sensors says; None if it is none. Values that a sensor cannot have say nothing."""
    values = _PAYLOAD.unpack_from(packet, 1)
    acceleration, orientation, inclination = values[3:6]
    seen = values[13:29]
    if not (isfinite(acceleration) and 0.0 <= orientation <= 360.0 and 0.0 <= inclination <= 180.0):
        return None
    if max(seen) > HIGHEST:
        return None
    ground, battery = values[42:45], values[36]
    return EpuckReading(
        left=values[34],
        right=values[35],
        proximity=seen[:8],
        ahead=0.001 * values[29],
        light=seen[8:],
        ground=ground if max(ground) <= WHITE else (),
        battery=battery if battery <= HIGHEST else None,
    )


def _command(left: int, right: int) -> bytes:
    return _COMMAND.pack(_BEGINS, _SENSORS, 0, left, right)
