"""Messages of many robots at one instant, as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Places = NDArray[np.int64]
"""Robots by their places in a population, ascending."""


class Rows(Struct, frozen=True, eq=False):
    """Messages of one kind of many robots, a row each: as objects, or as a column for each of their fields.

    They are made of one, and the other form is worked out where it is asked for.

    Attributes:
        kind: of the messages; None: of any
        robots: the robots' numbers, one for each row, ascending; a robot may have several rows, in their order
        at: when each was sent (s); None: now
        same: the one message that all of them are; None: they differ
    """

    kind: Any
    robots: NDArray[np.int64]
    _messages: list[Any] = []
    _columns: dict[str, NDArray[Any]] = {}
    at: NDArray[np.float64] | None = None
    same: Any = None

    @classmethod
    def of_messages(cls, kind: Any, robots: Sequence[int], messages: Sequence[Any]) -> Rows:
        """Of messages in any order, each with the number of its robot; those of one robot keep theirs."""
        numbers = np.array(robots, np.int64)
        order = np.argsort(numbers, kind="stable")
        return cls(kind, numbers[order], [messages[place] for place in order.tolist()])

    @classmethod
    def of_columns(cls, kind: Any, robots: NDArray[np.int64], columns: Sequence[NDArray[Any]]) -> Rows:
        """Of arrays, one for each field of the kind, in their order, or one for a kind without fields."""
        return cls(kind, robots, [], dict(zip(fields_of(kind), columns, strict=True)))

    @classmethod
    def of_one(cls, kind: Any, robots: NDArray[np.int64], message: Any) -> Rows:
        """One message, the same for all."""
        return cls(kind, robots, [], {}, None, message)

    def instead(self, kind: Any, columns: dict[str, NDArray[Any]]) -> Rows:
        """Messages of another kind in the place of these: of the same robots, sent at the same times."""
        return Rows(kind, self.robots, [], columns, self.at)

    def __len__(self) -> int:
        return len(self.robots)

    @property
    def messages(self) -> list[Any]:
        """The messages as objects."""
        if not self._messages and len(self.robots):
            self._messages.extend(self._unfolded() if self.same is None else [self.same] * len(self.robots))
        return self._messages

    def column(self, field: str = "") -> NDArray[Any]:
        """A field of all messages, a row each; without a field, the messages themselves, which have none."""
        if field not in self._columns:
            if self.same is not None:
                value = np.array(getattr(self.same, field) if field else self.same)
                self._columns[field] = np.broadcast_to(value, (len(self.robots), *value.shape))
            else:
                values = [getattr(message, field) for message in self._messages] if field else self._messages
                self._columns[field] = np.array(values)
        return self._columns[field]

    def select(self, chosen: NDArray[Any]) -> Rows:
        """Some of the rows: by a mask, or by their indices, ascending."""
        columns = {name: column[chosen] for name, column in self._columns.items()}
        indices = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        messages = [self._messages[index] for index in indices.tolist()] if self._messages else []
        at = None if self.at is None else self.at[chosen]
        return Rows(self.kind, self.robots[chosen], messages, columns, at, self.same)

    def _unfolded(self) -> Iterator[Any]:
        """The messages of columns; fields that have none are as the kind has them by default."""
        names = [name for name in fields_of(self.kind) if name in self._columns]
        columns = [[_plain(value) for value in self._columns[name].tolist()] for name in names]
        if names == [""]:
            return iter(columns[0])
        return (self.kind(**dict(zip(names, values, strict=True))) for values in zip(*columns, strict=True))


def fields_of(kind: Any) -> tuple[str, ...]:
    """The names of the fields of a kind of message; one empty name for a kind that has none, such as `str`."""
    return getattr(kind, "__struct_fields__", None) or ("",)


def _plain(value: Any) -> Any:
    """A row of an array of several values as a tuple, for nothing mutable passes through a port."""
    return tuple(map(_plain, value)) if isinstance(value, list) else value
