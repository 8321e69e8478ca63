"""The protocol of e-pucks on a serial line, in text: SerCom in ASCII."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devs_robotics.core.robots.epuck2.ground import WHITE
from devs_robotics.hil.protocols.epuck import Epuck
from devs_robotics.hil.protocols.epuck_equipment import FURTHER, Further
from devs_robotics.hil.protocols.epuck_reading import HIGHEST, EpuckReading
from devs_robotics.hil.protocols.events import Dropped
from devs_robotics.hil.protocols.lines import Lines
from devs_robotics.hil.protocols.settings import DriverSettings

_COUNTERS = re.compile(rb"q,(-?[0-9]+),(-?[0-9]+)")
_PROXIMITY = re.compile(rb"n" + rb",([0-9]{1,4})" * 8)
_LIGHT = re.compile(rb"o" + rb",([0-9]{1,4})" * 8)
_GROUND = re.compile(rb"m" + rb",([0-9]{1,4})" * 3 + rb"(?:,[0-9]{1,4}){0,2}")
_BATTERY = re.compile(rb"b,([0-9]{1,4}) \(-?[0-9]{1,4}%\)")
_FURTHER: dict[Further, tuple[bytes, re.Pattern[bytes], int]] = {
    "light": (b"O\r", _LIGHT, HIGHEST),
    "ground": (b"M\r", _GROUND, WHITE),
    "battery": (b"b\r", _BATTERY, HIGHEST),
}
"""What asks for it, its answer, which may have two more values of cliff sensors, and the largest number in that."""
_ACKNOWLEDGED = (b"d", b"s")


class EpuckAscii(Epuck):
    """An e-puck that is spoken to in lines of text. These tell no time of flight: it sees some centimetres ahead.

    The counters of an e-puck have 16 bits; those that an e-puck2 tells in text have more, and do not wrap there.
    """

    schemes = ("serial", "tcp")
    check = "check that it is switched on, its selector, and its address"

    def __init__(self, robot: int, settings: DriverSettings) -> None:
        super().__init__(robot, settings)
        self._lines = Lines()
        self._counters: tuple[int, int] | None = None
        """Those of the answer that is coming."""
        self._further: dict[Further, tuple[int, ...]] = {}
        """What else that has told."""

    def stop_message(self) -> list[bytes]:
        """Stop; what is left of a line that was cut off ends first."""
        return [b"\rD,0,0\r"]

    def wheels(self, left: int, right: int) -> bytes:
        """Speeds."""
        return b"\rD,%d,%d\r" % (left, right)

    def poll(self) -> bytes:
        """Counters, what else is wanted, and then proximity."""
        return b"".join((b"Q\r", *(_FURTHER[kind][0] for kind in self.sensors.wanted), b"N\r"))

    def start_listening(self) -> None:
        """Forget half a line, and half an answer."""
        self._lines.clear()
        self._counters = None
        self._further.clear()

    def readings(self, data: bytes) -> Iterator[EpuckReading | Dropped]:
        """Each answer to a poll."""
        for line in self._lines.take(data):
            reading = self._reading(line)
            if reading is not None:
                yield reading

    def _reading(self, line: bytes) -> EpuckReading | Dropped | None:
        """What is complete with a line, if anything is."""
        counters, proximity, further = _COUNTERS.fullmatch(line), _PROXIMITY.fullmatch(line), _further(line)
        if line in _ACKNOWLEDGED:
            return None
        if (counters or proximity or further) and not self.polling.awaited:
            return Dropped("an answer to no question")
        if counters:
            left, right = map(int, counters.groups())
            self._counters = left, right
            self._further.clear()
            return None
        if further:
            self._further.update(further)
            return None
        if proximity and self._counters is not None and all(int(value) <= HIGHEST for value in proximity.groups()):
            (left, right), self._counters = self._counters, None
            light, ground, battery = (self._further.get(kind, ()) for kind in FURTHER)
            seen = tuple(map(int, proximity.groups()))
            return EpuckReading(left, right, seen, None, light, ground, battery[0] if battery else None)
        return Dropped("no answer")


def _further(line: bytes) -> dict[Further, tuple[int, ...]]:
    """What a line tells beside counters and proximity, by its kind; nothing, if it is no such line."""
    for kind, (_, answer, largest) in _FURTHER.items():
        if found := answer.fullmatch(line):
            values = tuple(map(int, found.groups()))
            return {kind: values} if max(values) <= largest else {}
    return {}
