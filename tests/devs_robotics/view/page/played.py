"""A server of the page that tests play: its side of the WebSocket, and states as bytes."""

from __future__ import annotations

import json
import time as clock
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
from playwright.sync_api import Page, WebSocketRoute

from devs_robotics.view.scene import Scene, SceneBody
from tests.devs_robotics.view.page.chromium import SITE, serve, until

SCENE = Scene(
    title="Two robots",
    stage="loop",
    width=4.0,
    height=3.0,
    bodies=(
        SceneBody(0, 1, "robot 1", "virtual", 0.2, 0.5, 2.0, beams=(0.0,), reach=0.5),
        SceneBody(1, 2, "robot 2", "virtual", 0.2, 0.5, 2.0),
    ),
)


def state(
    number: int,
    time: float,
    poses: list[tuple[float, float, float]],
    *,
    revision: int = 1,
    looked: float | None = None,
    flags: list[int] | None = None,
    moves: list[tuple[float, float, float, float]] | None = None,
) -> bytes:
    """A state as the specification of the messages has it, written down once more for the test."""
    count = len(poses)
    head = bytes((1, 1 if moves else 0, 1, 0)) + number.to_bytes(4, "little")
    head += np.array([time, clock.time() if looked is None else looked], "<f8").tobytes()
    head += np.array([count, revision], "<u4").tobytes()
    bits = bytes(flags or [1 if pose[0] == pose[0] else 0 for pose in poses])
    data = head + np.array(poses, "<f4").T.tobytes() + bits + b"\0" * (-count % 4)
    return data + (np.array(moves, "<f4").T.tobytes() if moves else b"")


class Server:
    """The server's side of the WebSocket: what has come, and what is sent."""

    def __init__(self, page: Page, hello: dict[str, Any] | None = None, scene: Scene = SCENE) -> None:
        self.page = page
        self.heard: list[dict[str, Any]] = []
        self.links: list[WebSocketRoute] = []
        self.hello = {"kind": "live", "session": "a", "title": "", "rate": 30, "control": [], **(hello or {})}
        self.scene = scene
        self.gone = False
        page.route_web_socket(SITE.replace("http", "ws") + "/ws", self._connected)

    def _connected(self, link: WebSocketRoute) -> None:
        if self.gone:
            link.close()
            return
        self.links.append(link)
        link.on_message(lambda message: self.heard.append(json.loads(message)))
        self.send("hello", version=1, begin=0.0, now=0.0, end=None, **self.hello)
        self.send("scene", revision=1, **msgspec.to_builtins(self.scene))

    def send(self, kind: str, /, **fields: Any) -> None:
        self.links[-1].send(json.dumps({"type": kind, **fields}))

    def state(self, *args: Any, **more: Any) -> None:
        self.links[-1].send(state(*args, **more))

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.heard if message["type"] == kind]

    def wait(self, condition: Callable[[], bool]) -> None:
        """Until something has come."""
        for _ in range(500):
            if condition():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(self.heard)

    def shown(self, script: str) -> None:
        """Wait until something holds in the page."""
        self.page.evaluate(until(script))


def opened(page: Page, address: str = "/", **more: Any) -> Server:
    serve(page)
    server = Server(page, **more)
    page.goto(SITE + address)
    page.evaluate(until("window.view"))
    return server
