"""What a page and a view say to each other, beside states and timelines; all of it JSON."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from devs_robotics.view.scene import Scene, SceneBody

SUBPROTOCOL = "devs-robotics.view.1"
VERSION = 1

LONGEST = 4096
"""Longest message of a page (bytes)."""

MISSING, UNSEEN, CROWDED, AGAIN, FLOOD = 4401, 4408, 4429, 1012, 1008
"""Why a connection is closed: no token, nothing seen for long, too many viewers, connect again at once, other rules."""


class Want(Struct, tag="want", tag_field="type"):
    """What a page wants: states per second (0: none), events, metrics; of rays only those of some robots; and pictures
    of the camera."""

    rate: float = 30.0
    events: bool = False
    metrics: bool = False
    robots: list[int] | None = None
    pictures: bool = False


class StateReceived(Struct, tag="seen", tag_field="type"):
    """A page has a state."""

    seq: int


class ControlRequest(Struct, tag="control", tag_field="type"):
    """A page wants something to be done."""

    id: int | str
    do: str
    value: float | str | None = None


class Token(Struct, tag="token", tag_field="type"):
    """A page shows that its viewer may do more."""

    value: str


_decoder: msgspec.json.Decoder[Want | StateReceived | ControlRequest | Token] = msgspec.json.Decoder(
    Want | StateReceived | ControlRequest | Token
)
_encode = msgspec.json.Encoder().encode


def read(text: str | bytes) -> Want | StateReceived | ControlRequest | Token | None:
    """A message of a page; None for what is none."""
    data = text.encode(errors="replace") if isinstance(text, str) else text
    if len(data) > LONGEST:
        return None
    try:
        return _decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        return None


def written(kind: str, /, **fields: Any) -> str:
    """A message to a page."""
    return _encode({"type": kind, **fields}).decode()


def scene_text(revision: int, scene: Scene, **more: Any) -> str:
    """The message `scene`."""
    return written("scene", revision=revision, **asdict(scene), **more)


def joined_text(revision: int, time: float, bodies: list[SceneBody]) -> str:
    """The message `joined`."""
    return written("joined", revision=revision, t=time, bodies=bodies)
