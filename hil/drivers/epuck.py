"""Drivers of e-pucks on a serial line: the SerCom protocol, in ASCII and in binary."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from math import inf

from hil.drivers.epuck_base import Epuck, Reading
from hil.drivers.lines import Lines
from hil.drivers.settings import DriverSettings

QUIET = 0.1
"""A line on which nothing has come for so long (s) is quiet."""

_COUNTERS = re.compile(rb"q,(-?[0-9]{1,5}),(-?[0-9]{1,5})")
_PROXIMITY = re.compile(rb"n" + rb",([0-9]{1,4})" * 8)
_ACKNOWLEDGED = (b"d", b"s")

_TOLD = struct.Struct("<Bhhx")
_ANSWER = struct.Struct("<2h8H2h")
_DISTANCE = struct.Struct("<H")
_SET_WHEELS, _COUNTS, _PROXIMITIES, _TIME_OF_FLIGHT = 256 - ord("D"), 256 - ord("Q"), 256 - ord("N"), 0xF3
HIGHEST = 4095
"""Of a proximity reading."""

DRIFT = 200
"""Between two readings of the counters in one answer they come no further than this (steps)."""


class EpuckAscii(Epuck):
    """An e-puck that is spoken to in lines of text. These tell no time of flight: it sees some centimetres ahead."""

    check = "check that it is switched on, its selector, and its address"

    def __init__(self, name: str, robot: int, address: str, settings: DriverSettings) -> None:
        super().__init__(name, robot, address, settings)
        self._lines = Lines()
        self._counters: tuple[int, ...] | None = None
        self._proximity: tuple[int, ...] | None = None

    def last_words(self) -> Iterable[bytes]:
        """Stop; what is left of a line that was cut off ends first."""
        return [b"\rD,0,0\r"]

    def set_wheels(self, left: int, right: int) -> None:
        """Send speeds."""
        self.send(b"\rD,%d,%d\r" % (left, right))

    def poll(self) -> None:
        """Ask for counters and proximity."""
        self._counters = self._proximity = None
        self.send(b"Q\rN\r")

    def start_listening(self) -> None:
        """Forget half a line."""
        self._lines.clear()

    def readings(self, data: bytes) -> Iterator[Reading]:
        """Each answer to a poll."""
        for line in self._lines.take(data):
            reading = self._reading(line)
            if reading is not None:
                yield reading

    def _reading(self, line: bytes) -> Reading | None:
        """What is complete with a line, if anything is."""
        counters, proximity = _COUNTERS.fullmatch(line), _PROXIMITY.fullmatch(line)
        if line in _ACKNOWLEDGED:
            return None
        if (counters or proximity) and not self.waiting:
            self.drop("an answer to no question")
        elif counters and all(-32768 <= count <= 32767 for count in map(int, counters.groups())):
            self._counters = tuple(map(int, counters.groups()))
        elif proximity and all(value <= HIGHEST for value in map(int, proximity.groups())):
            self._proximity = tuple(map(int, proximity.groups()))
        else:
            self.drop("no answer")
        if self._counters is None or self._proximity is None:
            return None
        (left, right), seen = self._counters, self._proximity
        self._counters = self._proximity = None
        return Reading(left, right, seen, None)


class EpuckBinary(Epuck):
    """An e-puck that is spoken to in bytes; of an e-puck2 the time of flight sensor is read, an e-puck has none.

    Answers have no frames. Each one begins and ends with the step counters, and proximity has a largest value: bytes of
    which that is not true are out of step, and the robot is asked again when the line has been quiet.
    """

    check = "check that it is switched on, its selector, and its address"

    def __init__(self, name: str, robot: int, address: str, settings: DriverSettings) -> None:
        super().__init__(name, robot, address, settings)
        self._answer = bytearray()
        self._out_of_step = False
        self._heard_at = -inf
        self._sees_ahead = True
        self._sure = False
        """Whether it is known if it sees ahead."""

    def last_words(self) -> Iterable[bytes]:
        """Stop; zeros before it complete a command that was cut off."""
        return [bytes(4) + _TOLD.pack(_SET_WHEELS, 0, 0)]

    def set_wheels(self, left: int, right: int) -> None:
        """Send speeds."""
        self.send(_TOLD.pack(_SET_WHEELS, left, right))

    def poll(self) -> None:
        """Ask for counters, proximity, counters again, and time of flight."""
        if len(self._answer) == _ANSWER.size and not self._sure:
            self._sees_ahead = False
        else:
            self.drop("part of an answer", len(self._answer))
        self.start_listening()
        ahead = (_TIME_OF_FLIGHT,) if self._sees_ahead else ()
        self.send(bytes((_COUNTS, _PROXIMITIES, _COUNTS, *ahead, 0)))

    def start_listening(self) -> None:
        """Forget half an answer."""
        self._answer.clear()
        self._out_of_step = False

    def may_poll(self) -> bool:
        """Not while bytes come that are out of step."""
        return not self._out_of_step or self.time - self._heard_at >= QUIET

    def readings(self, data: bytes) -> Iterator[Reading]:
        """The answer to a poll, if it is complete."""
        size = _ANSWER.size + (_DISTANCE.size if self._sees_ahead else 0)
        while data:
            self._heard_at = self.time
            if not self.waiting:
                self.drop("bytes that nobody asked for", len(data))
                return
            missing = size - len(self._answer)
            self._answer += data[:missing]
            data = data[missing:]
            if len(self._answer) == size:
                reading = self._reading(bytes(self._answer))
                self._answer.clear()
                if reading is not None:
                    self._sure = True
                    yield reading

    def _reading(self, answer: bytes) -> Reading | None:
        *counts, left, right = _ANSWER.unpack_from(answer)
        before, seen = counts[:2], tuple(counts[2:])
        moved = ((now - then + 32768) % 65536 - 32768 for now, then in zip((left, right), before, strict=True))
        if max(seen) > HIGHEST or max(map(abs, moved)) > DRIFT:
            self.drop("part of an answer", len(answer))
            self._out_of_step = True
            self.waiting = False
            return None
        ahead = 0.001 * _DISTANCE.unpack_from(answer, _ANSWER.size)[0] if self._sees_ahead else None
        return Reading(left, right, seen, ahead)
