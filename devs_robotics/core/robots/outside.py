"""What robots whose programs are outside say to the world, and hear from it, whatever wire is between them.

Such a robot keeps its own pose and reports it, and asks the world for what it would sense. Robots are named by the
number that they have outside, which need not be the number of a body. Metres, radians, counter-clockwise positive.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from devs_robotics.core.robots.colours import Rgb

Reality = Literal["real", "virtual"]
"""Whether something is really there, or in a model alone."""

Realities: TypeAlias = tuple[Reality, ...]
"""Which of them are meant."""

BOTH: Realities = ("real", "virtual")

Sensor = Literal["distance", "colour", "proximity"]
"""What a robot can ask for."""

Pose: TypeAlias = tuple[float, float, float]
"""x, y (m) and heading (rad)."""


class Sighting(Struct, frozen=True):
    """What a ray from the middle of a robot meets first.

    Attributes:
        distance: from the middle (m); infinite where nothing is ahead
        colour: of what is there; None where nothing is, or what has no colour
    """

    distance: float
    colour: Rgb | None = None


# what robots say


class FromOutside(Struct, frozen=True, tag=True):
    """Base of what robots, and people about robots, say to the world."""

    robot: int


class Introduces(FromOutside, frozen=True):
    """A robot is new.

    Attributes:
        pose: where it stands, if it knows
        reality: of the robot, if it says so
    """

    pose: Pose | None = None
    reality: Reality | None = None


class IsThere(FromOutside, frozen=True):
    """A robot is there, and does not say where."""

    reality: Reality | None = None


class Stands(FromOutside, frozen=True):
    """Where a robot stands now, by its own reckoning or as a camera sees it."""

    x: float
    y: float
    heading: float
    reality: Reality | None = None


class Asks(FromOutside, frozen=True):
    """What does a sensor read?

    Attributes:
        sensor: which
        bearings: of its rays, from the robot's heading (rad)
        sees: things of these realities; None: what such a robot is shown by default
    """

    sensor: Sensor
    bearings: tuple[float, ...] = (0.0,)
    sees: Realities | None = None


class AsksWhere(FromOutside, frozen=True):
    """Where do I stand?"""


class Calls(FromOutside, frozen=True):
    """A message to all robots near.

    Attributes:
        text: of the message
        reach: how far it is heard (m); None: as far as usual
        ahead: whether only robots ahead hear it
    """

    text: str
    reach: float | None = None
    ahead: bool = False


class Glows(FromOutside, frozen=True):
    """The colour in which a robot's LEDs shine now."""

    colour: Rgb


class Logs(FromOutside, frozen=True):
    """A line for whoever runs the experiment."""

    text: str


class Dismissed(FromOutside, frozen=True):
    """Somebody wants a robot to be taken out."""


class AskedFor(FromOutside, frozen=True):
    """A viewer wants to know all of one robot."""


class AskedForAll(FromOutside, frozen=True):
    """A viewer wants to know where all robots are; `robot` is 0."""


# what robots hear


class ToRobot(Struct, frozen=True, tag=True):
    """Base of what the world says to a robot.

    Attributes:
        robot: that is told
        real: whether it is a physical robot, to which only short messages are sent
    """

    robot: int
    real: bool


class SensorAnswer(ToRobot, frozen=True, tag="Reads"):
    """What a sensor reads.

    Attributes:
        sensor: which
        sightings: of each of its rays
        radius: of the robot's body (m)
    """

    sensor: Sensor
    sightings: tuple[Sighting, ...]
    radius: float


class StandsAt(ToRobot, frozen=True):
    """Where the robot stands, as the world knows it."""

    x: float
    y: float
    heading: float


class Hears(ToRobot, frozen=True):
    """A message of another robot.

    Attributes:
        ahead: whether it was only for robots ahead of the sender
    """

    text: str
    ahead: bool = False


Word = Literal["start", "stop", "reset"]
"""What robots are ordered to do: run, wait, begin anew."""


class Ordered(Struct, frozen=True, tag=True):
    """An order to one robot, or to all.

    Attributes:
        robot: None: all
    """

    word: Word
    robot: int | None = None


# what viewers hear


class RobotJoined(ToRobot, frozen=True, tag="Came"):
    """A robot is there now; `real` says whether it is a physical one."""


class RobotLeft(Struct, frozen=True, tag="Gone"):
    """A robot is not there any more."""

    robot: int


class Portrait(Struct, frozen=True, tag=True):
    """What is known of one robot.

    Attributes:
        pose: where it stands, if that is known
        heard: when it was heard last (s since the beginning)
        distance: what its distance sensor was told last (m from the middle); None: nothing yet
        radius: of its body (m)
        glow: colour of its LEDs
    """

    robot: int
    reality: Reality
    pose: Pose | None
    heard: float
    radius: float
    distance: float | None = None
    glow: Rgb = (0, 0, 0)


class Gathering(Struct, frozen=True, tag=True):
    """All robots that are there, by number."""

    robots: tuple[Portrait, ...]


class OwnJoined(Struct, frozen=True, tag=True):
    """A robot that is a model lives in the world, too."""

    portrait: Portrait


class OwnMoved(Struct, frozen=True, tag=True):
    """Where robots that are models stand now.

    Attributes:
        portraits: of those that are elsewhere than was told last, by number
    """

    portraits: tuple[Portrait, ...]


ToOutside: TypeAlias = ToRobot | Ordered | RobotLeft | Portrait | Gathering | OwnJoined | OwnMoved
"""What goes out."""
