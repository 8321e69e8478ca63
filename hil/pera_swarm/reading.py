"""What comes over the wire: from a topic and bytes to messages; nothing that comes is ever an error.

What is no message is dropped, and told as the kind of mistake it is, for whoever counts them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import radians
from typing import Any, TypeAlias

from msgspec import Struct

from devs_robotics.core.robots.outside import (
    AskedFor,
    AskedForAll,
    Asks,
    AsksWhere,
    Calls,
    Dismissed,
    FromOutside,
    Glows,
    Introduces,
    IsThere,
    Logs,
    Pose,
    Realities,
    Sensor,
    Stands,
)
from devs_robotics.hil.pera_swarm import topics
from devs_robotics.hil.pera_swarm.arena import WireArena, heading_of, metres
from devs_robotics.hil.pera_swarm.values import (
    MALFORMED,
    NO_JSON,
    WrongError,
    decoded,
    number,
    reality,
    robot_id,
    sees,
    table,
    text,
)

LARGEST = 64 * 1024
"""Largest payload that is looked at (bytes): a camera may tell the poses of all robots at once."""

MOST_ANGLES = 64
"""Most rays of one question."""

TOO_LONG, TOO_FAR, UNKNOWN_TOPIC = "too long", "a pose too far away", "an unknown topic"


class ObstaclesWanted(Struct, frozen=True):
    """A viewer wants to know the obstacles of some realities."""

    sees: Realities


class Announced(Struct, frozen=True):
    """Another server, or this one itself, is on this channel.

    Attributes:
        uuid: its name
        since: when it began, by its own clock
    """

    uuid: str
    since: float


Message: TypeAlias = FromOutside | ObstaclesWanted | Announced


class DecodedPacket(Struct, frozen=True):
    """What a packet said.

    Attributes:
        messages: in it
        dropped: kinds of mistakes, one for each part that was no message
        repaired: whether it was no JSON, but could be read as what it was meant to be
    """

    messages: tuple[Message, ...] = ()
    dropped: tuple[str, ...] = ()
    repaired: bool = False


def read(arena: WireArena, topic: str, data: bytes) -> DecodedPacket:
    """What a packet says, whatever is in it.

    Args:
        arena: that the poses are in
        topic: without its channel
        data: the payload
    """
    if len(data) > LARGEST:
        return DecodedPacket(dropped=(TOO_LONG,))
    reader = _READERS.get(topic)
    if reader is None:
        return DecodedPacket(dropped=(UNKNOWN_TOPIC,))
    try:
        return reader(arena, data)
    except WrongError as error:
        return DecodedPacket(dropped=(str(error),))


def _create(arena: WireArena, data: bytes) -> DecodedPacket:
    value, repaired = decoded(data, repair=True)
    content = table(value)
    pose = None
    if not any(content.get(key) is None for key in ("x", "y", "heading")):
        pose = _pose(arena, content)
    said = Introduces(robot_id(content.get("id")), pose, reality(content.get("reality")))
    return DecodedPacket((said,), repaired=repaired)


def _live(_arena: WireArena, data: bytes) -> DecodedPacket:
    content = _table(data)
    return DecodedPacket((IsThere(robot_id(content.get("id")), reality(content.get("reality"))),))


def _poses(arena: WireArena, data: bytes) -> DecodedPacket:
    value, _ = decoded(data)
    if isinstance(value, dict):  # as a camera answers, by id
        entries = [{"id": key, **content} if isinstance(content, dict) else content for key, content in value.items()]
    elif isinstance(value, list):
        entries = value
    else:
        raise WrongError(MALFORMED)
    said: list[Message] = []
    dropped: list[str] = []
    for entry in entries:
        try:
            content = table(entry)
            pose = _pose(arena, content)
            said.append(Stands(robot_id(content.get("id")), *pose, reality(content.get("reality"))))
        except WrongError as error:
            dropped.append(str(error))
    return DecodedPacket(tuple(said), tuple(dropped))


def _where(_arena: WireArena, data: bytes) -> DecodedPacket:
    value, _ = decoded(data)
    return DecodedPacket((AsksWhere(robot_id(value)),))


def _delete(_arena: WireArena, data: bytes) -> DecodedPacket:
    value, _ = decoded(data)
    return DecodedPacket((Dismissed(robot_id(value.get("id") if isinstance(value, dict) else value)),))


def _asks(sensor: Sensor) -> Callable[[WireArena, bytes], DecodedPacket]:
    def reader(_arena: WireArena, data: bytes) -> DecodedPacket:
        content = _table(data)
        bearings = _bearings(content.get("angles")) if sensor == "proximity" else (0.0,)
        return DecodedPacket((Asks(robot_id(content.get("id")), sensor, bearings, sees(content.get("reality"))),))

    return reader


def _calls(*, ahead: bool) -> Callable[[WireArena, bytes], DecodedPacket]:
    def reader(_arena: WireArena, data: bytes) -> DecodedPacket:
        content = _table(data)
        reach = None if content.get("dist") is None else metres(number(content["dist"]))
        if reach is not None and reach < 0.0:
            raise WrongError(MALFORMED)
        return DecodedPacket((Calls(robot_id(content.get("id")), text(content.get("msg")), reach, ahead),))

    return reader


def _glow(_arena: WireArena, data: bytes) -> DecodedPacket:
    content = _table(data)
    red, green, blue = (round(number(content.get(key))) for key in ("R", "G", "B"))
    if not 0 <= min(red, green, blue) <= max(red, green, blue) <= 255:
        raise WrongError(MALFORMED)
    return DecodedPacket((Glows(robot_id(content.get("id")), (red, green, blue)),))


def _log(_arena: WireArena, data: bytes) -> DecodedPacket:
    content = _table(data)
    return DecodedPacket((Logs(robot_id(content.get("id")), text(content.get("msg"))),))


def _obstacles(_arena: WireArena, data: bytes) -> DecodedPacket:
    try:
        word = data.decode().strip().strip('"')
    except UnicodeDecodeError:
        raise WrongError(MALFORMED) from None
    wanted = sees(word)
    assert wanted is not None, "only where nothing is said"
    return DecodedPacket((ObstaclesWanted(wanted),))


def _snapshot(_arena: WireArena, data: bytes) -> DecodedPacket:
    return DecodedPacket((AskedFor(robot_id(_table(data).get("id"))),))


def _discovery(_arena: WireArena, data: bytes) -> DecodedPacket:
    content = _table(data)
    uuid = text(content.get("uuid"))
    if not 0 < len(uuid) <= 64:
        raise WrongError(MALFORMED)
    return DecodedPacket((Announced(uuid, number(content.get("timestamp"))),))


def _table(data: bytes) -> dict[str, Any]:
    value, _ = decoded(data)
    return table(value)


def _pose(arena: WireArena, content: dict[str, Any]) -> Pose:
    x_cm, y_cm, degree = (number(content.get(key)) for key in ("x", "y", "heading"))
    if not arena.holds(x_cm, y_cm):
        raise WrongError(TOO_FAR)
    return *arena.place(x_cm, y_cm), heading_of(degree)


def _bearings(angles: object) -> tuple[float, ...]:
    """Angles of proximity sensors are clockwise: -90 looks left."""
    if angles is None or angles == []:
        return (0.0,)
    if not isinstance(angles, list) or len(angles) > MOST_ANGLES:
        raise WrongError(MALFORMED)
    return tuple([-radians(number(each)) for each in angles])


_READERS: dict[str, Callable[[WireArena, bytes], DecodedPacket]] = {
    topics.CREATE: _create,
    topics.LIVE: _live,
    topics.DELETE: _delete,
    topics.LOG: _log,
    topics.POSES: _poses,
    topics.WHERE: _where,
    topics.ALL_POSES_WANTED: lambda _arena, _data: DecodedPacket((AskedForAll(0),)),
    topics.DISTANCE: _asks("distance"),
    topics.COLOUR: _asks("colour"),
    topics.PROXIMITY: _asks("proximity"),
    topics.CALL: _calls(ahead=False),
    topics.CALL_AHEAD: _calls(ahead=True),
    topics.GLOW: _glow,
    topics.OBSTACLES_WANTED: _obstacles,
    topics.SNAPSHOT_WANTED: _snapshot,
    topics.DISCOVERY: _discovery,
}

__all__ = ["LARGEST", "NO_JSON", "Announced", "DecodedPacket", "Message", "ObstaclesWanted", "read"]
