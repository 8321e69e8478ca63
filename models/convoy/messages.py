"""What the robots of a convoy say to each other and to an experimental frame."""

from __future__ import annotations

from msgspec import Struct


class Sync(Struct, frozen=True):
    """A robot's word to its back neighbour that it has moved, and how (Hu & Zeigler, Fig. 5).

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
    """A robot's word to its front neighbour that it has followed."""

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


class Lost(Struct, frozen=True):
    """A robot has given up: it cannot find its front robot, or a leader cannot find a way."""

    robot: int
    reason: str


class Inhibit(Struct, frozen=True):
    """Avoid's word to the layer below that it has taken the motor over."""


class Release(Struct, frozen=True):
    """Avoid's word that it is done, and how the robot has moved meanwhile (rad, m)."""

    turn: float
    distance: float
