"""Serves a recording, a list of them, or a run whose view has died, in this process until the user wants an end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.process import new_token
from devs_robotics.view.server.running import serve, server
from devs_robotics.view.server.serving import Serving, check, listening
from devs_robotics.view.server.shown import ViewContent
from devs_robotics.view.shared import SharedBlock

LOOKS = 0.1
"""Time between two looks at whether it is over (s)."""


def show_recordings(
    shown: ViewContent, serving: Serving, tell: Callable[[str], None], interrupted: Callable[[], bool]
) -> None:
    """Serve recordings.

    Args:
        shown: which
        serving: where and how
        tell: gets the link
        interrupted: whether the user wants an end

    Raises:
        DevsRoboticsError: they cannot be served so
    """
    _show(shown, serving, tell, interrupted, None)


def show_run(block: Path, serving: Serving, tell: Callable[[str], None], interrupted: Callable[[], bool]) -> None:
    """Serve a run that goes on, and whose own view has died; see `show_recordings`.

    Args:
        block: file that the run shared with its view
        serving: where and how
        tell: gets the link
        interrupted: whether the user wants an end
    """
    with SharedBlock(block) as memory:
        shown = ViewContent()
        hub = LiveHub(memory, shown.show)
        shown.watch(hub)
        _show(shown, serving, tell, lambda: interrupted() or not hub.process_is_there, hub)


def _show(
    shown: ViewContent, serving: Serving, tell: Callable[[str], None], over: Callable[[], bool], hub: LiveHub | None
) -> None:
    check(serving)
    token = new_token()
    listens = listening(serving)
    link = serving.link(listens.getsockname()[1], token if serving.needs_token else "")

    async def until_over() -> None:
        while not over():
            await asyncio.sleep(LOOKS)
        if hub is not None:
            hub.run_is_gone()
            await asyncio.sleep(LOOKS)

    async def all_of_it() -> None:
        looking = None if hub is None else asyncio.ensure_future(hub.serve())
        running, _ = server(shown, serving, token, listens)
        await serve(running, listens, lambda: tell(link), until_over())
        if looking is not None:
            looking.cancel()

    with listens:
        asyncio.run(all_of_it())
