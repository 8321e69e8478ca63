"""What robots outside hear, as it is written down."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Struct

from devs_robotics.core.robots import outside
from devs_robotics.core.robots.outside import RobotJoined, RobotLeft, SensorAnswer, ToOutside
from tests.devs_robotics.core.robots.written_down import fields_of, structs_of

FIELDS = {
    "Sighting": "distance, colour=None",
    "FromOutside": "robot",
    "Introduces": "robot, pose=None, reality=None",
    "IsThere": "robot, reality=None",
    "Stands": "robot, x, y, heading, reality=None",
    "Asks": "robot, sensor, bearings=(0.0,), sees=None",
    "AsksWhere": "robot",
    "Calls": "robot, text, reach=None, ahead=False",
    "Glows": "robot, colour",
    "Logs": "robot, text",
    "Dismissed": "robot",
    "AskedFor": "robot",
    "AskedForAll": "robot",
    "ToRobot": "robot, real",
    "SensorAnswer": "robot, real, sensor, sightings, radius",
    "StandsAt": "robot, real, x, y, heading",
    "Hears": "robot, real, text, ahead=False",
    "Ordered": "word, robot=None",
    "RobotJoined": "robot, real",
    "RobotLeft": "robot",
    "Portrait": "robot, reality, pose, heard, radius, distance=None, glow=(0, 0, 0)",
    "Gathering": "robots",
    "OwnJoined": "portrait",
    "OwnMoved": "portraits",
}
"""Programs of robots outside, and traces, name fields: they do not change."""


@pytest.mark.parametrize("kind", structs_of(outside), ids=lambda kind: kind.__name__)
def test_fields_are_as_they_are_written_down(kind: type[Struct]) -> None:
    assert fields_of(kind) == FIELDS[kind.__name__]


@pytest.mark.parametrize(
    ("said", "tag"),
    [
        (SensorAnswer(3, True, "distance", (), 0.1), "Reads"),
        (RobotJoined(3, False), "Came"),
        (RobotLeft(3), "Gone"),
    ],
)
def test_what_traces_call_a_message_has_not_changed(said: ToOutside, tag: str) -> None:
    text = msgspec.json.encode(said)
    assert msgspec.json.decode(text)["type"] == tag
    assert msgspec.json.decode(text, type=type(said)) == said


def test_messages_to_and_from_outside_are_told_apart_by_their_names() -> None:
    kinds = [kind for kind in structs_of(outside) if kind is not outside.Sighting]
    tags = {kind.__name__: kind.__struct_config__.tag for kind in kinds}
    former = {"SensorAnswer": "Reads", "RobotJoined": "Came", "RobotLeft": "Gone"}
    assert tags == {name: former.get(name, name) for name in tags}
