"""SerCom in ASCII: the first letter of a line says what is wanted, and further fields are read as C's sscanf does."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from devs_robotics.hil.lab import epuck
from devs_robotics.hil.lab.camera import ReadoutWindow
from devs_robotics.hil.lab.epuck import EPuck
from devs_robotics.hil.lab.lights import ALL
from devs_robotics.hil.lab.sercom_binary import drive, set_steps
from devs_robotics.hil.lab.sercom_memory import COLOUR, LARGEST_PICTURE, ORDINARY, Memory

UNKNOWN = b"z,Command not found\r\n"
CALIBRATING = b"k, Starting calibration - Remove any object in sensors range\r\n"
CALIBRATED = b"k, Calibration finished\r\n"

GROUND_MODULE = 192
"""Address of the ground sensors on the I2C bus, where there is nothing else."""

HELP = {
    "A": "accelerometer",
    "B,#": "body LED: 0 off, 1 on, 2 the other state",
    "C": "selector",
    "D,#,#": "set the speeds of the wheels: left, right",
    "E": "speeds of the wheels: left, right",
    "F,#": "front LED: 0 off, 1 on, 2 the other state",
    "G": "remote control",
    "H": "this help",
    "I": "camera: mode, width, height, zoom, size",
    "J,#,#,#,#,#,#": "set the camera: mode, width, height, zoom, x, y",
    "K": "calibrate the proximity sensors",
    "L,#,#": "LED: number, then 0 off, 1 on, 2 the other state",
    "M": "ground sensors",
    "N": "proximity sensors",
    "O": "ambient light",
    "P,#,#": "set the step counters: left, right",
    "Q": "step counters: left, right",
    "R": "reset",
    "S": "stop, and LEDs off",
    "T,#": "sound: 1 to 5, or none",
    "U": "microphones",
    "V": "version",
    "W,#,#,#": "write a register: module, register, value",
    "Y,#,#": "read a register: module, register",
    "Z": "modules on the I2C bus",
    "b": "battery",
    "g": "gyroscope",
}

_FIELD = re.compile(rb",[ \t\v\f]*([+-]?[0-9]+)")
_MOST = 2**31 - 1
"""Largest number in a command; a larger one counts as this one."""


class TextCommands:
    """Answers lines.

    Args:
        robot: that obeys
        memory: of the firmware
    """

    def __init__(self, robot: EPuck, memory: Memory) -> None:
        self._robot = robot
        self._memory = memory
        self._commands: dict[str, Callable[[bytes], str]] = {
            "A": lambda _: _text("a", *epuck.FILTERED),
            "B": self._body_led,
            "C": lambda _: _text("c", robot.selector),
            "D": self._drive,
            "E": lambda _: _text("e", *memory.speeds),
            "F": self._front_led,
            "G": lambda _: "g IR check : 0x0, address : 0x0, data : 0x0\r\n",
            "H": lambda _: "\n" + "".join(f'"{command}"\t{use}\r\n' for command, use in HELP.items()),
            "I": lambda _: self._camera(),
            "J": self._set_camera,
            "L": self._ring_led,
            "M": lambda _: _text("m", *robot.ground(), *epuck.CLIFF),
            "N": lambda _: _text("n", *robot.proximity()),
            "O": lambda _: _text("o", *robot.ambient()),
            "P": self._set_steps,
            "Q": lambda _: _text("q", *robot.steps),
            "R": lambda _: "",
            "S": lambda _: self._stop(),
            "T": lambda _: "t\r\n",
            "U": lambda _: _text("u", *epuck.MICROPHONES[:3]),
            "V": lambda _: "v,Version 2.0 January 2018 GCtronic\r\nHW version: FFFF\r\n",
            "W": self._write_register,
            "Y": self._read_register,
            "Z": lambda _: f"{GROUND_MODULE}: {self._register(GROUND_MODULE, 0)}\r\n",
            "b": lambda _: f"b,{robot.battery.raw} ({robot.battery.percent}%)\r\n",
            "g": lambda _: _text("g", *robot.gyro()),
        }

    def reply(self, line: bytes) -> bytes:
        """Obey a line, which is not empty and has no end; returns what is to be answered, which may be nothing."""
        letter = chr(line[0])
        command = self._commands.get(letter if letter in "bg" else letter.upper())
        return UNKNOWN if command is None else command(line).encode()

    # what has fields

    def _drive(self, line: bytes) -> str:
        left, right = scan(line, self._memory.speeds)
        drive(self._robot, self._memory, left, right)
        return "d\r\n"

    def _stop(self) -> str:
        """The speeds that were commanded stay in the firmware's memory."""
        self._robot.set_speeds(0, 0)
        self._robot.lights.switch(ALL, 0)
        self._robot.shine()
        return "s\r\n"

    def _set_steps(self, line: bytes) -> str:
        left, right = scan(line, self._memory.steps)
        set_steps(self._robot, self._memory, left, right)
        return "p\r\n"

    def _body_led(self, line: bytes) -> str:
        self._robot.lights.switch_body(self._action(line))
        self._robot.shine()
        return "b\r\n"

    def _front_led(self, line: bytes) -> str:
        self._robot.lights.switch_front(self._action(line))
        self._robot.shine()
        return "f\r\n"

    def _action(self, line: bytes) -> int:
        (action,) = scan(line, (self._memory.led[1],))
        self._memory.led = self._memory.led[0], action
        return action

    def _ring_led(self, line: bytes) -> str:
        number, action = scan(line, self._memory.led)
        self._memory.led = number, action
        self._robot.lights.switch(number, action)
        self._robot.shine()
        return "l\r\n"

    def _camera(self) -> str:
        memory = self._memory
        window = memory.window
        return _text("i", memory.mode, window.width, window.height, window.zoom, memory.picture_size)

    def _set_camera(self, line: bytes) -> str:
        memory, before = self._memory, self._memory.window
        mode, width, height, zoom, x, y = scan(line, (memory.mode, before.width, before.height, before.zoom, -1, -1))
        memory.mode = mode
        zoom = max(1, zoom)
        memory.window = ReadoutWindow(width, height, zoom, None if x == -1 else x, None if y == -1 else y)
        if min(width, height) < 1 or memory.picture_size > LARGEST_PICTURE:
            memory.mode = COLOUR
            memory.window = replace(memory.window, width=ORDINARY.width, height=ORDINARY.height)
        return "j\r\n"

    def _write_register(self, line: bytes) -> str:
        module, register, value = scan(line, self._memory.register)
        self._memory.register = module, register, value
        return "w\r\n"

    def _read_register(self, line: bytes) -> str:
        module, register = scan(line, self._memory.register[:2])
        self._memory.register = module, register, self._register(module, register)
        return _text("y", module, register) + 2 * _text(
            "y", self._memory.register[2]
        )  # over Bluetooth it says so twice

    def _register(self, module: int, register: int) -> int:
        """What stands in a register on the I2C bus: the ground sensors, high byte first; -1 where there is none."""
        if module != GROUND_MODULE:
            return -1
        places = {2 * number: value for number, value in enumerate(self._robot.ground())}
        places |= {13 + 2 * number: value for number, value in enumerate(epuck.CLIFF)}
        if register in places:
            return places[register] >> 8
        return places.get(register - 1, 0) & 0xFF


def scan(line: bytes, before: tuple[int, ...]) -> tuple[int, ...]:
    """The whole numbers after a letter, each after a comma; from the first that is none on, those of `before`.

    A number may have spaces before it and a sign; what follows its digits belongs to no number.
    """
    found, place = list[int](), 1
    while len(found) < len(before) and (field := _FIELD.match(line, place)):
        found.append(max(-_MOST - 1, min(_MOST, int(field[1]))))
        place = field.end()
    return (*found, *before[len(found) :])


def _text(*fields: object) -> str:
    return ",".join(map(str, fields)) + "\r\n"
