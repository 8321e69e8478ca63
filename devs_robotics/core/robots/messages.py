"""What decision models and activities say to each other, whichever kind of activity it is.

Metres, radians, counter-clockwise positive. Messages are frozen and carry nothing that can change.
"""

from __future__ import annotations

from math import inf

from msgspec import Struct

from devs_robotics.core.errors import ModelError


class Drive(Struct, frozen=True):
    """A command to a motor: rotate about the centre by `turn` (rad), then go `distance` (m, negative: backward)."""

    turn: float = 0.0
    distance: float = 0.0


class Driven(Struct, frozen=True):
    """A motor's report that a command has ended, as its encoders measured it.

    Attributes:
        turn: angle turned (rad)
        distance: distance gone (m, negative: backward)
        blocked: something stood in the way and the command ended early
    """

    turn: float
    distance: float
    blocked: bool = False


class Glide(Struct, frozen=True):
    """A command to omniwheels: go straight in any direction, and turn meanwhile; without a distance and a turn: brake.

    Attributes:
        direction: of the way, from the heading at its beginning (rad)
        distance: how far (m, at least 0)
        turn: how far to turn meanwhile (rad)
        speed: largest speed on the way (m/s); what the wheels can do is not passed
    """

    direction: float = 0.0
    distance: float = 0.0
    turn: float = 0.0
    speed: float = inf


class Glided(Struct, frozen=True, omit_defaults=True):
    """A report of omniwheels that a command has ended; each command has one, in their order.

    Attributes:
        distance: how far it went along its line (m)
        turn: how far it turned (rad)
        blocked: something stood in the way, and the command ended early
        under_way: a real robot only tells how far it has come; decision models do not hear this
    """

    distance: float
    turn: float
    blocked: bool = False
    under_way: bool = False


class Sense(Struct, frozen=True):
    """A question to a sensor: what do you see now?"""


class Ranges(Struct, frozen=True):
    """A range sensor's answer, one value per beam (m, from the sensor's face); infinite where nothing is in range."""

    values: tuple[float, ...]


class Touch(Struct, frozen=True):
    """A whisker's report that it now touches something, or no longer does."""

    touching: bool


class Proximity(Struct, frozen=True):
    """What proximity sensors read, in their own unit: 0 where nothing is near, the more the nearer something is."""

    values: tuple[float, ...]


class Light(Struct, frozen=True):
    """What light sensors read, in their own unit: the less, the brighter it is, as an e-puck2's do."""

    values: tuple[float, ...]


class Ground(Struct, frozen=True):
    """What ground sensors read, in their own unit, from left to right: the more, the brighter the floor is."""

    values: tuple[float, ...]


class AskCharge(Struct, frozen=True):
    """A question to a battery: what is the charge now? And tell me, unasked, when it falls to these levels.

    Attributes:
        below: levels, from 0 to 1, that are watched from now on; without any, those before stay

    Raises:
        ModelError: a level is none
    """

    below: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not all(0.0 <= level <= 1.0 for level in self.below):
            raise ModelError(
                f"a battery's charge is from 0 to 1, and AskCharge.below is {self.below}: give such levels"
            )


class Charge(Struct, frozen=True):
    """What is left in a battery.

    Attributes:
        value: from 1, full, to 0, empty
        low: it is not above the highest level that is watched; an empty battery is always low
    """

    value: float
    low: bool = False


class TimeOfFlight(Struct, frozen=True):
    """What a time of flight sensor reads: how far the nearest thing ahead is, in whole millimetres."""

    range_mm: int


class Encoders(Struct, frozen=True):
    """The step counters of the wheels, in steps; they wrap as the robot's do."""

    left: int
    right: int


class Inertial(Struct, frozen=True):
    """What an accelerometer and a gyroscope tell.

    Attributes:
        acceleration: that is felt: ahead, to the left, up (m/s^2)
        rotation: rates of turn about these axes (rad/s)
    """

    acceleration: tuple[float, float, float]
    rotation: tuple[float, float, float]


class Wheels(Struct, frozen=True):
    """A command to two driven wheels, kept until the next one: how fast each is to roll (m/s, negative: backward)."""

    left: float = 0.0
    right: float = 0.0


class Obstructed(Struct, frozen=True):
    """A report that something stands in the way of a robot that drives by its wheels, or no longer does."""

    obstructed: bool


class Rolled(Struct, frozen=True):
    """A report of two driven wheels: how far each has rolled since the last report, as its encoder measured it.

    Attributes:
        left, right: (m, negative: backward)
    """

    left: float
    right: float


class Watch(Struct, frozen=True):
    """A question to a sensor that answers by itself from now on: at once, and whenever what it reads has changed.

    Attributes:
        levels: readings whose crossings are told, ascending, in the sensor's own unit; none: every change is told
        period: of the points in time at which a program would look (s); 0: a crossing is told at its instant
        offset: of the first of these points (s)
    """

    levels: tuple[float, ...] = ()
    period: float = 0.0
    offset: float = 0.0


class Crossed(Struct, frozen=True):
    """A watched sensor's report.

    Attributes:
        values: what it reads now, one per element
        element: index of the value that has crossed a level; -1 at first, and where every change is told
        level: that it has crossed
        rising: whether it reads more than the level now, or as much
    """

    values: tuple[float, ...]
    element: int = -1
    level: float = 0.0
    rising: bool = False


class Asked(Struct, frozen=True):
    """A question to, or a command for, equipment of a real robot's own.

    Attributes:
        name: of the equipment
        question: of the type of its service
    """

    name: str
    question: Struct


class Answered(Struct, frozen=True):
    """What equipment of a real robot's own answers, or tells unasked.

    Attributes:
        name: of the equipment
        answer: of the type of its service
    """

    name: str
    answer: Struct


class Fix(Struct, frozen=True, omit_defaults=True):
    """A pose fix of a tracking system: the centre of a robot's body in the field (m), and its heading (rad).

    Attributes:
        exposed: when the robot was there (simulated s); None: nobody has said
    """

    robot: int
    x: float
    y: float
    heading: float
    exposed: float | None = None


class TrackChange(Struct, frozen=True):
    """A tracking system has lost a robot, so that nobody is sure where it is, or has found it again."""

    robot: int
    sure: bool


class PoseChange(Struct, frozen=True):
    """Where a robot now stands: the centre of its body (m) and its heading (rad, from +x)."""

    robot: int
    x: float
    y: float
    heading: float
