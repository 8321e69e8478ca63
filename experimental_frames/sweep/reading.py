"""A sweep as it lies in its folder: `runs.csv`, one row per run, and `design.json`, the plan behind it."""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, nan
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.experimental_frames.statistics.series import Array
from devs_robotics.experimental_frames.sweep.design import Design
from devs_robotics.experimental_frames.sweep.subject import OWN, Subject

CellValue = float | str | None
Row = Mapping[str, CellValue]
"""One run: its columns by name; numbers are floats, an empty cell is None."""

IDENTITY = ("run", "point", "replicate", "seed")
ENDING = ("ended", "reason")
ENDINGS = ("accepted", "rejected", "failed", "interrupted")


class SweepError(DevsRoboticsError):
    """A sweep's files cannot be read, or do not fit together."""


class _Plan(Struct, frozen=True):
    design: Design
    subject: Subject | None = None
    units: dict[str, str] = {}
    command: str = ""


class Sweep(Struct, frozen=True):
    """A sweep's runs with the plan behind them.

    Attributes:
        design: the plan
        subject: what was swept
        rows: one per run
        units: of the settings that have one, by key
    """

    design: Design
    subject: Subject
    rows: tuple[Row, ...]
    units: Mapping[str, str] = {}

    @property
    def keys(self) -> tuple[str, ...]:
        """The varied keys."""
        return self.design.keys

    @property
    def size_key(self) -> str:
        """The number of robots, if that was varied; empty if not."""
        return self.subject.size_among(self.keys)


def read_sweep(folder: Path) -> Sweep:
    """The sweep in a folder, its table held against its design.

    Raises:
        SweepError: a file is missing or damaged, is no sweep's, or a line of the table is not what the design says
    """
    plan, subject = _read_plan(folder)
    rows = _read_table(folder / "runs.csv", plan.design, subject)
    return Sweep(plan.design, subject, rows, plan.units)


def numbers(rows: Iterable[Row], name: str) -> Array:
    """A column as an array; NaN where there is no number."""
    return np.array([number(row, name) for row in rows], dtype=np.float64)


def number(row: Row, name: str) -> float:
    """A cell as a number; NaN where there is none."""
    cell = row.get(name)
    return float(cell) if isinstance(cell, (int, float)) and isfinite(cell) else nan


def damaged(path: Path, what: str, line: int | None = None) -> SweepError:
    """That a file of a sweep is not as it was written."""
    where = f"{path}, line {line}" if line else f"{path}"
    remedy = (
        "give the sweep's command again, which writes it anew"
        if path.name != "design.json"
        else "put back a copy, or make the sweep again in another folder"
    )
    return SweepError(f"{where}: {what}: {remedy}")


def _read_plan(folder: Path) -> tuple[_Plan, Subject]:
    """What ``design.json`` says, once there is a table beside it."""
    table, plan = folder / "runs.csv", folder / "design.json"
    if not plan.is_file():
        name = plan.name if table.is_file() else table.name
        raise SweepError(f"{folder}: {name} is missing: name the folder of a sweep")
    try:
        told = msgspec.json.decode(plan.read_bytes(), type=_Plan)
    except OSError as exc:
        raise SweepError(f"{plan} cannot be read ({exc.strerror})") from exc
    except (ValueError, RecursionError) as exc:  # of msgspec, which lets some of Python's through
        raise damaged(plan, f"it is not the design of a sweep ({exc})") from exc
    if not table.is_file():
        again = f": {told.command} --out {shlex.quote(str(folder))}" if told.command else ""
        raise SweepError(f"{folder}: the sweep is not finished, and has no runs.csv yet: give its command again{again}")
    if told.subject is None:
        raise SweepError(
            f"{plan}: it is of an earlier version, and does not say what its metrics are: make the sweep again in "
            "another folder"
        )
    return told, told.subject


def _read_table(table: Path, design: Design, subject: Subject) -> tuple[Row, ...]:
    try:
        with table.open(newline="", encoding="utf-8") as file:
            text = file.read()
    except OSError as exc:
        raise SweepError(f"{table} cannot be read ({exc.strerror})") from exc
    except UnicodeDecodeError as exc:
        raise damaged(table, "it is not UTF-8 text") from exc
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    lines: dict[int, int] = {}
    try:
        names = next(reader, [])
        _check_names(table, names, design, subject)
        for cells in reader:
            line = reader.line_num
            row = _row(table, line, names, cells, subject)
            _check_run(table, line, row, design)
            run = int(number(row, "run"))
            if run in lines:
                raise damaged(table, f"run {run} is in line {lines[run]} already", line)
            lines[run] = line
            rows.append(row)
    except csv.Error as exc:
        raise damaged(table, f"it is not a line of a table ({exc})", reader.line_num) from exc
    if not text.endswith("\n"):
        raise damaged(table, "it ends in the middle of a line", reader.line_num)
    return tuple(rows)


def _check_names(table: Path, names: Sequence[str], design: Design, subject: Subject) -> None:
    for name in (*IDENTITY, *ENDING, *design.keys):
        if name not in names:
            raise SweepError(f"{table}: it has no column {name}, so it is not the table of this sweep")
    known = {*IDENTITY, *ENDING, *design.keys}
    for name in names:
        if name not in known and not (subject.declares(name) or name.startswith(OWN)):
            raise damaged(table, f"{name!r} is not a column of a sweep", 1)
        if names.count(name) > 1:
            raise damaged(table, f"there are two columns {name}", 1)


def _row(table: Path, line: int, names: Sequence[str], texts: Sequence[str], subject: Subject) -> Row:
    if len(texts) != len(names):
        than = "more" if len(texts) > len(names) else "fewer"
        raise damaged(table, f"it has {than} cells than the table has columns", line)
    words = {metric.name for metric in subject.verdicts}
    row = {name: _cell(text, is_text=name in words or name in ENDING) for name, text in zip(names, texts, strict=True)}
    for name in IDENTITY:
        cell = row[name]
        if not (isinstance(cell, float) and cell.is_integer()):
            raise damaged(table, f"{name} is {cell!r}, which is not a whole number", line)
    for metric in subject.metrics:
        cell = row.get(metric.name)
        if not metric.words and isinstance(cell, str):
            raise damaged(table, f"{metric.name} is {cell!r}, which is not a number", line)
        if metric.words and cell is not None and cell not in metric.words:
            raise damaged(table, f"{metric.name} is {cell!r}, and not one of {', '.join(metric.words)}", line)
    if row["ended"] not in ENDINGS:
        raise damaged(table, f"ended is {row['ended']!r}, and not one of {', '.join(ENDINGS)}", line)
    return row


def _check_run(table: Path, line: int, row: Row, design: Design) -> None:
    """Hold a row against what the design says of its run."""
    run = int(number(row, "run"))
    point, replicate = divmod(run, design.replicates)
    if not 0 <= point < len(design.points):
        raise damaged(table, f"run {run} is not in the design", line)
    wanted: dict[str, CellValue] = {"point": point, "replicate": replicate, "seed": float(design.seed(replicate))}
    for key, value in zip(design.keys, design.points[point], strict=True):
        wanted[key] = _cell("" if value is None else value if isinstance(value, str) else json.dumps(value))
    for name, value in wanted.items():
        if row[name] != value:
            raise damaged(table, f"{name} of run {run} is {row[name]!r}, and {value!r} in the design", line)


def _cell(text: str, *, is_text: bool = False) -> CellValue:
    if not text:
        return None
    if is_text:
        return text
    try:
        return float(text)
    except ValueError:
        return text
