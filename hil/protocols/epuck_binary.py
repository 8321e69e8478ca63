"""The protocol of e-pucks on a serial line, in bytes: SerCom in binary."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterator
from math import inf

from devs_robotics.core.robots.epuck2.ground import WHITE
from devs_robotics.hil.protocols.epuck import Epuck
from devs_robotics.hil.protocols.epuck_equipment import FURTHER, Further
from devs_robotics.hil.protocols.epuck_reading import HIGHEST, EpuckReading
from devs_robotics.hil.protocols.events import Dropped, Output
from devs_robotics.hil.protocols.settings import DriverSettings

QUIET = 0.1
"""Time without a byte after which a line is quiet (s)."""

DRIFT = 200
"""Largest difference between the two readings of the counters in one answer (steps); an answer with a larger one is out
of step."""

_TOLD = struct.Struct("<Bhhx")
_ANSWER = struct.Struct("<2h8H2h")
_COUNTERS = struct.Struct("<2h")
_DISTANCE = struct.Struct("<H")
_SET_WHEELS, _COUNTS, _PROXIMITIES, _TIME_OF_FLIGHT = 256 - ord("D"), 256 - ord("Q"), 256 - ord("N"), 0xF3
_FURTHER: dict[Further, tuple[int, int, int]] = {
    "light": (256 - ord("O"), 8, HIGHEST),
    "ground": (256 - ord("M"), 4, WHITE),
    "battery": (256 - ord("b"), 1, HIGHEST),
}
"""The byte that asks for it, how many words answer, and the largest of those that count; of the ground three count."""


class EpuckBinary(Epuck):
    """An e-puck that is spoken to in bytes; of an e-puck2 the time of flight sensor is read, an e-puck has none.

    Answers have no frames. Each one begins and ends with the step counters, and readings have a largest value: bytes of
    which that is not true are out of step, and the robot is asked again when the line has been quiet.
    """

    schemes = ("serial", "tcp")
    check = "check that it is switched on, its selector, and its address"

    def __init__(self, robot: int, settings: DriverSettings) -> None:
        super().__init__(robot, settings)
        self._answer = bytearray()
        self._asked: deque[tuple[Further, ...]] = deque()
        """What else was asked for by the last questions, the newest last."""
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
            if not self._sure and len(self._answer) == self._size:
                self._sees_ahead = False
                yield from self.feed(b"")
            else:
                yield Dropped("part of an answer", len(self._answer))
                self.start_listening()
                self.polling.awaited.clear()
        yield from super().tick()

    def poll(self) -> bytes:
        """Counters, proximity, what else is wanted, counters again, and time of flight."""
        self._out_of_step = False
        wanted = self.sensors.wanted
        self._asked.append(wanted)
        ahead = (_TIME_OF_FLIGHT,) if self._sees_ahead else ()
        return bytes((_COUNTS, _PROXIMITIES, *(_FURTHER[kind][0] for kind in wanted), _COUNTS, *ahead, 0))

    def start_listening(self) -> None:
        """Forget half an answer."""
        self._answer.clear()
        self._out_of_step = False

    def may_poll(self) -> bool:
        """Not while bytes come that are out of step."""
        return not self._out_of_step or self.now.time - self._bytes_at >= QUIET

    def readings(self, data: bytes) -> Iterator[EpuckReading | Dropped]:
        """The answer to a poll, if it is complete."""
        ahead = _DISTANCE.size if self._sees_ahead else 0
        while data or (self._answer and len(self._answer) >= self._size + ahead):
            if data:
                self._bytes_at = self.now.time
            if not self.polling.awaited:
                yield Dropped("bytes that nobody asked for", len(data))
                return
            missing = max(0, self._size + ahead - len(self._answer))
            self._answer += data[:missing]
            data = data[missing:]
            if len(self._answer) >= self._size + ahead:
                answer = bytes(self._answer)
                self._answer.clear()
                yield self._reading(answer)

    @property
    def _coming(self) -> tuple[Further, ...]:
        """What else the answer that is coming tells."""
        while len(self._asked) > max(1, len(self.polling.awaited)):  # the others have come, or are lost
            self._asked.popleft()
        return self._asked[0] if self._asked else ()

    @property
    def _size(self) -> int:
        """Of the answer that is coming, without the time of flight (bytes)."""
        return _ANSWER.size + 2 * sum(_FURTHER[kind][1] for kind in self._coming)

    def _reading(self, answer: bytes) -> EpuckReading | Dropped:
        wanted, size = self._coming, self._size
        counts = _COUNTERS.unpack_from(answer), _COUNTERS.unpack_from(answer, size - _COUNTERS.size)
        seen, further = struct.unpack_from("<8H", answer, _COUNTERS.size), _told(wanted, answer)
        moved = ((now - then + 32768) % 65536 - 32768 for then, now in zip(*counts, strict=True))
        fits = max(seen) <= HIGHEST and all(max(further[kind]) <= _FURTHER[kind][2] for kind in wanted)
        if not fits or max(map(abs, moved)) > DRIFT:
            self._out_of_step = True
            self.polling.awaited.clear()
            return Dropped("part of an answer", len(answer))
        self._sure = True
        left, right = counts[1]
        ahead = 0.001 * _DISTANCE.unpack_from(answer, size)[0] if self._sees_ahead else None
        light, ground, battery = (further.get(kind, ()) for kind in FURTHER)
        return EpuckReading(left, right, seen, ahead, light, ground, battery[0] if battery else None)


def _told(wanted: tuple[Further, ...], answer: bytes) -> dict[Further, tuple[int, ...]]:
    """What an answer tells beside counters and proximity."""
    found, place = dict[Further, tuple[int, ...]](), _COUNTERS.size + 16
    for kind in wanted:
        words = _FURTHER[kind][1]
        found[kind] = struct.unpack_from(f"<{words}H", answer, place)[: 3 if kind == "ground" else words]
        place += 2 * words
    return found
