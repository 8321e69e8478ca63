"""Makes what pages are told of what was sent in a run: rays with their bearings, and words of messages."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

LONGEST = 200
"""Characters of a message that pages are told."""

Item = tuple[Any, ...]


def told(items: list[Any], beams: Mapping[int, tuple[float, ...]]) -> list[Item]:
    """Events as pages know them.

    Args:
        items: as they were sent
        beams: of the range sensors of each robot (rad)
    """
    return [_told(item, beams) for item in items]


def _told(item: Any, beams: Mapping[int, tuple[float, ...]]) -> Item:
    match item:
        case ["see", time, robot, values]:
            rays = zip(beams.get(robot, ()), values, strict=False)
            return "see", time, robot, [(bearing, length if isfinite(length) else None) for bearing, length in rays]
        case ["say", time, robot, hearer, name, value]:
            return "say", time, robot, hearer, f"{name} {words(value)}".strip()[:LONGEST]
        case _:
            return tuple(item)


def words(value: Any) -> str:
    """A message for people: its texts and numbers, the fields that say something by their names."""
    if isinstance(value, dict):
        if value.keys() == {"text", "numbers"}:  # what is said by radio
            return " ".join(filter(None, [str(value["text"]), words(value["numbers"])]))
        return ", ".join(f"{name} {words(each)}" for name, each in value.items() if name != "type")
    if isinstance(value, list | tuple):
        return ", ".join(map(words, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)
