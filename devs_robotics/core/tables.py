"""Measurements that grow with a run: the newest in memory, those before them in a file on disk.

A run of any length is measured in the same memory. What reads a long table reads it block by block.
"""

from __future__ import annotations

import struct
import tempfile
import weakref
from abc import abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import starmap
from math import nan
from typing import IO, Any, Generic, TypeVar, get_type_hints, overload

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

IN_MEMORY = 2**20
"""Largest size of a column or a table in memory (bytes); above it, the file takes the records."""

BLOCK = 2**12
"""Number of records that are read at a time."""

BUCKETS, SAMPLE = 16, 1000
"""Number of buckets by which values too many for memory are sorted, and of values in the sample that bounds them."""

Records = np.ndarray[tuple[int, ...], np.dtype[Any]]
"""Records one after the other: numbers, or rows with a field for each column."""

ItemT = TypeVar("ItemT")
RowT = TypeVar("RowT", bound=Struct)


class Growing(Sequence[ItemT], Generic[ItemT]):
    """Records of one size, to which more are appended; base of `GrowingColumn` and `Table`.

    The file has no name and goes with the object. It lies in the folder for temporary files (``TMPDIR``); where that is
    full, memory takes what comes. A copy and a pickle hold all records.
    """

    def __init__(self, kind: np.dtype[Any], new: array[float] | bytearray) -> None:
        self._kind = kind
        self._new = new
        """Records that are not in the file."""
        self._unit = 1 if isinstance(new, array) else kind.itemsize
        """Places of `_new` that a record takes."""
        self._most = IN_MEMORY // kind.itemsize * self._unit
        self._file: IO[bytes] | None = None
        self._filed = 0
        """How many records are in the file."""

    def __len__(self) -> int:
        return self._filed + len(self._new) // self._unit

    def __iter__(self) -> Iterator[ItemT]:
        for block in self.blocks():
            yield from self._items(block)

    @overload
    def __getitem__(self, place: int) -> ItemT: ...
    @overload
    def __getitem__(self, place: slice) -> list[ItemT]: ...
    def __getitem__(self, place: int | slice) -> ItemT | list[ItemT]:
        if isinstance(place, slice):
            first, last, step = place.indices(len(self))
            if step == 1:
                return [item for block in self.blocks(first, last) for item in self._items(block)]
            return [self[number] for number in range(first, last, step)]
        number = range(len(self))[place]
        (item,) = self._items(self._read(number, number + 1))
        return item

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} records>"

    def __getstate__(self) -> dict[str, Any]:
        records = b"".join(block.tobytes() for block in self.blocks())
        return {**vars(self), "_new": records, "_file": None, "_filed": 0}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._new = array("d", state["_new"]) if self._unit == 1 else bytearray(state["_new"])

    def blocks(self, first: int = 0, last: int | None = None) -> Iterator[Records]:
        """The records from number `first` on, up to number `last`, some at a time."""
        last = len(self) if last is None else min(last, len(self))
        for start in range(first, last, BLOCK):
            yield self._read(start, min(start + BLOCK, last))

    def array(self, first: int = 0, last: int | None = None) -> Records:
        """The records from number `first` on, up to number `last`, all at once."""
        return np.concatenate([np.empty(0, self._kind), *self.blocks(first, last)])

    @abstractmethod
    def _items(self, block: Records) -> Iterable[ItemT]:
        """The records of a block as what was appended."""

    def _read(self, first: int, last: int) -> Records:
        """Records from the file or from memory, or from both."""
        size, filed = self._kind.itemsize, self._filed
        found = bytearray()
        if first < filed:
            assert self._file is not None
            self._file.seek(first * size)
            found += self._file.read((min(last, filed) - first) * size)
        if last > filed:
            places = slice(max(first - filed, 0) * self._unit, (last - filed) * self._unit)
            found += memoryview(self._new[places]).cast("B")
        return np.frombuffer(found, self._kind)

    def _store(self) -> None:
        """Put all that is in memory into the file; on a full disk it stays in memory, and is tried again later."""
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="devs-robotics-", buffering=0)  # noqa: SIM115
                weakref.finalize(self, self._file.close)
            self._file.seek(self._filed * self._kind.itemsize)
            with memoryview(self._new) as records, records.cast("B") as left:
                done = 0
                while done < len(left):
                    done += self._file.write(left[done:])
        except OSError:
            self._most = 2 * len(self._new)
            return
        self._filed += len(self._new) // self._unit
        self._most = IN_MEMORY // self._kind.itemsize * self._unit
        del self._new[:]


class GrowingColumn(Growing[float]):
    """Numbers that a run appends one after the other.

    Args:
        values: the first of them
    """

    _new: array[float]

    def __init__(self, values: Iterable[float] = ()) -> None:
        super().__init__(np.dtype(np.float64), array("d"))
        self.extend(values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Records:
        return self.array().astype(dtype or self._kind, copy=False)

    def append(self, value: float) -> None:
        """Add a number."""
        self._new.append(value)
        if len(self._new) > self._most:
            self._store()

    def extend(self, values: Iterable[float]) -> None:
        """Add numbers."""
        if isinstance(values, np.ndarray):
            self._new.frombytes(values.astype(self._kind, copy=False).tobytes())
        else:
            self._new.extend(values)
        if len(self._new) > self._most:
            self._store()

    def mean(self, first: int = 0) -> float:
        """The mean of the values from number `first` on, as that of an array, to the last bit."""
        return float(self._sum(first, len(self)) / (len(self) - first))

    def max(self, first: int = 0) -> float:
        """The largest of the values from number `first` on."""
        return max(float(block.max()) for block in self.blocks(first))

    def ascending(self) -> GrowingColumn:
        """The same values in ascending order; none of them may be NaN."""
        found = GrowingColumn()
        for block in _ascending(self):
            found.extend(block)
        return found

    def _items(self, block: Records) -> list[float]:
        numbers: list[float] = block.tolist()
        return numbers

    def _sum(self, first: int, last: int) -> Any:
        """Pairwise, the values parted as numpy parts them (``pairwise_sum`` in its ``loops_utils.h.src``)."""
        count = last - first
        if count <= BLOCK:
            return np.add.reduce(self._read(first, last))
        half = count // 2
        half -= half % 8
        return self._sum(first, first + half) + self._sum(first + half, last)


class Table(Growing[RowT]):
    """Rows that a run appends one after the other.

    Args:
        row: their class, with fields of the types ``int`` and ``float`` only
        rows: the first of them
    """

    _new: bytearray

    def __init__(self, row: type[RowT], rows: Iterable[RowT] = ()) -> None:
        super().__init__(_kind_of(row), bytearray())
        self._row = row
        self._pack = struct.Struct(_codes(row)).pack
        self.extend(rows)

    @classmethod
    def of(cls, row: type[RowT], rows: Iterable[RowT]) -> Table[RowT]:
        """Some rows as a table; one that is a table already is itself."""
        return rows if isinstance(rows, Table) else cls(row, rows)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_pack": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._pack = struct.Struct(_codes(self._row)).pack

    def append(self, row: RowT) -> None:
        """Add a row."""
        self._new += self._pack(*astuple(row))
        if len(self._new) > self._most:
            self._store()

    def extend(self, rows: Iterable[RowT]) -> None:
        """Add rows."""
        for row in rows:
            self.append(row)

    def _items(self, block: Records) -> Iterable[RowT]:
        records = block.tolist()
        return starmap(self._row, ([nan if value != value else value for value in record] for record in records))


@cache
def _codes(row: type[Struct]) -> str:
    """The format of a row for `struct`."""
    types = get_type_hints(row)
    return "=" + "".join({int: "q", float: "d"}[types[name]] for name in row.__struct_fields__)


@cache
def _kind_of(row: type[Struct]) -> np.dtype[Any]:
    codes = {"q": np.int64, "d": np.float64}
    return np.dtype([(name, codes[code]) for name, code in zip(row.__struct_fields__, _codes(row)[1:], strict=True)])


def _ascending(column: GrowingColumn) -> Iterator[Records]:
    """The values in ascending order; those that are too many for memory are first shared out to buckets, by size.

    Each bound is a value of the column, and has a bucket of its own between two others. So no bucket is as large as the
    column, and a value that is there very often costs one pass.
    """
    if len(column) <= IN_MEMORY // 8:
        yield np.sort(column.array())
        return
    if min(float(block.min()) for block in column.blocks()) == column.max():
        yield from column.blocks()
        return
    sample = np.sort([column[place] for place in range(0, len(column), max(1, len(column) // SAMPLE))])
    bounds = np.unique(sample[:: max(1, len(sample) // BUCKETS)])
    buckets = [GrowingColumn() for _ in range(2 * len(bounds) + 1)]
    for block in column.blocks():
        places = np.searchsorted(bounds, block, side="left") + np.searchsorted(bounds, block, side="right")
        for place in np.unique(places).tolist():
            buckets[place].extend(block[places == place])
    for bucket in buckets:
        yield from _ascending(bucket)
