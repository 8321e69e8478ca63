"""What leads a run's pictures to others' tools: a viewer as all others, whose pictures go on as messages."""

from __future__ import annotations

import asyncio
import json
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from math import cos, nan, sin
from typing import Any, ClassVar

import msgspec

from devs_robotics.view.foxglove import LivePictures
from devs_robotics.view.replay import MarkChange
from devs_robotics.view.scene import Scene, SceneBody
from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.messages import Want
from devs_robotics.view.server.viewers import Viewer
from devs_robotics.view.states import THERE, ViewState, unpacked

IDLE = 0.1
"""Time between two looks at whether anybody wants anything (s)."""


class PictureFollower(ABC):
    """Looks at a run as long as somebody wants its pictures.

    Args:
        want: of the run

    Attributes:
        option: of the command, by which people know it
    """

    option: ClassVar[str]

    def __init__(self, want: Want) -> None:
        self._want = want
        self._pictures: LivePictures | None = None
        self._state: ViewState | None = None
        self._bodies: dict[int, SceneBody] = {}

    @abstractmethod
    def close(self) -> None:
        """Hand nothing on any more."""

    @abstractmethod
    def is_wanted(self) -> bool:
        """Whether anybody wants anything."""

    @abstractmethod
    def has_joined(self) -> bool:
        """Whether somebody has come, since this was asked last, who knows nothing."""

    @abstractmethod
    def begun(self, scene: Scene) -> LivePictures:
        """A run begins: what is told of its pictures."""

    @abstractmethod
    def showing(self, state: ViewState) -> None:
        """A state is shown next."""

    def shown(self, state: ViewState) -> None:
        """A state was shown; by default that means nothing."""
        return

    @abstractmethod
    def happened(self, kind: str, at: float, *what: Any) -> None:
        """Something has happened at a time (s)."""

    def measured(self, at: float, name: str, value: float) -> None:
        """A value over time; by default it is of no use."""
        return

    async def serve(self, hub: LiveHub) -> None:
        """Look at a run as long as somebody does, until it is over."""
        viewer: Viewer | None = None
        try:
            while viewer is None or viewer.leaving is None:
                if not self.is_wanted():
                    if viewer is not None:
                        hub.leave(viewer)
                        viewer = None
                    await asyncio.sleep(IDLE)
                    continue
                if viewer is None:
                    viewer = Viewer()
                    hub.join(viewer)
                    hub.want(viewer, self._want)
                self._take_all(viewer)
                viewer.wake.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(viewer.wake.wait(), IDLE)
        finally:
            if viewer is not None:
                hub.leave(viewer)

    def _take_all(self, viewer: Viewer) -> None:
        if self.has_joined() and self._pictures is not None:
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
        self.showing(state)
        if self._pictures is not None:
            self._pictures.show(state.time, [self._pose(state, slot) for slot in range(len(state.bits))])
            self.shown(state)

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
                self._pictures = self.begun(scene)
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
                        self.measured(at, name, value)
            case "events":
                for item in message["items"]:
                    self.happened(*item)

    def _mark(self, changes: list[Any]) -> None:
        for change in msgspec.convert(changes, list[MarkChange]):
            if self._pictures is not None:
                self._pictures.mark(change)
