"""What a protocol says, as far as it can be said: things that end, and bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from devs_robotics.core.faults import in_short
from devs_robotics.hil.protocols.events import Output

MOST_OUTPUTS = 10_000
"""Number of things that a hook says in one call above which it is taken to go on for ever."""


def outputs_of(said: object) -> Iterator[Output]:
    """What a hook says, as an iterator."""
    if said is None:
        raise TypeError("it returned None: let it return () for nothing")
    if isinstance(said, bytes | str) or not isinstance(said, Iterable):
        raise TypeError(f"it returned {in_short(said)}: let it return a list, or be a generator")
    return iter(said)


def bytes_of(said: Iterable[object]) -> list[bytes]:
    """A stop message, which must be bytes and must end."""
    message: list[bytes] = []
    for data in islice(said, MOST_OUTPUTS):
        if not isinstance(data, bytes):
            raise TypeError(f"{in_short(data)} is not bytes: let the stop message be a list of bytes")
        message.append(data)
    return message
