"""The application: the page, the timelines, and the WebSocket of each viewer."""

from __future__ import annotations

import gzip
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from devs_robotics.view.server.flow import PATIENCE
from devs_robotics.view.server.messages import (
    CROWDED,
    MISSING,
    SUBPROTOCOL,
    UNSEEN,
    ControlRequest,
    StateReceived,
    Token,
    Want,
    read,
    written,
)
from devs_robotics.view.server.security import App, Gatekeeper, Tokens
from devs_robotics.view.server.serving import Serving
from devs_robotics.view.server.shown import ViewContent
from devs_robotics.view.server.viewers import Hub, Viewer

PAGE = Path(__file__).parents[1] / "page"
"""Where the page's files are."""

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
}
"""Types of the page's files, by their endings; no others are served."""

PER_SECOND = 200
"""Most messages of one viewer per second; what is more is dropped, and counted."""

SHOW_TOKEN_WITHIN = 10.0
"""So long a viewer has to show the token where looking needs it (s)."""

GONE = (WebSocketDisconnect, RuntimeError, OSError)
"""What is raised where a viewer has gone, or takes nothing any more."""

EVERYTHING_ELSE = "there is no such page: open the link that was printed\n"


class _PageFile:
    """A file of the page, as it is and packed."""

    def __init__(self, path: Path) -> None:
        self._content, self._kind = path.read_bytes(), KINDS[path.suffix]
        self._packed = gzip.compress(self._content, mtime=0)
        self._headers = {"vary": "accept-encoding"}

    def answer(self, request: Request) -> Response:
        """The file, packed for who says that it can be."""
        if len(self._packed) >= len(self._content) or not _takes_gzip(request.headers.get("accept-encoding", "")):
            return Response(self._content, media_type=self._kind, headers=self._headers)
        headers = {**self._headers, "content-encoding": "gzip"}
        return Response(self._packed, media_type=self._kind, headers=headers)


class ViewApp:
    """What answers browsers.

    Args:
        shown: what there is to be seen
        serving: where and how
        token: that control needs
        port: on which it listens
        page: folder of the page's files

    Attributes:
        dropped: messages of pages that were none, or too many
    """

    def __init__(self, shown: ViewContent, serving: Serving, token: str, port: int, page: Path = PAGE) -> None:
        self.dropped = 0
        self.tokens = Tokens(token)
        self._shown = shown
        self._serving = serving
        self._files = {
            path.relative_to(page).as_posix(): _PageFile(path)
            for path in sorted(page.rglob("*"))
            if path.is_file() and path.suffix in KINDS
        }
        self.app: App = Gatekeeper(self._routes(), serving, port)

    def _routes(self) -> App:
        routes: list[Any] = []
        for prefix in ("", "/r/{number:int}"):
            routes += [
                WebSocketRoute(f"{prefix}/ws", self._watch),
                Route(f"{prefix}/timeline/{{chunk:int}}", self._timeline),
                Route(f"{prefix}/{{file:path}}", self._file),
            ]
        routes.sort(key=lambda route: not route.path.startswith("/r/"))
        return Starlette(routes=routes)

    async def _file(self, request: Request) -> Response:
        """A file of the page, or the list of recordings."""
        name = request.path_params["file"] or "index.html"
        if name == "index.html" and "number" not in request.path_params and self._shown.names:
            return Response(_listing(self._shown), media_type="text/html")
        if name not in self._files:
            return PlainTextResponse(EVERYTHING_ELSE, 404)
        return self._files[name].answer(request)

    async def _timeline(self, request: Request) -> Response:
        """A chunk of a timeline, deflated as it is."""
        if self._serving.needs_token and not self._has_token(request):
            return PlainTextResponse("this needs the token\n", 401)
        hub = self._hub(request)
        chunk = None if hub is None else hub.chunk(request.path_params["chunk"])
        if chunk is None:
            return PlainTextResponse("there is no such chunk\n", 404)
        return _ranged(request, chunk)

    async def _watch(self, socket: WebSocket) -> None:
        """One viewer, from the first message to the last."""
        hub = self._hub(socket)
        address = _address(socket)
        if hub is None or SUBPROTOCOL not in socket.scope["subprotocols"] or self.tokens.is_closed_out(address):
            await socket.close(1008)  # before it is accepted: 403
            return
        await socket.accept(SUBPROTOCOL)
        viewer = Viewer()
        with suppress(*GONE):
            if len(hub.viewers) >= self._serving.viewers:
                reason = f"{self._serving.viewers} viewers look already, and no more may: try again later"
                await socket.send_text(written("error", id=None, reason=reason))
                await socket.close(CROWDED, reason)
            elif not self._serving.needs_token or await self._shows_token(socket, viewer):
                await self._serve(socket, viewer, hub)

    async def _serve(self, socket: WebSocket, viewer: Viewer, hub: Hub) -> None:
        hub.join(viewer)
        try:
            async with anyio.create_task_group() as both:

                async def until_the_end(work: Callable[[WebSocket, Viewer, Hub], Awaitable[None]]) -> None:
                    with suppress(*GONE):
                        await work(socket, viewer, hub)
                    both.cancel_scope.cancel()

                both.start_soon(until_the_end, self._send)
                both.start_soon(until_the_end, self._hear)
        finally:
            hub.leave(viewer)

    async def _shows_token(self, socket: WebSocket, viewer: Viewer) -> bool:
        """Whether the first message is the right token; else the connection is closed."""
        reason = "looking needs the token: open the whole link that was printed"
        with anyio.move_on_after(SHOW_TOKEN_WITHIN):
            message = read(await _received(socket))
            if isinstance(message, Token):
                if self.tokens.is_right(message.value, _address(socket)):
                    viewer.may_control = True
                    return True
                reason = "the token is wrong"
        await socket.send_text(written("error", id=None, reason=reason))
        await socket.close(MISSING, reason)
        return False

    async def _send(self, socket: WebSocket, viewer: Viewer, hub: Hub) -> None:
        """Send what waits for a viewer, for as long as he answers."""
        flow = viewer.flow
        while True:
            now = time.monotonic()
            if viewer.leaving is not None:
                await socket.close(*viewer.leaving)
                return
            if flow.is_gone(now) or flow.is_stuck:
                await socket.close(UNSEEN, "nothing was seen for a while")
                return
            waiting = flow.next(now)
            if waiting is None:
                viewer.wake.clear()
                with anyio.move_on_after(flow.wait(now)):
                    await viewer.wake.wait()
                continue
            data = waiting.data
            with anyio.fail_after(PATIENCE):
                await (socket.send_text(data) if isinstance(data, str) else socket.send_bytes(data))

    async def _hear(self, socket: WebSocket, viewer: Viewer, hub: Hub) -> None:
        """Take what a viewer says; what is no message, or too much, is dropped and counted."""
        second, count = 0, 0
        while True:
            text = await _received(socket)
            now = int(time.monotonic())
            second, count = (second, count + 1) if now == second else (now, 1)
            message = read(text) if count <= PER_SECOND else None
            match message:
                case None:
                    self.dropped += 1
                    if count % PER_SECOND == 0:
                        await anyio.sleep(0)  # others have their turn
                case Want():
                    hub.want(viewer, message)
                case StateReceived():
                    viewer.flow.answered(message.seq)
                    viewer.wake.set()
                case Token():
                    if not self._take_token(socket, viewer, hub, message):
                        viewer.leave(MISSING, "too many wrong tokens")
                case ControlRequest():
                    await self._do(viewer, hub, message)

    def _take_token(self, socket: WebSocket, viewer: Viewer, hub: Hub, message: Token) -> bool:
        """Let a viewer do more who has the token; returns whether he may go on trying."""
        address = _address(socket)
        if self.tokens.is_right(message.value, address):
            viewer.may_control = True
            viewer.flow.say(hub.hello(viewer))
        else:
            viewer.flow.say(written("error", id=None, reason="the token is wrong"))
        viewer.wake.set()
        return not self.tokens.is_closed_out(address)

    async def _do(self, viewer: Viewer, hub: Hub, ask: ControlRequest) -> None:
        if viewer.may_control:
            refusal = await hub.obey(ask)
        else:
            refusal = "only who opens the whole link that was printed may do that: this page has no token"
        answer = written("error", id=ask.id, reason=refusal) if refusal else written("done", id=ask.id)
        viewer.flow.say(answer)
        viewer.wake.set()

    def _hub(self, connection: HTTPConnection) -> Hub | None:
        return self._shown.hub(connection.path_params.get("number"))

    def _has_token(self, request: Request) -> bool:
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.tokens.is_right(given.strip(), _address(request))


def _address(connection: HTTPConnection) -> str:
    return "" if connection.client is None else connection.client.host


async def _received(socket: WebSocket) -> str | bytes:
    """The next message; raises WebSocketDisconnect when there are no more."""
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect(message.get("code", 1005))
    text: str | bytes | None = message.get("text")
    return message.get("bytes") or b"" if text is None else text


def _takes_gzip(encodings: str) -> bool:
    """Whether a header `Accept-Encoding` names gzip, and not as what is not wanted."""
    for each in encodings.lower().split(","):
        name, _, quality = each.replace(" ", "").partition(";")
        if name == "gzip":
            return not quality.startswith("q=0") or any(digit in "123456789" for digit in quality[3:])
    return False


def _ranged(request: Request, content: bytes) -> Response:
    """The bytes, or the one range of them that is asked for."""
    headers = {"accept-ranges": "bytes"}
    kind = "application/octet-stream"
    first, last = _range(request.headers.get("range", ""), len(content))
    if first is None:
        return Response(content, media_type=kind, headers=headers)
    if first > last:
        return Response(b"", 416, {**headers, "content-range": f"bytes */{len(content)}"}, kind)
    headers["content-range"] = f"bytes {first}-{last}/{len(content)}"
    return Response(content[first : last + 1], 206, headers, kind)


def _range(text: str, size: int) -> tuple[int | None, int]:
    """The first and the last byte of a range; None: there is no range, or one that is not understood."""
    unit, _, wanted = text.partition("=")
    first, dash, last = wanted.strip().partition("-")
    digits = [part for part in (first, last) if part]
    if (
        unit.strip() != "bytes"
        or not dash
        or not digits
        or not all(part.isascii() and part.isdigit() for part in digits)
    ):
        return None, 0
    if max(map(len, digits)) > 18:
        return None, 0
    if not first:
        return max(0, size - int(last)), size - 1
    return int(first), min(int(last) if last else size - 1, size - 1)


def _listing(shown: ViewContent) -> str:
    """The recordings of a folder, as a page of links."""
    items = "\n".join(f'<li><a href="r/{number}/">{escape(name)}</a></li>' for number, name in enumerate(shown.names))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>Recordings</title><link rel="stylesheet" href="view.css"><main><h1>Recordings in {escape(shown.title)}'
        f"</h1><ul>\n{items}\n</ul></main></html>\n"
    )
