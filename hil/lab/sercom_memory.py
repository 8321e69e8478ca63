"""What the SerCom firmware remembers from one command to the next."""

from __future__ import annotations

from dataclasses import dataclass

from devs_robotics.hil.lab.camera import ReadoutWindow

GREY, COLOUR = 0, 1
"""Modes of a picture: one byte per pixel, or two (RGB565)."""

LARGEST_PICTURE = 4056
"""Largest size of a picture (bytes); instead of a larger one there is the ordinary one."""

ORDINARY = ReadoutWindow(40, 40, 8)
"""The picture unless a client wants another."""


@dataclass
class Memory:
    """Arguments that a command leaves out are those of the one before, in ASCII and binary alike.

    Attributes:
        speeds: of the wheels as they were commanded, whatever the wheels can do (steps/s)
        steps: to which the counters were set
        led: number and action
        register: module, register and value
        mode, window: of the camera's pictures
    """

    speeds: tuple[int, int] = (0, 0)
    steps: tuple[int, int] = (0, 0)
    led: tuple[int, int] = (0, 0)
    register: tuple[int, int, int] = (0, 0, 0)
    mode: int = COLOUR
    window: ReadoutWindow = ORDINARY

    @property
    def picture_size(self) -> int:
        """Of a picture (bytes)."""
        return self.window.width * self.window.height * (1 if self.mode == GREY else 2)
