"""What Foxglove and Lichtblick get of a live run: a client by the published protocol, and a view in its process."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Iterator
from math import cos, pi, sin
from typing import Any

import msgspec
import numpy as np
import pytest
from jsonschema import Draft202012Validator
from websockets.sync.client import connect
from websockets.sync.connection import Connection
from websockets.typing import Subprotocol

from devs_robotics.view.scene import Disc, Mark, Scene, SceneBody
from devs_robotics.view.server.process import ViewProcess
from devs_robotics.view.server.serving import Serving, ServingError
from devs_robotics.view.shared import MarksNow, SceneNow, SharedBlock, Wish, encode
from devs_robotics.view.states import packed
from tests.devs_robotics.view.server.test_process import Stage
from tests.real_components import PATIENCE, free_port

pytestmark = pytest.mark.wall_clock
pytest.importorskip("foxglove", reason="foxglove-sdk is not installed")

NOWHERE = float("nan")
SCENE = Scene(
    title="a run",
    width=4.0,
    height=3.0,
    bodies=(SceneBody(0, 1, "robot 1", "virtual", 0.2, 0.5, 2.0), SceneBody(1, 2, "robot 2", radius=0.2)),
    marks={"zone": Mark(Disc(1.0, 1.0, 0.5), "zone")},
)


class Client:
    """Speaks foxglove.sdk.v1."""

    def __init__(self, port: int) -> None:
        self.link: Connection = connect(f"ws://127.0.0.1:{port}", subprotocols=[Subprotocol("foxglove.sdk.v1")])
        self.channels: dict[str, dict[str, Any]] = {}
        self.schemas: dict[int, Draft202012Validator] = {}

    def subscribe(self, *topics: str) -> None:
        while not set(topics) <= set(self.channels):
            message = self.link.recv(PATIENCE)
            if isinstance(message, str) and (told := json.loads(message))["op"] == "advertise":
                self.channels |= {each["topic"]: each for each in told["channels"]}
        wanted = [{"id": self.channels[topic]["id"], "channelId": self.channels[topic]["id"]} for topic in topics]
        self.link.send(json.dumps({"op": "subscribe", "subscriptions": wanted}))

    def message(self, topic: str) -> tuple[float, Any]:
        """The next one of a topic, with its time (s); it is as the channel's schema says."""
        number = self.channels[topic]["id"]
        while True:
            data = self.link.recv(PATIENCE)
            if isinstance(data, bytes) and data[0] == 1:
                subscription, nanoseconds = struct.unpack_from("<IQ", data, 1)
                if subscription == number:
                    message = json.loads(data[13:])
                    Draft202012Validator(json.loads(self.channels[topic]["schema"])).validate(message)
                    return nanoseconds / 1e9, message


@pytest.fixture
def stage() -> Iterator[Stage]:
    made = Stage(foxglove=free_port())
    made.block.scene.write(encode(SceneNow(2, 0.0, SCENE)))
    yield made
    made.close()


def show(stage: Stage, at: float, poses: list[tuple[float, float, float]], moves: Any = None) -> None:
    stage.looks += 1
    bits = np.array([0 if pose[0] != pose[0] else 1 for pose in poses])
    moves = None if moves is None else np.array(moves, dtype=np.float32).T
    stage.block.state.write(packed(stage.looks, at, time.time(), 2, np.array(poses, dtype=np.float32).T, bits, moves))


def wish(block: SharedBlock) -> Wish:
    found = block.wish.read()
    assert found is not None
    return msgspec.msgpack.decode(found[1], type=Wish)


def until_wanted(stage: Stage, *, wanted: bool) -> None:
    deadline = time.monotonic() + PATIENCE
    while bool(wish(stage.block).rate) is not wanted:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_poses_and_looks_come_while_somebody_has_subscribed(stage: Stage) -> None:
    assert wish(stage.block).rate == 0.0
    client = Client(stage.process._config.serving.foxglove)
    assert client.link.subprotocol == "foxglove.sdk.v1"
    client.subscribe("/view/transforms", "/view/scene", "/view/messages")
    until_wanted(stage, wanted=True)
    show(stage, 1.0, [(1.0, 2.0, 0.5 * pi), (NOWHERE, NOWHERE, NOWHERE)])
    at, message = client.message("/view/transforms")
    (transform,) = message["transforms"]
    assert (at, transform["parent_frame_id"], transform["child_frame_id"]) == (1.0, "map", "robot 1")
    assert transform["translation"] == {"x": 1.0, "y": 2.0, "z": 0.0}
    assert transform["rotation"] == pytest.approx({"x": 0.0, "y": 0.0, "z": sin(pi / 4), "w": cos(pi / 4)})
    # half of a move: a quarter turn, and then 1 m
    show(stage, 2.0, [(1.0, 2.0, 0.0), (3.0, 1.0, 0.0)], [(0.0, 4.0, 1.0, 0.75), (NOWHERE,) * 4])
    _, message = client.message("/view/transforms")
    places = {each["child_frame_id"]: each["translation"] for each in message["transforms"]}
    gone = 0.75 * (1.0 - 0.5) / 1.5
    assert places["robot 1"] == pytest.approx({"x": 1.0 + gone * cos(1.0), "y": 2.0 + gone * sin(1.0), "z": 0.0})
    assert places["robot 2"] == {"x": 3.0, "y": 1.0, "z": 0.0}
    client.link.close()
    until_wanted(stage, wanted=False)


def test_who_comes_later_is_told_everything(stage: Stage) -> None:
    port = stage.process._config.serving.foxglove
    first = Client(port)
    first.subscribe("/view/scene")
    until_wanted(stage, wanted=True)
    show(stage, 1.0, [(1.0, 2.0, 0.0), (3.0, 1.0, 0.0)])
    seen: set[str] = set()
    while not {"field", "mark zone", "robot 1", "robot 2"} <= seen:
        seen |= {entity["id"] for entity in first.message("/view/scene")[1]["entities"]}
    stage.block.marks.write(encode(MarksNow(1.5, {"zone": None, "new": Mark(text="new")})))
    gone: set[str] = set()
    while "mark new" not in seen or "mark zone" not in gone:
        _, message = first.message("/view/scene")
        seen |= {entity["id"] for entity in message["entities"]}
        gone |= {each["id"] for each in message["deletions"]}
    second = Client(port)
    second.subscribe("/view/scene")
    later: set[str] = set()
    while not {"field", "mark new", "robot 1", "robot 2"} <= later:  # although nothing moves
        later |= {entity["id"] for entity in second.message("/view/scene")[1]["entities"]}
    assert "mark zone" not in later


def test_a_port_that_is_taken_is_told(stage: Stage) -> None:
    serving = Serving(port=free_port(), foxglove=stage.process._config.serving.foxglove)
    other = ViewProcess(serving, stage.block.path)
    with pytest.raises(ServingError, match=r"--foxglove .* cannot be had"):
        other.start()
