"""One e-puck on a serial line in a small lab, and how it is spoken to."""

from __future__ import annotations

import struct
from math import pi
from typing import Any

from devs_robotics.hil.lab.lights import Lights
from devs_robotics.hil.lab.sercom import WELCOME, SercomRobot
from tests.hil.lab.small_lab import SmallLab, stand_in

STEP_LENGTH = pi * 0.041 / 1000  # m


def epuck(**changes: Any) -> SmallLab:
    lab = SmallLab(stand_in(protocol="epuck-ascii", radius=0.035, **changes))
    assert lab.bytes_of() == WELCOME
    return lab


def ask(lab: SmallLab, data: bytes) -> bytes:
    lab.tell(data)
    return lab.bytes_of()


def code(letter: str) -> bytes:
    return bytes([256 - ord(letter)])


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}h", *values)


def lights(lab: SmallLab, robot: int = 1) -> Lights:
    stand_in = lab.laboratory.robots[robot]
    assert isinstance(stand_in, SercomRobot)
    return stand_in.robot.lights
