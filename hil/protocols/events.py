"""What a protocol says to its driver: bytes that are to be sent, what has become of the robot, and reminders.

On purpose, `Moved`, `Told` and `Busy` have the names of the messages in the JSON robot protocol that they mirror.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from devs_robotics.core.robots.messages import Rolled
from devs_robotics.core.robots.plain_data import PlainData


class Moved(Struct, frozen=True):
    """The move is done; this is what the robot counted of it (rad, m)."""

    turn: float
    distance: float


class Blocked(Struct, frozen=True):
    """Something stood in the way of the move; this is what the robot counted of it (rad, m)."""

    turn: float
    distance: float


class Stopped(Struct, frozen=True):
    """The robot has given the move up, by itself or because it was told to; it will be told what is left of it.

    Attributes:
        turn, distance: what it counted of it (rad, m)
        late: it did so by itself, since the move took longer than it may
    """

    turn: float
    distance: float
    late: bool = False


class Ranged(Struct, frozen=True):
    """The answer to `sense`, one value per beam (m from the sensor's face, infinite where it sees nothing)."""

    values: tuple[float, ...]


class Felt(Struct, frozen=True):
    """Whether the whiskers touch anything, asked or not."""

    touching: bool


class Told(Struct, frozen=True):
    """What equipment of the robot's own says.

    Attributes:
        name: of the equipment
        data: the answer to what it was asked last, by `ask`; None: that is over, and there is nothing to tell
        unasked: it is no answer, but told by itself, as a button that is pressed
    """

    name: str
    data: PlainData | None
    unasked: bool = False


class Busy(Struct, frozen=True):
    """Equipment of the robot's own is still at what it was asked last.

    Attributes:
        name: of the equipment
    """

    name: str


class Found(Struct, frozen=True):
    """The robot answers: the driver goes on with what there is to do."""


class Lost(Struct, frozen=True):
    """The robot does not answer any more; it is taken to be stopping, and waited for.

    Attributes:
        reason: why, for people
    """

    reason: str


class Dropped(Struct, frozen=True):
    """Something came that was no valid message of this robot.

    Attributes:
        why: what was wrong
        count: how often
    """

    why: str
    count: int = 1


class GivenUp(Struct, frozen=True):
    """The robot can no longer be used: it is stopped, and the run ends.

    Attributes:
        why: the rest of a sentence that begins with the robot, with what to do about it
    """

    why: str


class Remind(Struct, frozen=True):
    """`reminded` is to be called after a time (s), instead of when it was to be called for the same thing."""

    what: str
    after: float


class Forget(Struct, frozen=True):
    """`reminded` is not to be called for it."""

    what: str


Event: TypeAlias = (
    Moved
    | Blocked
    | Stopped
    | Rolled
    | Ranged
    | Felt
    | Told
    | Busy
    | Found
    | Lost
    | Dropped
    | GivenUp
    | Remind
    | Forget
)
"""What a protocol says of a robot, beside bytes."""

Output: TypeAlias = bytes | Event
"""Bytes are to be sent."""
