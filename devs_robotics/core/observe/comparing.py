"""Compares two traces."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import Struct

from devs_robotics.core.observe.describing import event_text, seconds, value_text
from devs_robotics.core.observe.events import CutShort, Event, Received, Sent, Started, model_of
from devs_robotics.core.observe.plain import plain

CONTEXT = 5
"""Number of events before the first difference that are told with it."""

_encode = msgspec.json.Encoder(order="sorted").encode


class TraceDifference(Struct, frozen=True):
    """The first difference between two traces; as a string, what a modeller wants to read.

    Attributes:
        index: how many events before it are the same
        time: of the event that was expected or, where none was, of the one that was seen (s)
        model: its model's path; None when it is about the whole simulation
        port: its port; None when it is about no port
        expected: the event that was expected; None when the trace should have been over
        seen: the event that was seen; None when the trace was over
        words: what differs, field by field
        before: the last events before it, as they were expected
    """

    index: int
    time: float
    model: str | None
    port: str | None
    expected: Event | None
    seen: Event | None
    words: tuple[str, ...]
    before: tuple[Event, ...]

    def __str__(self) -> str:
        place = f"at {seconds(self.time)}"
        if self.model is not None:
            place += f" in {self.model}" + (f".{self.port}" if self.port is not None else "")
        lines = [f"the traces differ {place} (event {self.index}):", *(f"  {line}" for line in self.words)]
        lines.append(f"expected  {_line(self.expected)}")
        lines.append(f"seen      {_line(self.seen)}")
        if self.before:
            lines += ["just before, in both:", *(f"  {_line(event)}" for event in self.before)]
        return "\n".join(lines)


def first_difference(expected: Iterable[Event], seen: Iterable[Event]) -> TraceDifference | None:
    """The first event in which two traces differ; None when they are the same.

    Bags are compared as multisets, and values as `plain` data, so that a trace in memory can be held against a file.
    The order of events counts. The version of this package in the head does not. Both traces are read event by event.
    """
    before: deque[Event] = deque(maxlen=CONTEXT)
    for index, (one, other) in enumerate(zip_longest(expected, seen)):
        words = tuple(_words(one, other))
        if words:
            return _difference(index, one, other, words, tuple(before))
        before.append(one)
    return None


def _difference(
    index: int, expected: Event | None, seen: Event | None, words: tuple[str, ...], before: tuple[Event, ...]
) -> TraceDifference:
    shown = expected or seen
    assert shown is not None
    return TraceDifference(
        index, shown.time, model_of(shown), getattr(shown, "port", None), expected, seen, words, before
    )


def _words(expected: Event | None, seen: Event | None) -> Iterator[str]:
    """What differs between two events; nothing when they are the same."""
    if expected is None or (isinstance(expected, CutShort) and not isinstance(seen, CutShort)):
        yield "the expected trace " + ("ends before" if expected is None else "is cut short here")
    elif seen is None or (isinstance(seen, CutShort) and not isinstance(expected, CutShort)):
        yield "the seen trace " + ("ends before" if seen is None else "is cut short here")
    elif type(expected) is not type(seen):
        yield "another kind of event"
    else:
        for field in expected.__struct_fields__:
            yield from _field_words(field, getattr(expected, field), getattr(seen, field), expected)


def _field_words(field: str, expected: Any, seen: Any, event: Event) -> Iterator[str]:
    if isinstance(event, Sent | Received) and field == "values":
        yield from _bag_words(expected, seen)
    elif isinstance(event, Started) and field in ("models", "devs_robotics"):
        if field == "models":
            yield from _model_words(expected, seen)
    elif expected != seen:
        yield f"{field}: expected {_field_text(expected)}, seen {_field_text(seen)}"


def _model_words(expected: dict[str, str], seen: dict[str, str]) -> Iterator[str]:
    """What differs between the models that two traces watch."""
    for path, name in expected.items():
        if path not in seen:
            yield f"model {path}: expected, not seen"
        elif seen[path] != name:
            yield f"model {path}: expected a {name}, seen a {seen[path]}"
    yield from (f"model {path}: seen, not expected" for path in seen if path not in expected)
    if expected == seen and list(expected) != list(seen):
        yield "models: in another order"


def _bag_words(expected: tuple[Any, ...], seen: tuple[Any, ...]) -> Iterator[str]:
    """What differs between two bags, whatever their order."""
    if expected is seen:
        return
    here, there = ([plain(value) for value in values] for values in (expected, seen))
    missing, extra = _without(here, there, expected), _without(there, here, seen)
    if len(missing) == len(extra) == 1:
        yield from _value_words("value", plain(missing[0]), plain(extra[0]))
        return
    yield from (f"value expected, not seen: {value_text(value)}" for value in missing)
    yield from (f"value seen, not expected: {value_text(value)}" for value in extra)


def _without(some: list[Any], others: list[Any], originals: tuple[Any, ...]) -> list[Any]:
    """Those of the `originals`, `some` in plain, that have no partner among the others."""
    partners = Counter(map(_encode, others))
    left = []
    for value, original in zip(some, originals, strict=True):
        key = _encode(value)
        if partners[key]:
            partners[key] -= 1
        else:
            left.append(original)
    return left


def _value_words(name: str, expected: Any, seen: Any) -> Iterator[str]:
    """Where in two values, both plain, they differ."""
    if isinstance(expected, dict) and isinstance(seen, dict) and expected.keys() == seen.keys():
        for key in expected:
            yield from _value_words(f"{name}.{key}", expected[key], seen[key])
    elif isinstance(expected, list) and isinstance(seen, list) and len(expected) == len(seen):
        for index, (one, other) in enumerate(zip(expected, seen, strict=True)):
            yield from _value_words(f"{name}[{index}]", one, other)
    elif _encode(expected) != _encode(seen):
        yield f"{name}: expected {value_text(expected)}, seen {value_text(seen)}"


def _field_text(value: Any) -> str:
    return value if isinstance(value, str) else f"{value!r}"


def _line(event: Event | None) -> str:
    if event is None:
        return "nothing: the trace is over"
    model = model_of(event)
    return f"{seconds(event.time):>12}  {'' if model is None else model + '  '}{event_text(event)}"
