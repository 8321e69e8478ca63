"""Rows of a queue's database as what they stand for, if nobody and nothing has damaged them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from devs_robotics.scenarios.queueing.experiments import NAME, HistoryEntry, QueuedExperiment, QueueError

LAST = 2.5e11
"""A time that is not before this one (s since 1970) has no date."""

T = TypeVar("T", QueuedExperiment, HistoryEntry)


def entry(kind: type[T], row: sqlite3.Row, number: int) -> T:
    """A row of the database, which somebody or something may have damaged.

    Raises:
        QueueError: a value in it is none of its column
    """
    values = {name: row[name] for name in kind.__struct_fields__}
    with suppress(TypeError, ValueError, RecursionError):
        if "settings" in values:
            values["settings"] = json.loads(values["settings"])
        made = msgspec.convert(values, kind, strict=False)
        if all(_can_be(name, value) for name, value in values.items() if value is not None):
            return made
    raise QueueError(f"the entry of experiment {number} in the queue is damaged: put the queue's database back")


def _can_be(column: str, value: Any) -> bool:
    """Whether a value of the type of its column is one that the queue writes: arenas are names of files, too."""
    if column.endswith("_s"):
        return bool(0.0 <= value < LAST)
    return column not in ("arena", "wanted_arena") or NAME.fullmatch(value) is not None
