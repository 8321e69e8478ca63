"""Who may look, and who may do more.

A view listens on the loopback interface, which keeps machines out, but no pages: any page may open a WebSocket to
127.0.0.1. So the `Origin` of each request must be the view's own, or absent, and its `Host` one of those that it has.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from devs_robotics.view.server.serving import Serving

WRONG = 5
"""Wrong tokens from one address after which it is closed out."""

CLOSED_OUT = 60.0
"""So long (s)."""

LONGEST_PATH = 1000
"""Longest path of a request; none that is served comes near it."""

ADDRESSES = 1000
"""Addresses whose wrong tokens are remembered."""

POLICY = (
    "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""The Content-Security-Policy of all that is served."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-cache",
}

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Tokens:
    """Compares tokens, and closes out who tries too many.

    Args:
        token: that is right
        now: tells the time (s)
    """

    def __init__(self, token: str, now: Callable[[], float] = time.monotonic) -> None:
        self._token = token.encode()
        self._now = now
        self._wrong: dict[str, tuple[int, float]] = {}
        """By address: how many wrong ones there were, and when the last one came (s)."""

    def is_closed_out(self, address: str) -> bool:
        """Whether nobody from this address may try again yet."""
        count, last = self._wrong.get(address, (0, 0.0))
        if count and self._now() - last >= CLOSED_OUT:
            del self._wrong[address]
            return False
        return count >= WRONG

    def is_right(self, given: str, address: str) -> bool:
        """Whether a token is right, and its address is not closed out; a wrong one is counted against the address."""
        if self.is_closed_out(address):
            return False
        if hmac.compare_digest(given.encode(errors="replace"), self._token):
            self._wrong.pop(address, None)
            return True
        count, _ = self._wrong.pop(address, (0, 0.0))
        if len(self._wrong) >= ADDRESSES:
            self._wrong.pop(next(iter(self._wrong)))
        self._wrong[address] = count + 1, self._now()
        return False


class Gatekeeper:
    """Refuses requests that do not come from the view's own page, and says in headers what pages may do.

    Args:
        app: that is guarded
        serving: where it is served
        port: on which it listens
    """

    def __init__(self, app: App, serving: Serving, port: int) -> None:
        self._app = app
        host = f"[{serving.host}]" if ":" in serving.host else serving.host
        names = ["127.0.0.1", "localhost", "[::1]"] if serving.is_local else []
        self._hosts = {f"{name}:{port}".lower() for name in [*names, host]}
        if port == (80 if serving.certificate is None else 443):
            self._hosts |= {name.rpartition(":")[0] for name in self._hosts}
        self._scheme = "http" if serving.certificate is None else "https"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif not self.lets_in(scope):
            await _refuse(scope, receive, send)
        else:
            await self._app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)

    def lets_in(self, scope: Scope) -> bool:
        """Whether a request comes to one of the view's own names, and from its own page, or from no page at all."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        if len(hosts) != 1 or len(origins) > 1 or len(scope["path"]) > LONGEST_PATH:
            return False
        host = hosts[0].decode("latin-1").lower()
        if host not in self._hosts:
            return False
        return not origins or origins[0].decode("latin-1").lower() == f"{self._scheme}://{host}"


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": ""})  # before it is accepted: 403
        return
    answer = _with_headers(send)
    await answer(
        {"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain; charset=utf-8")]}
    )
    text = b"this view answers its own page only: open the link that was printed\n"
    await answer({"type": "http.response.body", "body": text})


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message["headers"] = [*message.get("headers", []), *own]
        await send(message)

    return sending
