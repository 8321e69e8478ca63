"""The process of a view: reads what to do from its standard input, and ends when that does."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from socket import socket
from typing import IO, TYPE_CHECKING

import msgspec

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.view.server.camera_window import CameraWindow
from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.process import PAGE, ViewProcessConfig
from devs_robotics.view.server.serving import Serving, listening
from devs_robotics.view.server.shown import ViewContent
from devs_robotics.view.shared import SharedBlock

if TYPE_CHECKING:
    from devs_robotics.view.server.picture_follower import PictureFollower

LINGER = 600.0
"""So long a view that has viewers outlives a run that has ended without a word (s)."""

FAREWELL = 0.2
"""Time for the last messages of a run that has ended (s)."""


def main() -> None:
    """Serve a run until it is over."""
    if PAGE in sys.argv[1:]:
        with suppress(ImportError):  # which is told before anything is served
            import_module("devs_robotics.view.server.running")
    told = sys.stdin.buffer.readline()
    if not told:
        return  # nobody needs it
    config = msgspec.json.decode(told, type=ViewProcessConfig)
    try:
        listens = listening(config.serving) if config.serving.page else None
        block = SharedBlock(Path(config.block))
        followers = list(_followers(config.serving))
    except DevsRoboticsError as exc:
        _say(error=str(exc))
        return
    asyncio.run(_serve(config, listens, block, followers))


def _followers(serving: Serving) -> Iterator[PictureFollower]:
    """What leads the run's pictures to others' tools; few want any."""
    if serving.foxglove:
        from devs_robotics.view.server.foxglove_server import FoxgloveServer

        yield FoxgloveServer(serving.foxglove)
    if serving.ros2:
        from devs_robotics.view.server.ros2_server import Ros2Server

        yield Ros2Server(serving.ros2, clock=serving.clock)


async def _serve(
    config: ViewProcessConfig, listens: socket | None, block: SharedBlock, followers: list[PictureFollower]
) -> None:
    shown = ViewContent()
    serving = config.serving
    camera = CameraWindow(Path(serving.camera), serving.pictures) if serving.camera else None
    hub = LiveHub(block, shown.show, control=serving.control, kept=serving.kept, camera=camera)
    shown.watch(hub)
    looking = [_looking("the view", hub.serve(), hub.fail)]
    looking += [_looking(follower.option, follower.serve(hub)) for follower in followers]

    async def over() -> None:
        await _end_of(sys.stdin.buffer)
        hub.run_is_gone()
        if looking[0].done() or hub.run.state in ("ended", "failed"):
            await asyncio.sleep(FAREWELL)
            return
        for _ in range(int(LINGER)):
            await asyncio.sleep(1.0)
            if not hub.viewers:
                return

    if listens is None:
        _say(port=0)
        await over()
    else:
        await _serve_page(config, listens, shown, over())
    for each in looking:
        each.cancel()
    for follower in followers:
        follower.close()
    if hub.run.state not in ("ended", "failed"):  # the run has died, and cannot tidy up
        block.remove()


def _looking(
    name: str, looking: Coroutine[None, None, None], failed: Callable[[str], None] | None = None
) -> asyncio.Task[None]:
    """Look at the run in a task, and have the run's process told at once of what fails in it."""

    def ended(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            why = f"{type(error).__name__}: {error}"
            _say(failed=name, why=why)
            if failed is not None:
                failed(why)

    task = asyncio.ensure_future(looking)
    task.add_done_callback(ended)
    return task


async def _serve_page(
    config: ViewProcessConfig, listens: socket, shown: ViewContent, until: Coroutine[None, None, None]
) -> None:
    from devs_robotics.view.server.running import serve, server  # which need packages of their own

    running, _ = server(shown, config.serving, config.token, listens)
    await serve(running, listens, lambda: _say(port=listens.getsockname()[1]), until)


async def _end_of(stream: IO[bytes]) -> None:
    """Wait until a stream is over."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stream)
    while await reader.read(1024):
        pass


def _say(**what: object) -> None:
    with suppress(OSError):
        os.write(1, json.dumps(what).encode() + b"\n")


if __name__ == "__main__":
    main()
