"""Drivers of e-pucks on a serial line: the SerCom protocol, in ASCII and in binary."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator

from devs_robotics.hil.drivers.epuck_base import Epuck, Reading
from devs_robotics.hil.drivers.lines import Lines
from devs_robotics.hil.drivers.settings import DriverSettings

QUIET = 0.1
"""A line on which nothing has come for so long (s) is quiet."""

_COUNTERS = re.compile(rb"q,(-?[0-9]+),(-?[0-9]+)")
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
    """An e-puck that is spoken to in lines of text. These tell no time of flight: it sees some centimetres ahead.

    The counters of an e-puck have 16 bits; those that an e-puck2 tells in text have more, and do not wrap there.
    """

    schemes = ("serial", "tcp")
    check = "check that it is switched on, its selector, and its address"

    def __init__(self, name: str, robot: int, address: str, settings: DriverSettings) -> None:
        super().__init__(name, robot, address, settings)
        self._lines = Lines()
        self._counters: tuple[int, int] | None

    def last_words(self) -> Iterable[bytes]:
        """Stop; what is left of a line that was cut off ends first."""
        return [b"\rD,0,0\r"]

    def set_wheels(self, left: int, right: int) -> None:
        """Send speeds."""
        self.send(b"\rD,%d,%d\r" % (left, right))

    def poll(self) -> None:
        """Ask for counters, and then proximity."""
        self.send(b"Q\rN\r")

    def start_listening(self) -> None:
        """Forget half a line, and half an answer."""
        self._lines.clear()
        self._counters = None

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
        elif counters:
            left, right = map(int, counters.groups())
            self._counters = left, right
        elif proximity and self._counters is not None and all(int(value) <= HIGHEST for value in proximity.groups()):
            (left, right), self._counters = self._counters, None
            return Reading(left, right, tuple(map(int, proximity.groups())), None)
        else:
            self.drop("no answer")
        return None


class EpuckBinary(Epuck):
    """An e-puck that is spoken to in bytes; of an e-puck2 the time of flight sensor is read, an e-puck has none.

    Answers have no frames. Each one begins and ends with the step counters, and proximity has a largest value: bytes of
    which that is not true are out of step, and the robot is asked again when the line has been quiet.
    """

    schemes = ("serial", "tcp")
    check = "check that it is switched on, its selector, and its address"

    def __init__(self, name: str, robot: int, address: str, settings: DriverSettings) -> None:
        super().__init__(name, robot, address, settings)
        self._answer = bytearray()
        self._out_of_step: bool
        self._bytes_at: float
        self._sees_ahead = True
        self._sure = False
        """Whether it is known if it sees ahead."""

    def last_words(self) -> Iterable[bytes]:
        """Stop; zeros before it complete a command that was cut off."""
        return [bytes(4) + _TOLD.pack(_SET_WHEELS, 0, 0)]

    def set_wheels(self, left: int, right: int) -> None:
        """Send speeds."""
        self.send(_TOLD.pack(_SET_WHEELS, left, right))

    @property
    def patience(self) -> float:
        """An answer that may lack the time of flight must be told from the next one."""
        return super().patience + (0.0 if self._sure else self.settings.answer_within)

    def tick(self) -> None:
        """Read it. No more will come of an answer that has been quiet for so long: perhaps there is no more."""
        if self._answer and self.time - self._bytes_at >= self.settings.answer_within:
            if not self._sure and len(self._answer) == _ANSWER.size:
                self._sees_ahead = False
                self.heard(b"")
            else:
                self.drop("part of an answer", len(self._answer))
                self.start_listening()
                self.expect_nothing()
        super().tick()

    def poll(self) -> None:
        """Ask for counters, proximity, counters again, and time of flight."""
        self._out_of_step = False
        ahead = (_TIME_OF_FLIGHT,) if self._sees_ahead else ()
        self.send(bytes((_COUNTS, _PROXIMITIES, _COUNTS, *ahead, 0)))

    def start_listening(self) -> None:
        """Forget half an answer."""
        self._answer.clear()
        self._out_of_step = False

    def may_poll(self) -> bool:
        """Not while bytes come that are out of step."""
        return not self._out_of_step or self.time - self._bytes_at >= QUIET

    def readings(self, data: bytes) -> Iterator[Reading]:
        """The answer to a poll, if it is complete."""
        size = _ANSWER.size + (_DISTANCE.size if self._sees_ahead else 0)
        while data or len(self._answer) == size:
            if data:
                self._bytes_at = self.time
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
            self.expect_nothing()
            return None
        ahead = 0.001 * _DISTANCE.unpack_from(answer, _ANSWER.size)[0] if self._sees_ahead else None
        return Reading(left, right, seen, ahead)
