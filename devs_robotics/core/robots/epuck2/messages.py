"""What decision models and equipment say to each other that other robots than an e-puck2 do not have."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.core.robots.epuck2.sensing.camera import Blob
from devs_robotics.core.robots.epuck2.sensing.leds import LedState

__all__ = ["Blob", "Blobs", "Broadcast", "LedState", "RangeAndBearing", "Signal"]


class Blobs(Struct, frozen=True):
    """What a camera sees: LEDs and lamps as coloured blobs, from the left to the right of the picture."""

    blobs: tuple[Blob, ...]


class Broadcast(Struct, frozen=True):
    """What a range-and-bearing board sends to all around, from now on until it is told something else.

    Attributes:
        data: bytes, as whole numbers
    """

    data: tuple[int, ...] = ()


class Signal(Struct, frozen=True):
    """What a range-and-bearing board hears of another robot.

    Attributes:
        data: that it sends
        range: distance between the two robots' middles (m)
        bearing: where it is, counter-clockwise from the listener's front (rad)
    """

    data: tuple[int, ...]
    range: float
    bearing: float


class RangeAndBearing(Struct, frozen=True):
    """What a range-and-bearing board hears now, in no order that says anything of the senders."""

    signals: tuple[Signal, ...]
