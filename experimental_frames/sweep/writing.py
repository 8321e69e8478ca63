"""A sweep's table as a file: one row per run, in the order of the columns that `reading` expects."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from devs_robotics.experimental_frames.sweep.design import Value

SweepTable = dict[str, list[Value]]
"""Values by column, one per run."""

LARGEST_WHOLE = 2**63 - 1
"""Whole number that a column of numbers has room for."""


def csv_text(columns: SweepTable) -> str:
    """A table as CSV: floating-point numbers with all their digits, true and false, and nothing where nothing is."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(_text, values) for values in zip(*columns.values(), strict=True))
    return text.getvalue()


def parquet(columns: SweepTable) -> bytes:
    """A table as a Parquet file."""
    import pyarrow
    from pyarrow import parquet as writer

    sink = pyarrow.BufferOutputStream()
    writer.write_table(pyarrow.table({name: _array(values) for name, values in columns.items()}), sink)
    return bytes(sink.getvalue())


def _text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _array(values: Sequence[Value]) -> Any:
    """A column has one type: numbers, or else words, also for integers too large; without values, numbers."""
    import pyarrow

    kinds = {type(value) for value in values if value is not None}
    too_large = int in kinds and not all(
        -LARGEST_WHOLE <= value <= LARGEST_WHOLE for value in values if isinstance(value, int)
    )
    if too_large:
        kinds = {int, str}
    if kinds == {int, float}:
        return pyarrow.array([None if value is None else float(value) for value in values], pyarrow.float64())
    if len(kinds) > 1:
        return pyarrow.array([None if value is None else _text(value) for value in values], pyarrow.string())
    return pyarrow.array(values, None if kinds else pyarrow.float64())
