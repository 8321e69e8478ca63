"""The protocol of e-pucks on a serial line, in bytes: SerCom in binary."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from math import inf

from devs_robotics.hil.protocols.epuck import Epuck
from devs_robotics.hil.protocols.epuck_reading import HIGHEST, Reading
from devs_robotics.hil.protocols.events import Dropped, Output
from devs_robotics.hil.protocols.settings import DriverSettings

QUIET = 0.1
"""Time without a byte after which a line is quiet (s)."""

DRIFT = 200
"""Largest difference between the two readings of the counters in one answer (steps); an answer with a larger one is out
of step."""

_TOLD = struct.Struct("<Bhhx")
_ANSWER = struct.Struct("<2h8H2h")
_DISTANCE = struct.Struct("<H")
_SET_WHEELS, _COUNTS, _PROXIMITIES, _TIME_OF_FLIGHT = 256 - ord("D"), 256 - ord("Q"), 256 - ord("N"), 0xF3


class EpuckBinary(Epuck):
    """An e-puck that is spoken to in bytes; of an e-puck2 the time of flight sensor is read, an e-puck has none.

    Answers have no frames. Each one begins and ends with the step counters, and proximity has a largest value: bytes of
    which that is not true are out of step, and the robot is asked again when the line has been quiet.
    """

    schemes = ("serial", "tcp")
    check = "check that it is switched on, its selector, and its address"

    def __init__(self, robot: int, settings: DriverSettings) -> None:
        super().__init__(robot, settings)
        self._answer = bytearray()
        self._out_of_step = False
        self._bytes_at = -inf
        self._sees_ahead = True
        self._sure = False
        """Whether it is known if it sees ahead."""

    def stop_message(self) -> list[bytes]:
        """Stop; zeros before it complete a command that was cut off."""
        return [bytes(4) + _TOLD.pack(_SET_WHEELS, 0, 0)]

    def wheels(self, left: int, right: int) -> bytes:
        """Speeds."""
        return _TOLD.pack(_SET_WHEELS, left, right)

    @property
    def patience(self) -> float:
        """An answer that may lack the time of flight must be told from the next one."""
        return super().patience + (0.0 if self._sure else self.settings.answer_within)

    def tick(self) -> Iterator[Output]:
        """Read it. No more will come of an answer that has been quiet for so long: perhaps there is no more."""
        if self._answer and self.now.time - self._bytes_at >= self.settings.answer_within:
            if not self._sure and len(self._answer) == _ANSWER.size:
                self._sees_ahead = False
                yield from self.feed(b"")
            else:
                yield Dropped("part of an answer", len(self._answer))
                self.start_listening()
                self.polling.awaited.clear()
        yield from super().tick()

    def poll(self) -> bytes:
        """Counters, proximity, counters again, and time of flight."""
        self._out_of_step = False
        ahead = (_TIME_OF_FLIGHT,) if self._sees_ahead else ()
        return bytes((_COUNTS, _PROXIMITIES, _COUNTS, *ahead, 0))

    def start_listening(self) -> None:
        """Forget half an answer."""
        self._answer.clear()
        self._out_of_step = False

    def may_poll(self) -> bool:
        """Not while bytes come that are out of step."""
        return not self._out_of_step or self.now.time - self._bytes_at >= QUIET

    def readings(self, data: bytes) -> Iterator[Reading | Dropped]:
        """The answer to a poll, if it is complete."""
        size = _ANSWER.size + (_DISTANCE.size if self._sees_ahead else 0)
        while data or len(self._answer) == size:
            if data:
                self._bytes_at = self.now.time
            if not self.polling.awaited:
                yield Dropped("bytes that nobody asked for", len(data))
                return
            missing = size - len(self._answer)
            self._answer += data[:missing]
            data = data[missing:]
            if len(self._answer) == size:
                answer = bytes(self._answer)
                self._answer.clear()
                yield self._reading(answer)

    def _reading(self, answer: bytes) -> Reading | Dropped:
        *counts, left, right = _ANSWER.unpack_from(answer)
        before, seen = counts[:2], tuple(counts[2:])
        moved = ((now - then + 32768) % 65536 - 32768 for now, then in zip((left, right), before, strict=True))
        if max(seen) > HIGHEST or max(map(abs, moved)) > DRIFT:
            self._out_of_step = True
            self.polling.awaited.clear()
            return Dropped("part of an answer", len(answer))
        self._sure = True
        ahead = 0.001 * _DISTANCE.unpack_from(answer, _ANSWER.size)[0] if self._sees_ahead else None
        return Reading(left, right, seen, ahead)
