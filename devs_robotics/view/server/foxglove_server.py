"""A live run for Foxglove and Lichtblick on this computer: foxglove-sdk serves them what viewers are told.

Topics are those of recordings, ``/view/transforms`` and ``/view/scene``, and ``/view/metrics`` and ``/view/messages``.
Times are simulated. While no client has subscribed to anything nobody looks at the run.
"""

from __future__ import annotations

import threading
from typing import Any

import foxglove
import msgspec
from foxglove.websocket import Capability, ChannelView, Client, ServerListener

from devs_robotics.view.foxglove import SCENE, TRANSFORMS, LivePictures
from devs_robotics.view.foxglove_schemas import FrameTransforms, SceneUpdate, name_of, schema_of
from devs_robotics.view.scene import Scene
from devs_robotics.view.server.messages import Want
from devs_robotics.view.server.picture_follower import PictureFollower
from devs_robotics.view.server.serving import ServingError
from devs_robotics.view.states import ViewState

METRICS, MESSAGES = "/view/metrics", "/view/messages"
HOST = "127.0.0.1"
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


class FoxgloveServer(PictureFollower):
    """Serves Foxglove and Lichtblick.

    Args:
        port: to listen on

    Raises:
        ServingError: it cannot be had
    """

    option = "--foxglove"

    def __init__(self, port: int) -> None:
        super().__init__(WANT)
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

    def close(self) -> None:
        """Serve no more."""
        self._server.stop()

    def is_wanted(self) -> bool:
        """Whether a client has subscribed to anything."""
        return self._subscriptions.any()

    def has_joined(self) -> bool:
        """Whether a client has subscribed since this was asked last."""
        return self._subscriptions.new()

    def begun(self, scene: Scene) -> LivePictures:
        """A run begins."""
        return LivePictures(self, scene)

    def showing(self, state: ViewState) -> None:
        """Tell clients the time."""
        self._server.broadcast_time(_nanoseconds(state.time))

    def measured(self, at: float, name: str, value: float) -> None:
        """Tell clients a value."""
        self._log(METRICS, at, {name: value})

    def happened(self, kind: str, at: float, *what: Any) -> None:
        """Tell clients what was said, and who has come to touch whom."""
        if kind == "say":
            self._log(MESSAGES, at, dict(zip(("from", "to", "text"), what, strict=True)))
        elif kind == "log":
            self._log(MESSAGES, at, {"text": what[0]})
        elif kind == "contact":
            self._log(MESSAGES, at, {"from": what[0], "to": what[1], "text": "contact"})

    def add(self, topic: str, schema_name: str, schema: dict[str, Any], time: float, message: object, /) -> None:
        """Send a message of a topic."""
        self._log(topic, time, message)

    def _log(self, topic: str, time: float, message: object) -> None:
        self._channels[topic].log(msgspec.json.encode(message), log_time=_nanoseconds(time))


def _nanoseconds(time: float) -> int:
    return max(0, round(1e9 * time))
