"""An e-puck on a serial line: the SerCom protocol, ASCII and binary; the first byte of a command says which."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

from hil.lab import epuck
from hil.lab.core import Core
from hil.lab.epuck import EPuck
from hil.lab.surroundings import Surroundings

WELCOME = b"\x0c\x07WELCOME to the SerCom protocol on e-Puck\r\n"
UNKNOWN = b"z,Command not found\r\n"
VERSION = "v,Version 2.0 January 2018 GCtronic\r\nHW version: stand-in"

LONGEST = 64
"""A longer ASCII command is unknown (bytes)."""

LARGEST_REPLY = 4096
"""Of a chain of binary commands; what is beyond it is left out (bytes)."""

_ENDS = b"\r\n"
_FIELD = re.compile(r"[+-]?[0-9]{1,6}", re.ASCII)
_WORDS = struct.Struct("<2h")


class SercomRobot(Core):
    """An e-puck2 whose selector says SerCom. It has no watchdog: it keeps the speed that it was told last."""

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__(surroundings)
        robot = self.robot = EPuck(surroundings)
        self._line = bytearray()
        self._chained = False
        self._setter: tuple[int, Callable[[bytes], None]] | None = None
        self._arguments = bytearray()
        self._reply = bytearray()
        self._asked: dict[str, Callable[[], str]] = {
            "A": lambda: _text("a", *epuck.GRAVITY),
            "C": lambda: _text("c", epuck.SELECTOR),
            "E": lambda: _text("e", *robot.speeds),
            "M": lambda: _text("m", *epuck.GROUND),
            "N": lambda: _text("n", *robot.proximity()),
            "O": lambda: _text("o", *epuck.AMBIENT),
            "Q": lambda: _text("q", *robot.steps),
            "S": lambda: self._done("s", robot.set_speeds, 0, 0),
            "T": lambda: _text("t", epuck.TEMPERATURE),
            "U": lambda: _text("u", *epuck.MICROPHONES[:3]),
            "V": lambda: VERSION,
            "b": lambda: f"b,{epuck.BATTERY} ({epuck.BATTERY_PERCENT}%)",
            "g": lambda: _text("g", *robot.gyro()),
        }
        self._told: dict[tuple[str, int], Callable[..., object]] = {
            ("B", 1): _nothing,
            ("D", 2): robot.set_speeds,
            ("F", 1): _nothing,
            ("L", 2): _nothing,
            ("P", 2): robot.set_steps,
            ("T", 1): _nothing,
        }
        self._getters: dict[int, Callable[[], bytes]] = {
            _code("E"): lambda: _WORDS.pack(*robot.speeds),
            _code("Q"): lambda: _WORDS.pack(*robot.steps),
            _code("N"): lambda: struct.pack("<8H", *robot.proximity()),
            _code("O"): lambda: struct.pack("<8H", *epuck.AMBIENT),
            _code("a"): lambda: struct.pack("<3h", *epuck.GRAVITY),
            _code("A"): lambda: struct.pack("<3f", *robot.acceleration()),
            _code("g"): lambda: struct.pack("<3h", *robot.gyro()),
            _code("u"): lambda: struct.pack("<3H", *epuck.MICROPHONES[:3]),
            _code("b"): lambda: struct.pack("<H", epuck.BATTERY),
            _code("t"): lambda: struct.pack("<B", epuck.TEMPERATURE),
            0xF8: lambda: robot.sensors()[:103],
            0xF5: lambda: b"\0",
            0xF4: lambda: struct.pack("<4H", *epuck.MICROPHONES),
            0xF3: lambda: struct.pack("<H", robot.time_of_flight()),
        }
        self._setters: dict[int, tuple[int, Callable[[bytes], None]]] = {
            _code("D"): (4, lambda data: robot.set_speeds(*_WORDS.unpack(data))),
            _code("P"): (4, lambda data: robot.set_steps(*_WORDS.unpack(data))),
            _code("L"): (2, _nothing),
            0xF7: (19, lambda data: actuate(robot, data)),
            0xF6: (12, _nothing),
        }

    def start(self) -> None:
        """Greet."""
        self.say(WELCOME)

    def heard(self, data: bytes) -> None:
        """Obey, byte by byte."""
        for byte in data:
            if self._setter is not None:
                self._argument(byte)
            elif self._chained or (byte >= 0x80 and not self._line):
                self._link(byte)
            else:
                self._character(byte)

    # binary

    def _link(self, byte: int) -> None:
        """One more command of a chain, or its end."""
        self._chained = byte != 0
        if byte == 0:
            if self._reply:
                self.say(bytes(self._reply))
                self._reply.clear()
        elif byte in self._setters:
            self._setter = self._setters[byte]
        elif byte in self._getters and len(self._reply) < LARGEST_REPLY:
            self._reply += self._getters[byte]()

    def _argument(self, byte: int) -> None:
        self._arguments.append(byte)
        if self._setter is not None and len(self._arguments) == self._setter[0]:
            act, data = self._setter[1], bytes(self._arguments)
            self._setter = None
            self._arguments.clear()
            act(data)

    # ASCII

    def _character(self, byte: int) -> None:
        if byte in _ENDS:
            if self._line:
                line = bytes(self._line)
                self._line.clear()
                self._obey(line)
        elif (byte or self._line) and len(self._line) <= LONGEST:
            self._line.append(byte)

    def _obey(self, line: bytes) -> None:
        letter, *fields = line.decode("latin-1").split(",")
        if letter not in ("b", "g"):
            letter = letter.upper()
        if letter == "R" and not fields:
            self.robot.reset()
            self.say(b"r\r\n" + WELCOME)
        elif not fields and letter in self._asked:
            self.say(f"{self._asked[letter]()}\r\n".encode())
        elif (letter, len(fields)) in self._told and all(map(_FIELD.fullmatch, fields)):
            self._told[letter, len(fields)](*map(int, fields))
            self.say(f"{letter.lower()}\r\n".encode())
        else:
            self.say(UNKNOWN)

    def _done(self, reply: str, act: Callable[..., object], *arguments: int) -> str:
        act(*arguments)
        return reply


def actuate(robot: EPuck, data: bytes) -> None:
    """Obey 19 bytes that set all actuators: flags, two words, LEDs, colours, sound."""
    flags, left, right = struct.unpack_from("<B2h", data)
    if flags & 1:
        robot.calibrate()
    if flags & 4:
        robot.set_steps(left, right)
    else:
        robot.set_speeds(left, right)


def _code(letter: str) -> int:
    return 256 - ord(letter)


def _text(*fields: object) -> str:
    return ",".join(map(str, fields))


def _nothing(*_arguments: object) -> None:
    """Lights and sounds, which nobody sees or hears."""
