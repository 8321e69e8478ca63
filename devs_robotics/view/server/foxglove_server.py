"""A live run for Foxglove and Lichtblick on this computer: foxglove-sdk serves them what viewers are told.

Topics are those of recordings, ``/view/transforms`` and ``/view/scene``, and ``/view/metrics`` and ``/view/messages``.
Times are simulated. While no client has subscribed to anything nobody looks at the run.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import suppress
from math import cos, nan, sin
from typing import Any

import foxglove
import msgspec
from foxglove.websocket import Capability, ChannelView, Client, ServerListener

from devs_robotics.view.foxglove import SCENE, TRANSFORMS, LivePictures
from devs_robotics.view.foxglove_schemas import FrameTransforms, SceneUpdate, name_of, schema_of
from devs_robotics.view.replay import MarkChange
from devs_robotics.view.scene import Scene, SceneBody
from devs_robotics.view.server.messages import Want
from devs_robotics.view.server.serving import ServingError
from devs_robotics.view.server.viewers import Hub, Viewer
from devs_robotics.view.states import THERE, ViewState, unpacked

METRICS, MESSAGES = "/view/metrics", "/view/messages"
HOST = "127.0.0.1"
IDLE = 0.1
"""Time between two looks at whether anybody has subscribed (s)."""

WANT = Want(rate=30.0, events=True, metrics=True, robots=[])


class _Subscriptions(ServerListener):
    """Counts what clients have subscribed to; it is called in threads of the SDK."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribed: set[tuple[int, int]] = set()
        self._new = False

    def on_subscribe(self, client: Client, channel: ChannelView) -> None:
        """A client wants a topic."""
        with self._lock:
            self._subscribed.add((client.id, channel.id))
            self._new = True

    def on_unsubscribe(self, client: Client, channel: ChannelView) -> None:
        """A client wants a topic no longer, or has gone."""
        with self._lock:
            self._subscribed.discard((client.id, channel.id))

    def any(self) -> bool:
        """Whether anybody wants anything."""
        with self._lock:
            return bool(self._subscribed)

    def new(self) -> bool:
        """Whether somebody has subscribed since this was asked last."""
        with self._lock:
            new, self._new = self._new, False
            return new


class FoxgloveServer:
    """Serves Foxglove and Lichtblick.

    Args:
        port: to listen on

    Raises:
        ServingError: it cannot be had
    """

    def __init__(self, port: int) -> None:
        self._context = context = foxglove.Context()  # which goes with the last who knows it
        schemas: dict[str, type[msgspec.Struct]] = {TRANSFORMS: FrameTransforms, SCENE: SceneUpdate}
        self._channels = {
            topic: foxglove.Channel(
                topic,
                schema=foxglove.Schema(
                    name=name_of(schema), encoding="jsonschema", data=msgspec.json.encode(schema_of(schema))
                ),
                message_encoding="json",
                context=context,
            )
            for topic, schema in schemas.items()
        }
        for topic in (METRICS, MESSAGES):
            self._channels[topic] = foxglove.Channel(
                topic, schema={"type": "object"}, message_encoding="json", context=context
            )
        self._subscriptions = _Subscriptions()
        try:
            self._server = foxglove.start_server(
                name="devs-robotics",
                host=HOST,
                port=port,
                capabilities=[Capability.Time],
                server_listener=self._subscriptions,
                context=context,
            )
        except (OSError, RuntimeError) as exc:
            raise ServingError(f"--foxglove {port}: the port cannot be had ({exc}): give another one") from exc
        self._pictures: LivePictures | None = None
        self._state: ViewState | None = None
        self._bodies: dict[int, SceneBody] = {}

    def close(self) -> None:
        """Serve no more."""
        self._server.stop()

    async def serve(self, hub: Hub) -> None:
        """Look at a run as long as clients do, until it is over."""
        viewer: Viewer | None = None
        while viewer is None or viewer.leaving is None:
            if not self._subscriptions.any():
                if viewer is not None:
                    hub.leave(viewer)
                    viewer = None
                await asyncio.sleep(IDLE)
                continue
            if viewer is None:
                viewer = Viewer()
                hub.join(viewer)
                hub.want(viewer, WANT)
            self._take_all(viewer)
            viewer.wake.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(viewer.wake.wait(), IDLE)

    def _take_all(self, viewer: Viewer) -> None:
        if self._subscriptions.new() and self._pictures is not None:
            self._pictures.again()
            if self._state is not None:  # there may be no other for long
                self._show(self._state)
        while (waiting := viewer.flow.next(time.monotonic())) is not None:
            if isinstance(waiting.data, bytes):
                state = unpacked(waiting.data)
                viewer.flow.answered(state.number)
                self._show(state)
            else:
                self._hear(json.loads(waiting.data))

    def _show(self, state: ViewState) -> None:
        self._state = state
        self._server.broadcast_time(_nanoseconds(state.time))
        if self._pictures is not None:
            self._pictures.show(state.time, [self._pose(state, slot) for slot in range(len(state.bits))])

    def _pose(self, state: ViewState, slot: int) -> tuple[float, float, float]:
        """Where a body is; who is on a way that it has not made yet has turned, and then gone, so far."""
        if not state.bits[slot] & THERE:
            return nan, nan, nan
        x, y, heading = state.poses[:, slot].tolist()
        body = self._bodies.get(slot)
        if state.moves is None or body is None:
            return x, y, heading
        began, ends, turn, distance = state.moves[:, slot].tolist()
        if not ends > began:
            return x, y, heading
        turning, going = abs(turn) / (body.turn_rate or 1.0), abs(distance) / (body.speed or 1.0)
        done = min(max((state.time - began) / (ends - began), 0.0), 1.0) * (turning + going)
        heading += turn * min(done / turning, 1.0) if turning else 0.0
        gone = distance * max(0.0, (done - turning) / going) if going else 0.0
        return x + gone * cos(heading), y + gone * sin(heading), heading

    def _hear(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "scene":
                scene = msgspec.convert(message, Scene, strict=False)
                self._bodies = {body.slot: body for body in scene.bodies}
                self._pictures = LivePictures(self, scene)
                self._mark(message["changes"])
            case "joined":
                bodies = msgspec.convert(message["bodies"], list[SceneBody])
                self._bodies.update((body.slot, body) for body in bodies)
                if self._pictures is not None:
                    self._pictures.join(bodies)
            case "marks":
                self._mark(message["changes"])
            case "metrics":
                for name, values in message["series"].items():
                    for at, value in values:
                        self._log(METRICS, at, {name: value})
            case "events":
                for item in message["items"]:
                    self._say(*item)

    def _say(self, kind: str, at: float, *what: Any) -> None:
        if kind == "say":
            self._log(MESSAGES, at, dict(zip(("from", "to", "text"), what, strict=True)))
        elif kind == "log":
            self._log(MESSAGES, at, {"text": what[0]})
        elif kind == "contact":
            self._log(MESSAGES, at, {"from": what[0], "to": what[1], "text": "contact"})

    def _mark(self, changes: list[Any]) -> None:
        for change in msgspec.convert(changes, list[MarkChange]):
            if self._pictures is not None:
                self._pictures.mark(change)

    def add(self, topic: str, schema_name: str, schema: dict[str, Any], time: float, message: object, /) -> None:
        """Send a message of a topic."""
        self._log(topic, time, message)

    def _log(self, topic: str, time: float, message: object) -> None:
        self._channels[topic].log(msgspec.json.encode(message), log_time=_nanoseconds(time))


def _nanoseconds(time: float) -> int:
    return max(0, round(1e9 * time))
