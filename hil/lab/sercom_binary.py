"""SerCom in binary: each byte is a command, and what it answers is joined with what its neighbours do."""

from __future__ import annotations

import struct
from collections.abc import Callable

from msgspec import Struct

from devs_robotics.hil.lab import epuck
from devs_robotics.hil.lab.camera import grey, rgb565
from devs_robotics.hil.lab.epuck import EPuck
from devs_robotics.hil.lab.lights import BODY, FRONT
from devs_robotics.hil.lab.sercom_memory import GREY, Memory

DONE = b"\0"
"""Answer of a command that switches a sensor on or off."""

_WORDS = struct.Struct("<2h")


class BinaryCommand(Struct, frozen=True):
    """One command.

    Attributes:
        arguments: so many bytes follow it
        act: obeys, and returns what is to be answered
    """

    arguments: int
    act: Callable[[bytes], bytes]


def binary_commands(robot: EPuck, memory: Memory) -> dict[int, BinaryCommand]:
    """The commands of a robot by their bytes; others are ignored."""
    asked: dict[int, Callable[[], bytes]] = {
        code("A"): lambda: struct.pack("<3f", *robot.acceleration()),
        code("E"): lambda: _WORDS.pack(*map(epuck.wrapped, memory.speeds)),
        code("I"): lambda: _picture(robot, memory),
        code("M"): lambda: struct.pack("<4H", *robot.ground(), epuck.CLIFF[0]),
        code("N"): lambda: struct.pack("<8H", *robot.proximity()),
        code("O"): lambda: struct.pack("<8H", *robot.ambient()),
        code("Q"): lambda: _WORDS.pack(*robot.low_steps),
        code("Y"): lambda: DONE,
        code("a"): lambda: struct.pack("<3h", *epuck.FILTERED),
        code("b"): lambda: struct.pack("<H", robot.battery.raw),
        code("g"): lambda: struct.pack("<3h", *robot.gyro()),
        code("t"): lambda: struct.pack("<B", epuck.TEMPERATURE),
        code("u"): lambda: struct.pack("<3H", *epuck.MICROPHONES[:3]),
        0xF8: lambda: robot.sensors()[:103],
        0xF5: lambda: b"\0",  # the button, which nobody presses
        0xF4: lambda: struct.pack("<4H", *epuck.MICROPHONES),
        0xF3: lambda: struct.pack("<H", robot.time_of_flight()),
        0xF2: lambda: b"\0",  # no microSD card
    }
    told: dict[int, tuple[int, Callable[[bytes], object]]] = {
        code("D"): (4, lambda data: drive(robot, memory, *_WORDS.unpack(data))),
        code("L"): (2, lambda data: _switch(robot, *data)),
        code("P"): (4, lambda data: set_steps(robot, memory, *_WORDS.unpack(data))),
        code("W"): (3, _nothing),  # a register on the I2C bus
        code("w"): (35, _nothing),  # a panel of lights, which it does not have
        0xF7: (19, lambda data: _actuate(robot, memory, data)),
        0xF6: (12, lambda data: _paint(robot, data)),
    }
    switched: dict[int, Callable[[int], object]] = {
        0xF1: _nothing,  # the magnetometer, which is always on
        0xF0: lambda speed: robot.watch_proximity(speed in (1, 2)),
        0xEF: lambda on: robot.watch_distance(on != 0),
    }
    commands = {byte: BinaryCommand(0, _answering(answer)) for byte, answer in asked.items()}
    commands |= {byte: BinaryCommand(size, _silent(act)) for byte, (size, act) in told.items()}
    commands |= {byte: BinaryCommand(1, _acknowledged(act)) for byte, act in switched.items()}
    return commands


def code(letter: str) -> int:
    """The byte of the command that has this letter in ASCII."""
    return 256 - ord(letter)


def drive(robot: EPuck, memory: Memory, left: int, right: int) -> None:
    """Set the speeds of the wheels (steps/s)."""
    memory.speeds = left, right
    robot.set_speeds(left, right)


def set_steps(robot: EPuck, memory: Memory, left: int, right: int) -> None:
    """Set the step counters."""
    memory.steps = left, right
    robot.set_steps(left, right)


def actuate(robot: EPuck, data: bytes) -> tuple[int, int]:
    """Obey 19 bytes that set all actuators: flags, two words, LEDs, colours, sound; returns the words.

    The words are speeds or, where the flags say so, step counters. Flags and bits that mean nothing are ignored.
    """
    flags, left, right, leds = struct.unpack_from("<B2hB", data)
    if flags & 1:
        robot.calibrate()
    if flags & 4:
        robot.set_steps(left, right)
    else:
        robot.set_speeds(left, right)
    robot.lights.show(leds, data[6:18])
    robot.shine()
    return left, right


def _actuate(robot: EPuck, memory: Memory, data: bytes) -> None:
    memory.speeds = actuate(robot, data)  # even if they were steps: the firmware keeps both in one place


def _switch(robot: EPuck, number: int, action: int) -> None:
    if number == BODY:
        robot.lights.switch_body(action)
    elif number == FRONT:
        robot.lights.switch_front(action)
    else:
        robot.lights.switch(number, action)
    robot.shine()


def _paint(robot: EPuck, data: bytes) -> None:
    robot.lights.paint(data)
    robot.shine()


def _picture(robot: EPuck, memory: Memory) -> bytes:
    window = memory.window
    picture = robot.camera.picture(window)
    pixels = grey(picture) if memory.mode == GREY else rgb565(picture)
    return bytes((memory.mode & 0xFF, window.width & 0xFF, window.height & 0xFF)) + pixels


def _answering(answer: Callable[[], bytes]) -> Callable[[bytes], bytes]:
    return lambda _arguments: answer()


def _silent(act: Callable[[bytes], object]) -> Callable[[bytes], bytes]:
    def obey(arguments: bytes) -> bytes:
        act(arguments)
        return b""

    return obey


def _acknowledged(act: Callable[[int], object]) -> Callable[[bytes], bytes]:
    def obey(arguments: bytes) -> bytes:
        act(arguments[0])
        return DONE

    return obey


def _nothing(_argument: object) -> None:
    """Nothing comes of it."""
