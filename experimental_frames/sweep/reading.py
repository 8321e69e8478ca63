"""A sweep as it lies in its folder: `runs.csv`, one row a run, and `design.json`, the plan behind it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from math import isfinite, nan
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct

from devs_robotics.errors import DevsRoboticsError
from experimental_frames.statistics.series import Array
from experimental_frames.sweep.columns import METRICS

Cell = float | str | None
Row = Mapping[str, Cell]
"""One run: its columns by name; numbers are floats, an empty cell is None."""

IDENTITY = ("run", "point", "replicate", "seed")
ENDING = ("ended", "reason")
_WORDS = {"ended", "reason"} | {metric.name for metric in METRICS if metric.words}


class SweepError(DevsRoboticsError):
    """A sweep's files cannot be read, or do not fit together."""


class Design(Struct, frozen=True):
    """What a sweep's plan says that its table does not; what an analysis has no use for is not read.

    Attributes:
        kind: how its points were made: all combinations of given values, or a sample
        keys: that are varied, in the order of the table
        bounds: least and largest value of each key of a sample
        levels: of the grid on which Morris' trajectories move
    """

    kind: Literal["factorial", "morris", "sobol"]
    keys: tuple[str, ...]
    bounds: tuple[tuple[float, float], ...] = ()
    levels: int | None = None


class _Plan(Struct, frozen=True):
    design: Design


class Sweep(Struct, frozen=True):
    """A sweep's runs with the plan behind them.

    Attributes:
        design: the plan
        rows: one a run
    """

    design: Design
    rows: tuple[Row, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The varied keys."""
        return self.design.keys


def read_sweep(folder: Path) -> Sweep:
    """The sweep in a folder.

    Raises:
        SweepError: a file is missing, is no sweep's, or has a cell that is no number where one must be
    """
    table, plan = folder / "runs.csv", folder / "design.json"
    try:
        with table.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            names = tuple(reader.fieldnames or ())
            lines = list(reader)
        design = msgspec.json.decode(plan.read_bytes(), type=_Plan).design
    except FileNotFoundError as exc:
        raise SweepError(f"{folder}: {Path(exc.filename).name} is missing: name the folder of a sweep") from exc
    except (OSError, UnicodeDecodeError, csv.Error, msgspec.DecodeError) as exc:
        raise SweepError(f"{folder}: the sweep cannot be read: {exc}") from exc
    missing = [name for name in (*IDENTITY, *ENDING, *design.keys) if name not in names]
    if missing:
        raise SweepError(f"{table}: it has no column {missing[0]}, so that it is no table of this sweep")
    return Sweep(design, tuple(_row(table, number, line) for number, line in enumerate(lines, start=2)))


def numbers(rows: Iterable[Row], name: str) -> Array:
    """A column as an array; NaN where there is no number."""
    return np.array([number(row, name) for row in rows], dtype=np.float64)


def number(row: Row, name: str) -> float:
    """A cell as a number; NaN where there is none."""
    cell = row.get(name)
    return float(cell) if isinstance(cell, (int, float)) and isfinite(cell) else nan


def _row(table: Path, line: int, cells: Mapping[str | None, str | list[str] | None]) -> Row:
    row: dict[str, Cell] = {}
    for name, text in cells.items():
        if name is None or not (text is None or isinstance(text, str)):
            raise SweepError(f"{table}, line {line}: it has more cells than the table has columns")
        row[name] = _cell(name, text or "")
    for name in IDENTITY:
        if not isinstance(row[name], float):
            raise SweepError(f"{table}, line {line}: {name} is {row[name]!r}, which is no number")
    return row


def _cell(name: str, text: str) -> Cell:
    if not text:
        return None
    if name in _WORDS:
        return text
    try:
        return float(text)
    except ValueError:
        return text
