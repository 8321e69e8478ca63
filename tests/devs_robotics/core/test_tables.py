"""Columns and tables: whatever lies in memory and whatever on disk, they hold what was appended."""

from __future__ import annotations

import copy
import io
import pickle
import tempfile
from collections.abc import Iterator
from math import isnan, nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from devs_robotics.core import tables
from devs_robotics.core.tables import GrowingColumn, Table

numbers = st.floats(allow_nan=False)


class Sample(Struct, frozen=True):
    number: int
    value: float


@pytest.fixture(autouse=True)
def small() -> Iterator[None]:
    """Three numbers fit into memory, and two are read at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "IN_MEMORY", 24)
        patch.setattr(tables, "BLOCK", 2)
        yield


@given(st.lists(numbers, max_size=30), st.integers(-3, 33), st.integers(-3, 33))
def test_a_column_reads_as_the_list_of_what_was_appended(values: list[float], first: int, last: int) -> None:
    column = GrowingColumn()
    for count, value in enumerate(values):
        assert len(column) == count
        column.append(value)
        assert column[-1] == value
    assert list(column) == values
    assert column == values
    assert column[first:last] == values[first:last]
    assert column[first:last:3] == values[first:last:3]
    assert np.asarray(column).tolist() == values
    assert column.array(abs(first)).tolist() == values[abs(first) :]
    assert [number for block in column.blocks(abs(first)) for number in block.tolist()] == values[abs(first) :]
    assert GrowingColumn(values) == column
    assert column != [*values, 1.0]


@given(st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.floats()), max_size=12))
def test_a_table_reads_as_the_list_of_its_rows_and_there_is_one_nan(made: list[tuple[int, float]]) -> None:
    rows = [Sample(number, nan if isnan(value) else value) for number, value in made]
    table = Table(Sample)
    for row in rows:
        table.append(row)
        assert table[-1] == row
    assert list(table) == rows
    assert table == rows
    assert table == Table(Sample, rows)
    assert [block["number"].tolist() for block in table.blocks()] == [
        [row.number for row in rows[start : start + 2]] for start in range(0, len(rows), 2)
    ]
    assert all(type(row.number) is int and type(row.value) is float for row in table)
    with pytest.raises(IndexError):
        table[len(rows)]


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_copy_and_a_pickle_hold_all_and_go_their_own_ways(before: int, after: int) -> None:
    column, table = GrowingColumn(range(before)), Table(Sample, [Sample(number, 0.5) for number in range(before)])
    for twin_column, twin_table in (copy.deepcopy((column, table)), pickle.loads(pickle.dumps((column, table)))):
        assert (twin_column, twin_table) == (column, table)
        twin_column.extend(range(after))
        twin_table.extend([Sample(-1, 1.5)] * after)
        assert list(twin_column) == [*range(before), *range(after)]
        assert list(twin_table) == [*table, *([Sample(-1, 1.5)] * after)]
        assert len(column) == len(table) == before


@given(st.integers(0, 2**32 - 1), st.integers(1, 5000), st.integers(1, 200))
def test_the_mean_is_that_of_an_array_to_the_last_bit(seed: int, count: int, first: int) -> None:
    values = np.random.default_rng(seed).uniform(0.0, 1000.0, count)
    first = min(first, count - 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK", 130)
        column = GrowingColumn(values)
        assert column.mean(first) == float(values[first:].mean())
        assert column.max(first) == values[first:].max()


@given(st.lists(st.sampled_from([0.0, 1.0, 1.0000000000000002, 2.5, 7.0, 1e300]) | numbers, max_size=60))
def test_ascending_is_sorted_however_often_a_value_comes(values: list[float]) -> None:
    assert list(GrowingColumn(values).ascending()) == sorted(values)


def test_one_value_among_very_many_that_are_equal_takes_no_pass_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "BLOCK", 1000)
    values = [1.0] * 3000 + [2.0 + number for number in range(900)]
    assert list(GrowingColumn(values[::-1]).ascending()) == values  # as deep a recursion as there are values would fail


def test_memory_holds_no_more_than_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    real = tempfile.TemporaryFile

    def counted(**options: object) -> object:
        made.append(options)
        return real(**options)  # type: ignore[call-overload]

    monkeypatch.setattr(tempfile, "TemporaryFile", counted)
    column, table = GrowingColumn(), Table(Sample)
    for number in range(3):
        column.append(number)
    table.append(Sample(1, 0.0))
    assert not made
    for number in range(40):
        column.append(number)
        table.append(Sample(number, 0.0))
        assert len(column._new) <= 3
        assert len(table._new) <= 24
    assert len(made) == 2


def test_while_the_disk_is_full_memory_takes_what_comes_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """/dev/full is a disk without room."""
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **options: io.FileIO("/dev/full", "r+"))
    column, table = GrowingColumn(), Table(Sample)
    for number in range(50):
        column.append(number)
        table.append(Sample(number, 0.5))
        assert (column[-1], table[-1]) == (number, Sample(number, 0.5))
    assert list(column) == list(column.ascending()) == list(range(50))
    assert table == [Sample(number, 0.5) for number in range(50)]
    assert column._filed == 0


def test_a_disk_with_room_again_takes_all(monkeypatch: pytest.MonkeyPatch) -> None:
    column = GrowingColumn(range(10))
    there = column._file
    assert there is not None
    with io.FileIO("/dev/full", "r+") as full:
        column._file = full
        column.extend(range(10, 20))
    column._file = there
    assert (list(column), column._filed) == (list(range(20)), 10)
    column.extend(range(20, 50))
    assert list(column) == list(range(50))
    assert column._filed == 50
    column.extend(range(4))
    assert column._filed == 54
    assert list(column) == [*range(50), *range(4)]


def test_a_folder_that_is_not_there_is_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    assert list(GrowingColumn([1.0] * 9)) == [1.0] * 9


def test_a_column_is_an_array_where_one_is_wanted_and_no_key() -> None:
    column = GrowingColumn([3.0, 1.0, 2.0, 0.5])
    assert column.max() == 3.0
    assert np.asarray(column).dtype == np.float64
    assert np.asarray(column, dtype=np.float32).dtype == np.float32
    with pytest.raises(TypeError):
        hash(column)
