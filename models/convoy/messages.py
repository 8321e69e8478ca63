"""What the robots of a convoy say to each other and to an experimental frame."""

from __future__ import annotations

from msgspec import Struct


class Sync(Struct, frozen=True):
    """Tells the back neighbour that a robot has moved, and how (Hu & Zeigler, Fig. 5).

    Attributes:
        robot: the sender
        alpha: turned before the drive (rad)
        distance: driven (m)
        beta: turned after the drive (rad)
    """

    robot: int
    alpha: float
    distance: float
    beta: float


class CaughtUp(Struct, frozen=True):
    """Tells the front neighbour that a robot has followed."""

    robot: int


class RoundDone(Struct, frozen=True):
    """A robot has completed a round: predict and turn, move, adjust, inform.

    Attributes:
        round: from 1
        adjustments: turns and drives that it took in this round's adjust process
    """

    robot: int
    round: int
    adjustments: int


class WayLost(Struct, frozen=True):
    """A robot has lost its way and gives up: it cannot find its front robot, or a leader finds no free direction."""

    robot: int
    reason: str


class Inhibit(Struct, frozen=True):
    """Tells the layer below that Avoid has taken the motor over."""


class Release(Struct, frozen=True):
    """Tells the layer below that Avoid has handed the motor back, and how the robot has moved meanwhile (rad, m)."""

    turn: float
    distance: float
