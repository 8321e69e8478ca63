"""The tables of a sweep: every value comes back as it was, from CSV and from Parquet."""

from __future__ import annotations

import csv
import io
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet as reader

from devs_robotics.experimental_frames.sweep.writing import csv_text, parquet


@pytest.mark.parametrize(
    ("values", "kind", "read"),
    [
        ([1, 2.5, None], pyarrow.float64(), [1.0, 2.5, None]),
        ([1, 2, None], pyarrow.int64(), [1, 2, None]),
        ([True, None, False], pyarrow.bool_(), [True, None, False]),
        (["a", None, "é"], pyarrow.string(), ["a", None, "é"]),
        ([None, None], pyarrow.float64(), [None, None]),
        ([1, "a", None, 0.1], pyarrow.string(), ["1", "a", None, "0.1"]),
        ([True, 2, None], pyarrow.string(), ["true", "2", None]),
        ([2**63 - 1, 1 - 2**63], pyarrow.int64(), [2**63 - 1, 1 - 2**63]),
        ([2**63, 1], pyarrow.string(), [str(2**63), "1"]),
        ([2**63, 0.5], pyarrow.string(), [str(2**63), "0.5"]),
    ],
)
def test_a_column_of_parquet_has_one_type_and_loses_nothing(values: list[Any], kind: Any, read: list[Any]) -> None:
    table = reader.read_table(pyarrow.BufferReader(parquet({"x": values})))
    assert (table.schema.field("x").type, table.column("x").to_pylist()) == (kind, read)


def test_a_csv_has_all_digits_and_nothing_where_nothing_is() -> None:
    text = csv_text({"run": [0, 1], "x": [0.1 + 0.2, None], "on": [True, False], "why": ['a, "b"\n', ""]})
    assert text.splitlines()[0] == "run,x,on,why"
    assert list(csv.reader(io.StringIO(text, newline="")))[1:] == [
        ["0", "0.30000000000000004", "true", 'a, "b"\n'],
        ["1", "", "false", ""],
    ]
