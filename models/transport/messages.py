"""What the decision models of swarm transportation say to each other, to other robots, and to an experimental frame."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.path import Waypoints

# inside one robot


class Hold(Struct, frozen=True):
    """Tells the layers below that the robot is to stand, for it wants to talk."""


class Resume(Struct, frozen=True):
    """Tells the layers below that they may move the robot again."""


class Visited(Struct, frozen=True):
    """A place where an explorer has come, in a straight line from the one before.

    Attributes:
        x, y: of the place (m)
        destination: whether it is the destination
    """

    x: float
    y: float
    destination: bool = False


class Shortcut(Struct, frozen=True):
    """The chord of two points of the path is free.

    Attributes:
        one, other: indices of the points
    """

    one: int
    other: int


class Company(Struct, frozen=True):
    """Where the robot came upon others in its last round trip (m)."""

    places: Waypoints


class Offered(Struct, frozen=True):
    """A partner's path, as it has come by radio.

    Attributes:
        partner: whose it is
        points: of the path (m)
        company: where the partner came upon others in its last round trip (m), where robots tell
    """

    partner: int
    points: Waypoints
    company: Waypoints = ()


class Route(Struct, frozen=True):
    """The path that the robot has now.

    Attributes:
        points: from the source to the destination (m)
        by: how it came to be: by a find, a gift, a chord, or sharing
    """

    points: Waypoints
    by: str


FOUND, GIVEN, SMOOTHED, SHARED = "find", "gift", "chord", "sharing"
"""How a path came to be."""

# by radio


class Wait(Struct, frozen=True):
    """I am here.

    Attributes:
        sender: who says it
        has_path: whether he has a path
        digest: of that path, where robots compare them; else 0
    """

    sender: int
    has_path: bool
    digest: int = 0


class Accept(Struct, frozen=True):
    """I want to talk with you."""

    sender: int
    receiver: int


class AcceptAck(Struct, frozen=True):
    """So do I: I am in the channel of the two of us from now on."""

    sender: int
    receiver: int


class Reject(Struct, frozen=True):
    """I do not want to talk with you now."""

    sender: int
    receiver: int


class Ack(Struct, frozen=True):
    """I hear you in the channel of the two of us."""

    sender: int


class PathPart(Struct, frozen=True):
    """A part of a path.

    Attributes:
        number: of the part, from 0
        of: how many there are
        points: of the part (m)
    """

    sender: int
    number: int
    of: int
    points: Waypoints


class EndOfTalk(Struct, frozen=True):
    """All is said.

    Attributes:
        of: how many parts of a path there were
        company: where the sender came upon others in its last round trip (m), where robots tell
    """

    sender: int
    of: int
    company: Waypoints = ()


class Claim(Struct, frozen=True):
    """I wait to go along here.

    Attributes:
        loaded: whether the sender, or somebody who waits for it, carries an item
        since: when it, or somebody who waits for it, began to wait (s)
        start, end: of the piece of way (m)
    """

    sender: int
    loaded: bool
    since: float
    start: Point
    end: Point


RadioMessage = Claim | Wait | Accept | AcceptAck | Reject | Ack | PathPart | EndOfTalk

# to an experimental frame


class PathFound(Struct, frozen=True):
    """A robot has found the destination.

    Attributes:
        length: of the way it has come (m)
    """

    robot: int
    length: float


class PathTaken(Struct, frozen=True):
    """A robot has another path, by sharing or smoothing, or has its first one.

    Attributes:
        before, after: how long its path was and is (m); before is 0 where it had none
        by: how it came to be, as of a `Route`
    """

    robot: int
    before: float
    after: float
    by: str


class Delivered(Struct, frozen=True):
    """A robot has brought an item to the destination.

    Attributes:
        number: how many it has brought
    """

    robot: int
    number: int


class Returned(Struct, frozen=True):
    """A robot has arrived at the source.

    Attributes:
        number: how often it has
    """

    robot: int
    number: int


class Yielded(Struct, frozen=True):
    """A robot has made way for another one, and goes on.

    Attributes:
        seconds: that it took
        met: whether there was another one, by what it heard; else it was an obstacle
    """

    robot: int
    seconds: float
    met: bool


class Waited(Struct, frozen=True):
    """A robot has waited for who is ahead, and goes on, or makes way.

    Attributes:
        seconds: that it took
    """

    robot: int
    seconds: float


class Exchanged(Struct, frozen=True):
    """A robot has talked, or tried to, and goes on.

    Attributes:
        partner: with whom
        seconds: that it stood for it
        completed: whether both have said all, as far as it knows
    """

    robot: int
    partner: int
    seconds: float
    completed: bool
