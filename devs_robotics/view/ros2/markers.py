"""Markers of rviz, of what others' tools are told that things look like: one source for both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from devs_robotics.hil.protocols.ros2.type_store import write
from devs_robotics.view import foxglove_schemas as fox
from devs_robotics.view.foxglove import FIELD
from devs_robotics.view.ros2.ros_messages import MARKERS, header, made

ARROW, CYLINDER, LINE_STRIP, TEXT, TRIANGLES = 0, 3, 4, 9, 11
"""Kinds of markers (visualization_msgs/msg/Marker)."""
ADD, DELETE, DELETE_ALL = 0, 2, 3

TEXT_HEIGHT = 0.05
"""Of letters (m)."""


def write_markers(markers: Sequence[Any]) -> bytes:
    """Some markers in one message."""
    return write(MARKERS, made(MARKERS, list(markers)))


def markers_of(entity: fox.SceneEntity, frame_of: Callable[[str], str]) -> list[Any]:
    """The markers of one thing, numbered from 0 in a namespace that has its name.

    Args:
        entity: the thing
        frame_of: gives the frame for a name in the scene
    """
    frame = frame_of(entity.frame_id)
    return [
        _marker(entity.id, number, kind, frame, pose, scale, colour, points, text, locked=entity.frame_id != FIELD)
        for number, (kind, pose, scale, colour, points, text) in enumerate(_shapes(entity))
    ]


def gone(name: str, count: int) -> list[Any]:
    """What takes so many markers of a thing away."""
    return [_taken_away(DELETE, name, number) for number in range(count)]


def all_gone() -> Any:
    """What takes all markers of a topic away."""
    return _taken_away(DELETE_ALL)


def _taken_away(action: int, name: str = "", number: int = 0) -> Any:
    nowhere, colour = fox.FoxglovePose(), fox.Color(0.0, 0.0, 0.0, 0.0)
    return _marker(name, number, ARROW, "", nowhere, fox.Vector3(0.0, 0.0, 0.0), colour, (), "", action=action)


_Shape = tuple[int, fox.FoxglovePose, fox.Vector3, fox.Color, tuple[fox.Point3, ...], str]


def _shapes(entity: fox.SceneEntity) -> Iterator[_Shape]:
    for cylinder in entity.cylinders:
        yield CYLINDER, cylinder.pose, cylinder.size, cylinder.color, (), ""
    for arrow in entity.arrows:
        size = fox.Vector3(arrow.shaft_length + arrow.head_length, arrow.shaft_diameter, arrow.head_diameter)
        yield ARROW, arrow.pose, size, arrow.color, (), ""
    for line in entity.lines:
        points = line.points + line.points[:1] if line.type == fox.LOOP else line.points
        yield LINE_STRIP, line.pose, fox.Vector3(line.thickness, 0.0, 0.0), line.color, points, ""
    for area in entity.triangles:
        yield TRIANGLES, area.pose, fox.Vector3(1.0, 1.0, 1.0), area.color, area.points, ""
    for text in entity.texts:
        yield TEXT, text.pose, fox.Vector3(0.0, 0.0, TEXT_HEIGHT), text.color, (), text.text


def _marker(
    namespace: str,
    number: int,
    kind: int,
    frame: str,
    pose: fox.FoxglovePose,
    scale: fox.Vector3,
    colour: fox.Color,
    points: tuple[fox.Point3, ...],
    text: str,
    *,
    action: int = ADD,
    locked: bool = False,
) -> Any:
    """A marker; its time is 0: where its frame is now, whenever that is."""
    place, turn = pose.position, pose.orientation
    return made(
        "visualization_msgs/msg/Marker",
        header(frame, 0.0),
        namespace,
        number,
        kind,
        action,
        made(
            "geometry_msgs/msg/Pose",
            made("geometry_msgs/msg/Point", place.x, place.y, place.z),
            made("geometry_msgs/msg/Quaternion", turn.x, turn.y, turn.z, turn.w),
        ),
        made("geometry_msgs/msg/Vector3", scale.x, scale.y, scale.z),
        made("std_msgs/msg/ColorRGBA", colour.r, colour.g, colour.b, colour.a),
        made("builtin_interfaces/msg/Duration", 0, 0),
        locked,
        [made("geometry_msgs/msg/Point", each.x, each.y, each.z) for each in points],
        [],
        "",
        made("sensor_msgs/msg/CompressedImage", header("", 0.0), "", _no_bytes()),
        [],
        text,
        "",
        made("visualization_msgs/msg/MeshFile", "", _no_bytes()),
        False,
    )


def _no_bytes() -> Any:
    return np.zeros(0, dtype=np.uint8)
