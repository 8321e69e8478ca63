"""What decision models and equipment of the case logistics say to each other."""

from __future__ import annotations

from msgspec import Struct


class CompassReading(Struct, frozen=True):
    """A compass's answer: the robot's heading in the map (rad)."""

    heading: float


class AskZone(Struct, frozen=True):
    """A question to the zone sense: tell me the zone, and again whenever it is another."""


class ZoneReading(Struct, frozen=True):
    """In which zone the robot is: "search", "drop", or "" between them."""

    zone: str


class MoveLifter(Struct, frozen=True):
    """A command to a lifter: raise the platform, or lower it."""

    up: bool


class LifterMoved(Struct, frozen=True):
    """A lifter's report that a command has ended.

    Attributes:
        loaded: whether there is a carrier on it now
    """

    loaded: bool


class AskTags(Struct, frozen=True):
    """A question to the cameras: tell me from now on what you see; or not any more.

    Attributes:
        wanted: whether it is to be told
    """

    wanted: bool = True


class TagsSeen(Struct, frozen=True, omit_defaults=True):
    """What the cameras saw in one frame; one entry in each list for each tag, nearest first.

    Poses are in the robot's frame at the time of exposure, of the tag's middle; the yaw is that of the face's normal,
    which points out of the carrier, and of the carrier itself for marker maps.

    Attributes:
        age: time since the exposure (s)
        cameras: 0 to 3 around, 4: the one that looks up, which sees marker maps
        tags: number of the carrier; a float like the camera's, as wires have lists of floats
        x, y: (m)
        yaw: (rad)
        height: above that of a tag of a carrier on the floor (m)
    """

    age: float
    cameras: tuple[float, ...] = ()
    tags: tuple[float, ...] = ()
    x: tuple[float, ...] = ()
    y: tuple[float, ...] = ()
    yaw: tuple[float, ...] = ()
    height: tuple[float, ...] = ()


class Go(Struct, frozen=True):
    """A goal for the navigator: in one of some directions, or to a pose; without either: stop.

    Attributes:
        number: of the goal, which its end repeats
        directions: from the heading, the first one that is free is taken; where none is, the one that is least likely
            to lead to a collision, slowly and a short way (rad)
        distance: how far (m)
        turn: how far to turn meanwhile (rad)
        speed: largest (m/s)
        short: how far it goes where none is free (m)
        anywhere: whether any direction is taken where none is free; else one of these
        narrow: whether it leads between the legs of a carrier, so that only what is straight ahead counts
        under: number of that carrier, for frames; 0: it leads between none
        stay: whether the robot stays where it is if no direction is free at the speed; the goal ends "warned" then
        alone: whether no direction is free, either, while somebody else is at the carrier to which the first one leads;
            or, if that one leads out of it, stands beside the end
        middle: how far in the first direction the middle of that carrier is; behind: negative (m)
    """

    number: int
    directions: tuple[float, ...] = ()
    distance: float = 0.0
    turn: float = 0.0
    speed: float = 0.3
    short: float = 0.2
    anywhere: bool = False
    narrow: bool = False
    stay: bool = False
    under: int = 0
    alone: bool = False
    middle: float = 0.0


class GoalEnded(Struct, frozen=True):
    """The end of a goal.

    Attributes:
        number: of the goal
        how: "arrived", "warned" or "blocked"
        turned: by how much the robot has turned since the end before was told (rad)
    """

    number: int
    how: str
    turned: float = 0.0


class Consider(Struct, frozen=True):
    """A question to the collision map: which of these directions is free at a speed?

    Attributes:
        directions: from the heading (rad)
        speed: (m/s)
        anywhere: whether any direction may be the answer where none is free
    """

    directions: tuple[float, ...]
    speed: float
    anywhere: bool = False


class Considered(Struct, frozen=True):
    """The answer: the direction (rad), and whether it is free; where none is, the one with the least likelihood."""

    direction: float
    free: bool


class CollisionWarning(Struct, frozen=True):
    """A collision has become likely, or is not likely any more."""

    likely: bool


class Loaded(Struct, frozen=True):
    """What the robot carries, as far as it matters for collisions.

    Attributes:
        carrier: whether it carries a carrier
        yaw: of that from its heading (rad)
        x, y: where its middle is in the robot's frame (m)
    """

    carrier: bool
    yaw: float = 0.0
    x: float = 0.0
    y: float = 0.0


class DockingEnded(Struct, frozen=True):
    """An attempt to pick a carrier up has ended.

    Attributes:
        robot: its number
        carrier: number that was seen; 0: only a marker map
        cause: "docked", or why not: "lost", "blocked", "warned", "missed"
    """

    robot: int
    carrier: int
    cause: str


class CarrierMoved(Struct, frozen=True):
    """A carrier was raised by a robot, or put down.

    Attributes:
        carrier: its number, from 1
        robot: number of the robot
        raised: whether it rides now
        retrieved: whether it stands in the drop zone
    """

    carrier: int
    robot: int
    raised: bool
    retrieved: bool
