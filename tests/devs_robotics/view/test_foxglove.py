"""What Foxglove and Lichtblick draw: the published schemas, and messages that keep to them."""

from __future__ import annotations

import json
from hashlib import sha256
from math import atan2
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcap.reader import make_reader

from devs_robotics.view.foxglove import SCENE, TRANSFORMS
from devs_robotics.view.foxglove_schemas import FrameTransforms, SceneUpdate, schema_of, time
from devs_robotics.view.posing import Posing
from tests.devs_robotics.view.recorded import Recorded

PUBLISHED: dict[Any, str] = {
    SceneUpdate: "e7ba44e5519164a023a3b7eec3930c4549b851d404c7c5c3560ff70929d053c1",
    FrameTransforms: "9562e1a1e7ea27dffe22fca45865038be38af806c59a892195160d266524b2de",
}
"""Of those in @foxglove/schemas 2.1.0 (npm), without descriptions and comments, keys sorted, as Python writes it."""


@pytest.mark.parametrize("kind", PUBLISHED)
def test_the_schemas_are_those_that_are_published(kind: Any) -> None:
    assert sha256(json.dumps(schema_of(kind), sort_keys=True).encode()).hexdigest() == PUBLISHED[kind]


@given(st.floats(0.0, 1e6))
def test_times_are_whole_nanoseconds(seconds: float) -> None:
    found = time(seconds)
    assert 0 <= found.nsec < 1_000_000_000
    assert found.sec + found.nsec * 1e-9 == pytest.approx(seconds, abs=1e-9)


def messages(path: Path, topic: str) -> list[tuple[int, dict[str, Any]]]:
    """Those of a topic, with their times (ns), each held against the schema that stands in the file."""
    found = []
    checks: dict[int, Any] = {}
    with path.open("rb") as file:
        for schema, channel, message in make_reader(file).iter_messages(topics=[topic]):
            assert schema is not None
            assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
            content = json.loads(message.data)
            if schema.id not in checks:
                checks[schema.id] = jsonschema.Draft202012Validator(json.loads(schema.data))
            checks[schema.id].validate(content)
            found.append((message.log_time, content))
    return found


@pytest.mark.parametrize("name", ["forage", "line_following", "convoy_in_the_loop"])
def test_poses_joined_by_straight_lines_are_those_of_the_replay(recorded: Recorded, name: str) -> None:
    path, replay = recorded(name, "mcap")
    posing = Posing(replay.scene, replay.timeline)
    ways: dict[str, list[tuple[float, float, float, float]]] = {}
    for _, content in messages(path, TRANSFORMS):
        for each in content["transforms"]:
            at = each["timestamp"]["sec"] + each["timestamp"]["nsec"] * 1e-9
            place, turn = each["translation"], each["rotation"]
            heading = 2.0 * atan2(turn["z"], turn["w"])
            ways.setdefault(each["child_frame_id"], []).append((at, place["x"], place["y"], heading))
    bodies = {body.name: body for body in replay.scene.bodies}
    assert set(ways) == set(bodies)
    for name, rows in ways.items():
        way = np.array(rows)
        assert (np.diff(way[:, 0]) >= 0.0).all()
        headings = np.unwrap(way[:, 3])
        for at in np.linspace(way[0, 0], way[-1, 0], 97)[1:-1]:
            expected = posing.at(float(at))[bodies[name].slot]
            found = [np.interp(at, way[:, 0], column) for column in (way[:, 1], way[:, 2], headings)]
            near = np.abs(posing.at(float(at) - 2e-3)[bodies[name].slot] - expected).max()
            assert np.hypot(found[0] - expected[0], found[1] - expected[1]) < 1e-3 + near
            assert abs((found[2] - expected[2] + np.pi) % (2.0 * np.pi) - np.pi) < 1e-2 + near


def test_everything_in_the_scene_is_drawn(recorded: Recorded) -> None:
    path, replay = recorded("forage", "mcap")
    seen: dict[str, dict[str, Any]] = {}
    for _, content in messages(path, SCENE):
        for gone in content["deletions"]:
            del seen[gone["id"]]
        seen.update({each["id"]: each for each in content["entities"]})
    assert {"field", "mark nest", *(body.name for body in replay.scene.bodies)} <= set(seen)
    left = set(replay.scene.marks)
    for change in replay.marks:
        (left.add if change.mark else left.discard)(change.name)
    assert {name.removeprefix("mark ") for name in seen if name.startswith("mark ")} == left
    robot = seen["robot 1"]
    assert (robot["frame_id"], robot["frame_locked"]) == ("robot 1", True)
    assert len(robot["cylinders"]) == len(robot["arrows"]) == 1
