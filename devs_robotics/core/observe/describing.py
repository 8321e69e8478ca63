"""Events and values in words."""

from __future__ import annotations

from math import inf
from typing import Any

import msgspec

from devs_robotics.core.observe.events import Changed, Event, Failed, Joined, Noted, Received, Sent, Started, kind_of
from devs_robotics.core.observe.plain import FLOAT, REPR, plain

_encode = msgspec.json.Encoder().encode


def value_text(value: Any) -> str:
    """A value for people: ``Drive(turn=0.1, step=0.2)`` when its class is known, else much as JSON."""
    built = plain(value)
    if isinstance(value, dict) or not isinstance(built, dict) or built.keys() in ({REPR}, {FLOAT}):
        return _text(built)
    return f"{type(value).__name__}({', '.join(f'{key}={_text(item)}' for key, item in built.items())})"


def event_text(event: Event) -> str:
    """What happened, without when and to whom: ``internal   -> moving for 2.5 s``."""
    return f"{kind_of(event):<9}  {_what(event)}".rstrip()


def seconds(time: float) -> str:
    """A time for people, with all its digits."""
    return f"{time:.15g} s"


def _what(event: Event) -> str:
    if isinstance(event, Sent | Received):
        return f"{event.port} <- {', '.join(map(value_text, event.values))}"
    if isinstance(event, Changed):
        return f"-> {event.phase} {'for ever' if event.sigma == inf else f'for {seconds(event.sigma)}'}"
    if isinstance(event, Joined):
        return f"a {event.model_class}"
    if isinstance(event, Noted):
        return f"{event.topic}: {_text(plain(event.data))}"
    if isinstance(event, Failed):
        return event.message
    if isinstance(event, Started):
        return f"{event.root}: {len(event.models)} models"
    return ""


def _text(built: Any) -> str:
    """Plain data as JSON, but with what is marked in it, infinity for instance, as it is."""
    if isinstance(built, dict):
        if built.keys() in ({REPR}, {FLOAT}):
            return str(next(iter(built.values())))
        return f"{{{', '.join(f'{key}: {_text(item)}' for key, item in built.items())}}}"
    if isinstance(built, list):
        return f"[{', '.join(map(_text, built))}]"
    return _encode(built).decode()
