"""Reads trace files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path

import msgspec

from devs_robotics.core.observe.events import (
    RECORDING_VERSION,
    TRACE_FORMAT,
    TRACE_VERSION,
    Changed,
    CutShort,
    Ended,
    Event,
    Failed,
    Joined,
    Left,
    Noted,
    Received,
    Sent,
    Started,
    TraceError,
)
from devs_robotics.core.observe.observer import TransitionKind


class _WrittenChanged(msgspec.Struct, frozen=True, tag="changed", tag_field="event"):
    """A `Changed` as JSON has it, where null is an infinite sigma."""

    time: float
    model: str
    kind: TransitionKind
    elapsed: float
    phase: str
    sigma: float | None


_Written = Started | Sent | Received | _WrittenChanged | Joined | Left | Noted | Failed | Ended


class _Head(msgspec.Struct):
    """What tells whether a file is a trace, and of which version."""

    format: str
    version: int


_decode = msgspec.json.Decoder(_Written).decode
_decode_head = msgspec.json.Decoder(_Head).decode

DECODING_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises for what is no event; msgspec lets the last two through."""


def read_trace(path: str | Path) -> Iterator[Event]:
    """The events of a trace file, .jsonl or .mcap, one by one; values as `plain` has them.

    A trace whose writer was killed gives what is whole and then a `CutShort`.

    Raises:
        TraceError: the file cannot be read, is no trace, is one of another version, or is broken; at once where the
            head tells, and otherwise when its place is reached
    """
    path = Path(path)
    if path.suffix == ".mcap":
        from devs_robotics.core.observe.mcap_reading import read_messages

        parts = read_messages(path)
    else:
        parts = _lines(path)
    place, head = next(parts, ("", b""))
    return _events(path, _checked_head(path, place, head), parts)


def _checked_head(path: Path, place: str, head: bytes) -> Started:
    """The head of a trace."""
    if not head:
        raise TraceError(f"{path} is empty: it is no trace, or its writer was stopped before it began")
    try:
        found = _decode_head(head)
    except DECODING_ERRORS:
        found = None
    if found is None or found.format != TRACE_FORMAT:
        raise TraceError(f"{path} is no trace: its {place} is not the head of one")
    if found.version not in (TRACE_VERSION, RECORDING_VERSION):
        raise TraceError(
            f"{path} is a trace of version {found.version}, and this version of devs-robotics reads versions "
            f"{TRACE_VERSION} and {RECORDING_VERSION}: make it again"
        )
    event = _decoded(path, place, head)
    if not isinstance(event, Started):
        raise TraceError(f"{path} is no trace: its {place} is not the head of one")
    return event


def _events(path: Path, head: Started, parts: Iterable[tuple[str, bytes]]) -> Iterator[Event]:
    event: Event = head
    yield event
    for place, data in parts:
        event = _decoded(path, place, data)
        yield event
    if not isinstance(event, Ended | Failed):
        yield CutShort(event.time)


def _decoded(path: Path, place: str, data: bytes) -> Event:
    try:
        event: _Written = _decode(data)
    except DECODING_ERRORS as exc:
        raise TraceError(f"{path} is broken at {place}: {exc}") from exc
    if isinstance(event, _WrittenChanged):
        sigma = inf if event.sigma is None else event.sigma
        return Changed(event.time, event.model, event.kind, event.elapsed, event.phase, sigma)
    return event


def _lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """Each line with its place; not the last one when its end is missing, since it may be torn."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.endswith(b"\n"):
                    yield f"line {number}", line
                elif number == 1:
                    yield "line 1", line
    except OSError as exc:
        raise TraceError(f"cannot read the trace {path}: {exc.strerror or exc}") from exc
