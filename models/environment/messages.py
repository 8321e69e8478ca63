"""What activities, the environment model and an experimental frame say to each other, besides `questions`.

Every message names the robot by its number, from 1. Metres, radians, counter-clockwise positive.
"""

from __future__ import annotations

from math import cos, sin

from msgspec import Struct

from devs_robotics.core.robots.messages import PoseChange

__all__ = ["ArcMotion", "Disturbance", "Motion", "MotionEnded", "PoseChange", "Stopped", "Twist"]


class Motion(Struct, frozen=True):
    """A motion asked of the environment: rotate by `turn`, then go `distance` along the new heading."""

    robot: int
    turn: float
    distance: float


class ArcMotion(Struct, frozen=True):
    """A motion that a real robot has made on its wheels: along an arc of length `distance`, which turned it by `turn`.

    The heading changed evenly; without a distance it rotated about its centre.
    """

    robot: int
    turn: float
    distance: float

    def end(self, x: float, y: float, heading: float) -> tuple[float, float, float]:
        """Where it leads from a pose (m, m, rad); the heading may go on past a full turn."""
        half = 0.5 * self.turn
        chord, towards = self.distance * (sin(half) / half if half else 1.0), heading + half
        return x + chord * cos(towards), y + chord * sin(towards), heading + self.turn


class MotionEnded(Struct, frozen=True):
    """Report of the environment that a motion has ended, as the robot's encoders measure it (noise-free)."""

    robot: int
    turn: float
    distance: float
    blocked: bool


class Twist(Struct, frozen=True):
    """A velocity asked of the environment, which a robot keeps until the next one.

    Attributes:
        speed: along the heading (m/s, negative: backward)
        turn_rate: of the heading (rad/s)
    """

    robot: int
    speed: float
    turn_rate: float


class Stopped(Struct, frozen=True):
    """Report of the environment that a robot has run into something, or that its way is free again."""

    robot: int
    stopped: bool


class Disturbance(Struct, frozen=True):
    """What the floor does to a robot's next motion (Hu & Zeigler, Fig. 6), from a generator.

    Attributes:
        stretch: distance error, as a share of the distance
        swerve: change of heading by the end of the motion (rad/m of distance)
    """

    robot: int
    stretch: float
    swerve: float
