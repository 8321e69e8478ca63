"""An e-puck2 on a serial line: the SerCom protocol, ASCII and binary; the first byte of a command says which."""

from __future__ import annotations

from devs_robotics.hil.lab.core import Core
from devs_robotics.hil.lab.epuck import EPuck
from devs_robotics.hil.lab.sercom_binary import BinaryCommand, binary_commands
from devs_robotics.hil.lab.sercom_memory import Memory
from devs_robotics.hil.lab.sercom_text import CALIBRATED, CALIBRATING, TextCommands
from devs_robotics.hil.lab.surroundings import Surroundings

WELCOME = b'\x0c\x07WELCOME to the SerCom protocol on e-Puck\r\nthe EPFL education robot type "H" for help\r\n'

SELECTOR = 3
"""Position of the selector: the one for Bluetooth."""

LONGEST = 64
"""Length of an ASCII command above which what follows does not count (bytes)."""

LARGEST_REPLY = 4096
"""Size of the reply to a chain of binary commands above which the rest is left out (bytes)."""

LARGEST_INPUT = 4096
"""Size of what waits during a calibration above which the rest is lost, as on a real line (bytes)."""

CALIBRATION = 0.5
"""Time for which a robot that calibrates its sensors hears nothing (s)."""

_ENDS = b"\r\n"


class SercomRobot(Core):
    """An e-puck2 whose selector says SerCom. It has no watchdog: it keeps the speed that it was told last."""

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__(surroundings)
        self.robot = EPuck(surroundings, SELECTOR)
        memory = Memory()
        self._text = TextCommands(self.robot, memory)
        self._commands = binary_commands(self.robot, memory)
        self._line = bytearray()
        self._chained = False
        self._command: BinaryCommand | None = None
        self._arguments = bytearray()
        self._reply = bytearray()
        self._input = bytearray()
        self._busy = False

    def start(self) -> None:
        """Greet."""
        self.say(WELCOME)

    def link_lost(self) -> None:
        """The host has gone: what it sent last is obeyed, for it is on the line, and the wheels go on so."""
        self._incoming.hurry()
        self._outgoing.clear()

    def heard(self, data: bytes) -> None:
        """Obey, byte by byte."""
        for place, byte in enumerate(data):
            if self._busy:
                self._input += data[place : place + LARGEST_INPUT - len(self._input)]
                return
            self._take(byte)

    def _take(self, byte: int) -> None:
        if self._command is not None:
            self._arguments.append(byte)
            self._carry_out(self._command)
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
        elif byte in self._commands:
            self._command = self._commands[byte]
            self._carry_out(self._command)

    def _carry_out(self, command: BinaryCommand) -> None:
        """Obey a binary command, if its arguments are complete."""
        if len(self._arguments) < command.arguments:
            return
        payload = command.act(bytes(self._arguments))
        self._command = None
        self._arguments.clear()
        if len(self._reply) + len(payload) <= LARGEST_REPLY:
            self._reply += payload

    # ASCII

    def _character(self, byte: int) -> None:
        if byte in _ENDS:
            if self._line:
                line = bytes(self._line)
                self._line.clear()
                self._obey(line)
        elif (byte or self._line) and len(self._line) < LONGEST:
            self._line.append(byte)

    def _obey(self, line: bytes) -> None:
        letter = chr(line[0])
        if letter in "kK":
            self._calibrate()
            return
        reply = self._text.reply(line)
        if reply:
            self.say(reply)

    def _calibrate(self) -> None:
        self.say(CALIBRATING)
        self._busy = True
        self.surroundings.agenda.at(self.surroundings.now + CALIBRATION, self._calibrated)

    def _calibrated(self) -> None:
        self.robot.calibrate()
        self.say(CALIBRATED)
        self._busy = False
        waiting = bytes(self._input)
        self._input.clear()
        self.heard(waiting)
