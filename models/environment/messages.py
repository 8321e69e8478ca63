"""What activities, the environment model and an experimental frame say to each other.

Every message names the robot by its number, from 1. Metres, radians, counter-clockwise positive.
"""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.core.robots.messages import PoseChange

__all__ = [
    "Cast",
    "Contact",
    "Distances",
    "Disturbance",
    "Feel",
    "Motion",
    "MotionEnded",
    "PoseChange",
    "Probe",
    "Room",
]


class Motion(Struct, frozen=True):
    """A motion asked of the environment: rotate by `turn`, then go `distance` along the new heading."""

    robot: int
    turn: float
    distance: float


class MotionEnded(Struct, frozen=True):
    """Report of the environment that a motion has ended, as the robot's encoders measure it (noise-free)."""

    robot: int
    turn: float
    distance: float
    blocked: bool


class Disturbance(Struct, frozen=True):
    """What the floor does to a robot's next motion (Hu & Zeigler, Fig. 6), from a generator.

    Attributes:
        stretch: distance error, as a share of the distance
        swerve: change of heading by the end of the motion (rad/m of distance)
    """

    robot: int
    stretch: float
    swerve: float


class Cast(Struct, frozen=True):
    """A range sensor's question, answered by a ray cast per beam: how far is the nearest thing?

    Attributes:
        bearings: one per beam, from the robot's heading (rad)
        reach: how far the beams go, from the edge of the body (m)
    """

    robot: int
    bearings: tuple[float, ...]
    reach: float


class Distances(Struct, frozen=True):
    """The exact answer to a `Cast`: distance from the edge of the body (m), infinite where nothing is in reach."""

    robot: int
    values: tuple[float, ...]


class Feel(Struct, frozen=True):
    """A whisker's question: does it touch anything now?"""

    robot: int


class Contact(Struct, frozen=True):
    """Whether a robot's whiskers touch something; sent when asked, and whenever it changes."""

    robot: int
    touching: bool


class Probe(Struct, frozen=True):
    """A question before a motion: is there room for it?"""

    robot: int
    turn: float
    distance: float


class Room(Struct, frozen=True):
    """The answer to a `Probe`.

    Attributes:
        way: free distance (m) until the body touches something; infinite if that is further than was asked
        duration: how long a virtual motor takes for the motion, even if something stops it (s)
    """

    robot: int
    way: float
    duration: float
