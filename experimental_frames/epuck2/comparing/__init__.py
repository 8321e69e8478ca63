"""Every published number beside ours, in the order of the paper."""

from __future__ import annotations

from devs_robotics.experimental_frames.epuck2.comparing.batteries import batteries
from devs_robotics.experimental_frames.epuck2.comparing.robot import robot
from devs_robotics.experimental_frames.epuck2.comparing.row import Row
from devs_robotics.experimental_frames.epuck2.comparing.sensors import sensors
from devs_robotics.experimental_frames.epuck2.made import EpuckFigureData

__all__ = ["Row", "compared"]


def compared(made: EpuckFigureData) -> list[Row]:
    """All but costs, which are another machine's."""
    return [*robot(), *sensors(made), *batteries(made.batteries)]
