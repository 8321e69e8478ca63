"""What activities, the environment model and an experimental frame say to each other, besides `questions`.

Every message names the robot by its number, from 1. Metres, radians, counter-clockwise positive. Bodies without a robot
have numbers, too: those that follow on the robots' numbers.
"""

from __future__ import annotations

from math import cos, sin

from msgspec import Struct

from devs_robotics.core.robots.messages import PoseChange
from devs_robotics.models.environment.motion.glide_path import GlidePath
from devs_robotics.models.environment.motion.profile import Piece, Profile
from devs_robotics.models.environment.motion.trajectory import Trajectory
from devs_robotics.models.environment.traits import Traits

__all__ = [
    "ArcMotion",
    "Become",
    "BodyChange",
    "BodyMotion",
    "Carry",
    "Disturbance",
    "Follow",
    "GlideMotion",
    "Halted",
    "Join",
    "Leave",
    "Motion",
    "MotionEnded",
    "PoseChange",
    "PutDown",
    "TrajectoryChange",
    "Twist",
]


class Motion(Struct, frozen=True, tag=True):
    """A motion asked of the environment: rotate by `turn`, then go `distance` along the new heading."""

    robot: int
    turn: float
    distance: float


class ArcMotion(Struct, frozen=True, tag=True):
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


class GlideMotion(Struct, frozen=True):
    """A motion of omniwheels asked of the environment, from where the robot is: along a line, while it turns.

    Attributes:
        direction: of the line, from the heading that it has now (rad)
        pieces: duration (s) and jerk (m/s^3) of each piece along the line
        speed, acceleration: that it has along the line already (m/s, m/s^2)
        rotation: duration (s) and jerk (rad/s^3) of each piece of the rotation
        turn_rate, turn_acceleration: that it has already (rad/s, rad/s^2)
    """

    robot: int
    direction: float
    pieces: tuple[Piece, ...]
    speed: float = 0.0
    acceleration: float = 0.0
    rotation: tuple[Piece, ...] = ()
    turn_rate: float = 0.0
    turn_acceleration: float = 0.0

    def path(self, now: float, x: float, y: float, heading: float) -> GlidePath:
        """The motion from a time (s) and a pose (m, m, rad) on."""
        line = Profile(now, x, y, heading + self.direction, self.pieces, self.speed, self.acceleration)
        rotation = Profile(now, 0.0, 0.0, 0.0, self.rotation, self.turn_rate, self.turn_acceleration)
        return GlidePath(line, heading, rotation)


class Halted(Struct, frozen=True):
    """Report of the environment that a robot has run into something, or that its way is free again."""

    robot: int
    stopped: bool


class TrajectoryChange(Struct, frozen=True):
    """How a robot moves from now on.

    Attributes:
        trajectory: in absolute time; where it begins, the robot is now
    """

    robot: int
    trajectory: Trajectory


class BodyMotion(Struct, frozen=True):
    """How a body moves from now on, robot or not.

    Attributes:
        robot: its number
        trajectory: in absolute time; None: it has left the world
        radius: of the body (m)
        kind: of thing, as its traits say
        carried: whether it is carried, and so touches nothing
    """

    robot: int
    trajectory: Trajectory | None
    radius: float
    kind: str = "robot"
    carried: bool = False


class Disturbance(Struct, frozen=True):
    """What the floor does to a robot's next motion (Hu & Zeigler, Fig. 6), from a generator.

    Attributes:
        stretch: distance error, as a share of the distance
        swerve: change of heading by the end of the motion (rad/m of distance)
    """

    robot: int
    stretch: float
    swerve: float


class Join(Struct, frozen=True):
    """A body joins the world, and rests.

    Attributes:
        robot: its number: the next one after those that there have been so far
        x, y, heading: where it stands
        radius: of its body (m)
        traits: what it is
    """

    robot: int
    x: float
    y: float
    heading: float
    radius: float
    traits: Traits = Traits()


class Leave(Struct, frozen=True):
    """A body leaves the world, with what it carries; its number is not used again."""

    robot: int


class Become(Struct, frozen=True):
    """A body is another kind of thing from now on, or of another colour.

    Attributes:
        traits: all of them
    """

    robot: int
    traits: Traits


class Follow(Struct, frozen=True):
    """A body follows a trajectory until it ends, until the body runs into something, or until it is told otherwise.

    When it runs into something it rests there, and the rest of the trajectory is given up.

    Attributes:
        trajectory: in absolute time; where it is elsewhere now, the body jumps there
    """

    robot: int
    trajectory: Trajectory


class Carry(Struct, frozen=True):
    """A robot, or another body, carries a body from now on; this is seen, but touches nothing.

    Attributes:
        cargo: number of what it carries
        ahead, left: where in its own frame (m)
        heading: how that is turned there (rad)
    """

    robot: int
    cargo: int
    ahead: float = 0.0
    left: float = 0.0
    heading: float = 0.0


class PutDown(Struct, frozen=True):
    """A robot, or another body, puts down what it carries, which rests where it is.

    Attributes:
        cargo: number of what it carries
    """

    robot: int
    cargo: int


BodyChange = Join | Become | Follow | Carry | PutDown | Leave
"""What happens to bodies, beside that robots drive."""
