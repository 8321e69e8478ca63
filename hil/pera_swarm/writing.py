"""What goes out over the wire: from messages to topics and bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import degrees, remainder, tau
from typing import Any

import msgspec
from msgspec import Struct

from devs_robotics.core.robots.colours import Rgb, hexadecimal
from devs_robotics.core.robots.messages import Fix
from devs_robotics.core.robots.outside import (
    Gathering,
    Hears,
    Ordered,
    OwnJoined,
    OwnMoved,
    Portrait,
    Realities,
    RobotLeft,
    SensorAnswer,
    StandsAt,
    ToOutside,
    ToRobot,
    Word,
)
from devs_robotics.hil.pera_swarm import topics
from devs_robotics.hil.pera_swarm.arena import WireArena, centimetres, distance_reading, whole_degrees
from devs_robotics.hil.pera_swarm.obstacles import ArenaObstacle, shown
from devs_robotics.hil.pera_swarm.values import LETTER

SMALL = 128
"""Largest packet that a physical robot reads, its topic and `OVERHEAD` included (bytes)."""

OVERHEAD = 5
"""What MQTT adds to a topic and a payload (bytes)."""

LONGEST_TEXT = 64
"""Longest text that is sent to a physical robot (characters)."""

LARGEST = 1024
"""Largest packet to any other robot (bytes)."""

COLOUR_REACH, PROXIMITY_COLOUR_REACH = 0.30, 0.20
"""How far colours are seen, from the middle of the robot (m)."""

ORDERS: dict[Word, str] = {"start": "START", "stop": "STOP", "reset": "RESET"}

TOO_LONG = "an answer too long for a robot"
TEXT_TOO_LONG = "a text too long for a physical robot"


class Publication(Struct, frozen=True):
    """What is published.

    Attributes:
        topic: without its channel
        data: the payload
        retained: whether the broker keeps it for those that come later
    """

    topic: str
    data: bytes
    retained: bool = False


class ColourRanges(Struct, frozen=True):
    """How far colours are seen, from the middle of the robot (m)."""

    colour: float = COLOUR_REACH
    proximity_colour: float = PROXIMITY_COLOUR_REACH


USUAL = ColourRanges()
"""As published."""


def write(
    arena: WireArena, said: ToOutside, channel: str, ranges: ColourRanges = USUAL
) -> tuple[tuple[Publication, ...], str]:
    """What is published for a message; and where it must not be, the kind of mistake it would be.

    Args:
        arena: that the poses are in
        said: to robots or viewers
        channel: which counts for the size of a packet
        ranges: how far colours are seen
    """
    if isinstance(said, Hears) and said.real and len(said.text) > LONGEST_TEXT:
        return (), TEXT_TOO_LONG
    writer = _WRITERS.get(type(said))
    if writer is None:
        return (), ""
    post = writer(arena, said, ranges)
    if isinstance(said, ToRobot):
        size = len(topics.on_channel(channel, post.topic).encode()) + len(post.data)
        if (said.real and size + OVERHEAD > SMALL) or size > LARGEST:
            return (), TOO_LONG
    return (post,), ""


def roll_call() -> Publication:
    """Asks all robots who they are."""
    return Publication(topics.ORDER_ALL, b"ID? -1")


def greeting(arena: WireArena, obstacles: Sequence[ArenaObstacle]) -> tuple[Publication, ...]:
    """What is said first, each time a broker is there: the arena, its obstacles, and who is where?"""
    return (
        Publication(topics.ARENA, _json(arena_table(arena)), retained=True),
        Publication(topics.OBSTACLES_GONE, b"?"),
        obstacle_list(arena, obstacles),
        roll_call(),
        Publication(topics.POSES_WANTED, b"?"),
    )


def farewell() -> Publication:
    """Takes the arena away that the broker keeps, so that nothing is left of a server that is not there any more."""
    return Publication(topics.ARENA, b"", retained=True)


def arena_table(arena: WireArena) -> dict[str, Any]:
    """The bounds of an arena, as in arena files."""
    return {
        "xMin": _plain(arena.x_min),
        "xMax": _plain(arena.x_max),
        "yMin": _plain(arena.y_min),
        "yMax": _plain(arena.y_max),
        "units": "cm",
    }


def obstacle_list(
    arena: WireArena, obstacles: Sequence[ArenaObstacle], sees: Realities = ("real", "virtual")
) -> Publication:
    """The obstacles of some realities."""
    return Publication(topics.OBSTACLES, _json(shown(arena, obstacles, sees)))


def announcement(uuid: str, since: float) -> Publication:
    """Tells other servers on the channel of this one."""
    return Publication(topics.DISCOVERY, _json({"uuid": uuid, "timestamp": _plain(since)}))


def visualizer_text(text: str) -> Publication:
    """A line that viewers show."""
    return Publication(topics.VISUALIZER, f"MSG {text}".encode())


def visualizer_refresh() -> Publication:
    """Has viewers begin anew."""
    return Publication(topics.VISUALIZER, b"REFRESH")


def camera_poses(arena: WireArena, fixes: Sequence[Fix]) -> Publication:
    """Where a camera sees physical robots, by their numbers outside."""
    return Publication(topics.POSES, _json([_camera_pose(arena, fix) for fix in fixes]))


def _camera_pose(arena: WireArena, fix: Fix) -> dict[str, Any]:
    x_cm, y_cm = arena.point(fix.x, fix.y)
    heading = round(degrees(remainder(fix.heading, tau)), 2)
    return {"id": fix.robot, "x": round(x_cm, 2), "y": round(y_cm, 2), "heading": heading, "reality": LETTER["real"]}


def glow_order(robot: int, colour: Rgb) -> Publication:
    """Tells a robot in which colour its LEDs are to shine; published programs of virtual robots do not listen."""
    return Publication(f"{topics.GLOW}/{robot}", "{} {} {}".format(*colour).encode())


def reading_wanted(robot: int, sensor: str) -> Publication:
    """Asks a robot what its own distance or colour sensor reads; no published program answers."""
    return Publication(f"sensor/{_SENSORS[sensor]}/{robot}/?", b"?")


def _reads(_arena: WireArena, said: SensorAnswer, ranges: ColourRanges) -> Publication:
    distances = [str(distance_reading(each.distance, said.radius)) for each in said.sightings]
    if said.sensor == "distance":
        content = distances[0]
    elif said.sensor == "colour":
        red, green, blue = _colour(said, 0, ranges.colour)
        content = f"{red} {green} {blue} {round((red + green + blue) / 3)}"
    else:
        count = len(said.sightings)
        colours = [hexadecimal(_colour(said, number, ranges.proximity_colour)) for number in range(count)]
        content = " ".join((*distances, *colours))
    return Publication(topics.SENSOR_ANSWER.format(_SENSORS[said.sensor], said.robot), content.encode())


_SENSORS = {"distance": "distance", "colour": "color", "proximity": "proximity"}


def _colour(said: SensorAnswer, number: int, reach: float) -> Rgb:
    """The colour that a ray meets; black beyond reach, in hundredths of a centimetre as distances are."""
    sighting = said.sightings[number]
    near = round(centimetres(sighting.distance), 2) <= round(centimetres(reach), 2)
    return sighting.colour if near and sighting.colour is not None else (0, 0, 0)


def _hears(_arena: WireArena, said: Hears, _ranges: ColourRanges) -> Publication:
    topic = topics.HEAR_AHEAD if said.ahead else topics.HEAR
    return Publication(topic.format(said.robot), said.text.encode(errors="replace"))


def _stands_at(arena: WireArena, said: StandsAt, _ranges: ColourRanges) -> Publication:
    x_cm, y_cm = arena.point(said.x, said.y)
    pose = f"{round(x_cm)} {round(y_cm)} {whole_degrees(said.heading)}"
    return Publication(topics.WHERE_ANSWER.format(said.robot), pose.encode())


def _ordered(_arena: WireArena, said: Ordered, _ranges: ColourRanges) -> Publication:
    topic = topics.ORDER_ALL if said.robot is None else topics.ORDER.format(said.robot)
    return Publication(topic, f"{ORDERS[said.word]} -1".encode())


def _gone(_arena: WireArena, said: RobotLeft, _ranges: ColourRanges) -> Publication:
    return Publication(topics.DELETE, _json({"id": said.robot}))


def _portrait(arena: WireArena, said: Portrait, _ranges: ColourRanges) -> Publication:
    seconds = int(said.heard)
    clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    data: dict[str, Any] = {"neopixel": list(said.glow)}
    if said.distance is not None:
        data["distance"] = distance_reading(said.distance, said.radius)
    content = {
        "id": said.robot,
        "reality": LETTER[said.reality],
        "coordinates": _coordinates(arena, said),
        "live": clock,
        "data": data,
    }
    return Publication(topics.SNAPSHOT, _json(content))


def _gathering(arena: WireArena, said: Gathering, _ranges: ColourRanges) -> Publication:
    entries = [
        {"id": str(each.robot), **_coordinates(arena, each), "reality": LETTER[each.reality]}
        for each in said.robots
        if each.pose is not None
    ]
    return Publication(topics.ALL_POSES, _json(entries))


def _own_joined(arena: WireArena, said: OwnJoined, _ranges: ColourRanges) -> Publication:
    return Publication(topics.CREATE, _json(_own(arena, said.portrait)))


def _own_moved(arena: WireArena, said: OwnMoved, _ranges: ColourRanges) -> Publication:
    return Publication(topics.POSES, _json([_own(arena, each) for each in said.portraits]))


def _own(arena: WireArena, said: Portrait) -> dict[str, Any]:
    return {"id": said.robot, **_coordinates(arena, said), "reality": LETTER[said.reality]}


def _coordinates(arena: WireArena, said: Portrait) -> dict[str, Any]:
    if said.pose is None:
        return {}
    x_cm, y_cm = arena.point(*said.pose[:2])
    return {"x": round(x_cm, 2), "y": round(y_cm, 2), "heading": whole_degrees(said.pose[2])}


def _plain(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


def _json(value: object) -> bytes:
    return msgspec.json.encode(value)


_WRITERS: dict[type, Callable[[WireArena, Any, ColourRanges], Publication]] = {
    SensorAnswer: _reads,
    Hears: _hears,
    StandsAt: _stands_at,
    Ordered: _ordered,
    RobotLeft: _gone,
    Portrait: _portrait,
    Gathering: _gathering,
    OwnJoined: _own_joined,
    OwnMoved: _own_moved,
}
