"""The JSON robot protocol, version 1: what a host and a robot say to each other over MQTT (docs/robot-protocol.md).

One JSON object per message, with its `type` and the number of the `robot`. The host publishes to ``PREFIX/command``,
and the robot to ``PREFIX/report``; nothing is retained, and all is sent at QoS 0: a command that could not be delivered
must not arrive later. Metres, radians, seconds; counter-clockwise positive.

Each class has the name of its message on the wire. On purpose, `Sense`, `Ranges`, `Touch` and `Fix` mirror the messages
between models of the same names, and `Moved`, `Told` and `Busy` the events that `hil.protocols` makes of them.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, MsgspecError, Struct

from devs_robotics.core.robots.plain_data import LONGEST_NAME, LONGEST_TEXT, MOST_FIELDS, MOST_NUMBERS

LATE_ANSWER = "a late or double answer"
"""What such a one is counted as: answers carry numbers, so it does no harm."""

HEARTBEAT = 0.1
"""Time between two heartbeats, in either direction (s)."""

SILENCE = 0.5
"""Time without a heartbeat after which a robot stops by itself (s)."""

LARGEST = 4096
"""Largest size of a message (bytes); a larger one is not valid."""

UNREADABLE = (MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding raises for bytes that are no message; msgspec lets the last two through."""

Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
Angle: TypeAlias = Annotated[float, Meta(ge=-1e3, le=1e3)]
Distance: TypeAlias = Annotated[float, Meta(ge=-1e3, le=1e3)]
Seconds: TypeAlias = Annotated[float, Meta(gt=0.0, le=1e6)]
Session: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Whole: TypeAlias = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Real: TypeAlias = Annotated[float, Meta(ge=-1e300, le=1e300)]
Text: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Numbers: TypeAlias = Annotated[list[Real], Meta(max_length=MOST_NUMBERS)]
Data: TypeAlias = Annotated[dict[Name, bool | Whole | Real | Text | Numbers], Meta(max_length=MOST_FIELDS)]
"""What equipment of a robot's own is asked, and what it answers."""


class Message(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of all messages."""

    robot: Number


class Move(Message, frozen=True, tag="move"):
    """Rotate by `turn`, then go `distance`; takes the place of a move that is under way.

    A robot carries a move out once, however often it hears its id; it answers a repetition with the same `Moved`, if
    the move has ended. It stops by itself when `deadline` has passed since it heard the move.
    """

    id: Number
    turn: Angle
    distance: Distance
    speed: Annotated[float, Meta(gt=0.0, le=100.0)]
    turn_rate: Annotated[float, Meta(gt=0.0, le=100.0)]
    deadline: Seconds


class Stop(Message, frozen=True, tag="stop"):
    """Stop now; a move that is under way ends as ``stopped``."""


class Sense(Message, frozen=True, tag="sense"):
    """What do you see now? Answered with `Ranges` of the same id."""

    id: Number


class Ask(Message, frozen=True, tag="ask"):
    """A question to equipment of the robot's own, or what it is to do. Answered with `Told` of the same id.

    A robot carries it out once, however often it hears its id; it answers a repetition with the same `Told`.

    Attributes:
        name: of the equipment
    """

    id: Annotated[int, Meta(ge=1, le=2**53)]
    name: Name
    data: Data


class Heartbeat(Message, frozen=True, tag="heartbeat"):
    """The host is there."""

    count: Number


Command: TypeAlias = Move | Stop | Sense | Ask | Heartbeat
"""What the host says."""

Ending: TypeAlias = Literal["done", "blocked", "replaced", "stopped", "deadline", "silence"]


class Moved(Message, frozen=True, tag="moved"):
    """A move has ended; `turn` and `distance` are what the robot's encoders have counted of it.

    `session` is a text that the robot chose at random when it started, in all its messages.
    """

    session: Session
    id: Number
    turn: Angle
    distance: Distance
    ended: Ending


class Ranges(Message, frozen=True, tag="ranges"):
    """What the range sensors see, from left to right (m from the sensor's face, null where nothing is in reach)."""

    session: Session
    id: Number
    values: Annotated[tuple[Annotated[float, Meta(ge=0.0, le=1e3)] | None, ...], Meta(max_length=64)]
    touching: bool


class Touch(Message, frozen=True, tag="touch"):
    """The whiskers touch something now, or no longer do; sent at each change."""

    session: Session
    touching: bool


class Told(Message, frozen=True, tag="told"):
    """What equipment of the robot's own answers, or tells unasked.

    Attributes:
        id: of the `Ask`; 0 for what is told unasked
        name: of the equipment
        data: None: what was asked for is over, and there is nothing to tell
    """

    session: Session
    id: Number
    name: Name
    data: Data | None


class Busy(Message, frozen=True, tag="busy"):
    """Equipment of the robot's own is still at what it was asked, and will tell when it is over.

    Attributes:
        id: of the `Ask`
        name: of the equipment
    """

    session: Session
    id: Number
    name: Name


class State(Message, frozen=True, tag="state", omit_defaults=True):
    """The robot's heartbeat, and where it is by its own reckoning since it started.

    Attributes:
        moving: id of the move that is under way; 0 for none
        last: id of the last move that has ended; 0 for none
        x, y, heading: from where, and in the direction in which, it started (m, m, rad)
        asked: the largest id of an `Ask` that it has heard; 0 for none; absent: it knows none
    """

    session: Session
    count: Number
    moving: Number
    last: Number
    x: float
    y: float
    heading: float
    asked: Number | None = None


class Gone(Message, frozen=True, tag="gone"):
    """The robot's Last Will: the broker has lost it."""

    session: Session


Report: TypeAlias = Moved | Ranges | Touch | Told | Busy | State | Gone
"""What the robot says."""


class Fix(Message, frozen=True, tag="fix", omit_defaults=True):
    """What a tracking system says: where a robot is in the field (m, m, rad).

    Attributes:
        age: time since the middle of the exposure, when this was sent (s); absent: the system does not know
    """

    x: Distance
    y: Distance
    heading: Angle
    age: Annotated[float, Meta(ge=0.0, le=1e3)] | None = None
