"""Runs the server of a view, here, until it is told to end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import uvicorn

from devs_robotics.view.server.app import ViewApp
from devs_robotics.view.server.messages import LONGEST
from devs_robotics.view.server.serving import Serving
from devs_robotics.view.server.shown import ViewContent

CONNECTIONS = 64
"""Most connections at once, of all kinds."""


class _Server(uvicorn.Server):
    """A server that leaves signals to the program."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """None."""
        yield


def server(shown: ViewContent, serving: Serving, token: str, listens: socket.socket) -> tuple[uvicorn.Server, ViewApp]:
    """A server of a view, and its application."""
    view = ViewApp(shown, serving, token, listens.getsockname()[1])
    config = uvicorn.Config(
        view.app,
        http="h11",
        ws="websockets-sansio",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
        ssl_certfile=serving.certificate,
        ssl_keyfile=serving.certificate,
    )
    return _Server(config), view


async def serve(
    running: uvicorn.Server, listens: socket.socket, ready: Callable[[], None], until: Awaitable[None]
) -> None:
    """Serve until something is over.

    Args:
        running: the server
        listens: where
        ready: called once it answers
        until: what is waited for
    """
    serving = asyncio.ensure_future(running.serve([listens]))
    while not running.started and not serving.done():
        await asyncio.sleep(0.005)
    ready()
    ending = asyncio.ensure_future(until)
    await asyncio.wait({serving, ending}, return_when=asyncio.FIRST_COMPLETED)
    running.should_exit = True
    await serving
