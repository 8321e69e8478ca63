"""Values as plain data: what JSON can hold, the same on every run."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

import msgspec

from devs_robotics.core.observe.events import Event, Noted, Received, Sent
from devs_robotics.core.texts import encodable

REPR = "!repr"
"""Marks a value of which only the text is known."""
FLOAT = "!float"
"""Marks inf, -inf and nan, which JSON lacks."""

_encode = msgspec.json.Encoder(order="sorted").encode
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


def plain(value: Any) -> Any:
    """A value as JSON would have it: None, bool, int, float, str, and lists and dicts of these.

    Structs and dataclasses become dicts, sets become sorted lists, arrays become lists, bytes become base64.
    ``{"!repr": text}`` stands for what is nothing of the kind, ``{"!float": "inf"}`` for a number that JSON lacks.
    What is plain already stays as it is.
    """
    try:
        return _plain(value)
    except RecursionError:  # a list inside itself
        return _as_text(value)


def plain_event(event: Event) -> Event:
    """An event with its values as plain data, as it comes back from a trace file."""
    if isinstance(event, Sent | Received):
        return type(event)(event.time, event.model, event.port, tuple(map(plain, event.values)))
    if isinstance(event, Noted):
        return Noted(event.time, event.topic, plain(event.data))
    return event


def _plain(value: Any) -> Any:
    try:
        return _for_json(msgspec.to_builtins(value, str_keys=True, order="deterministic", enc_hook=_built))
    except TypeError:  # somewhere in it, keys that are no text, or a set that cannot be sorted
        return _piece_by_piece(value)


def _piece_by_piece(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return list(map(_plain, value))
    if isinstance(value, set | frozenset):
        return sorted(map(_plain, value), key=_encode)
    if isinstance(value, msgspec.Struct):
        value = msgspec.structs.asdict(value)
    elif is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, dict):
        return {_key(key): _plain(item) for key, item in value.items()}
    return _as_text(value)


def _key(key: Any) -> str:
    return encodable(key) if isinstance(key, str) else _encode(_plain(key)).decode()


def _built(value: Any) -> Any:
    import numpy as np  # slow to load, and seldom needed

    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    return _as_text(value)


def _as_text(value: Any) -> dict[str, str]:
    """The value's repr without the address, which changes from run to run."""
    return {REPR: encodable(_ADDRESS.sub("", repr(value)))}


def _for_json(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else {FLOAT: str(value)}
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {encodable(key): _for_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_for_json(item) for item in value]
    return value
