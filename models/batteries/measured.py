"""Measured discharges: rows of a CSV file, checked, by the speed of the wheels."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from math import inf, isfinite
from operator import attrgetter
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from devs_robotics import DevsRoboticsError

COLUMNS = ("speed", "time", "charge")
"""Of the wheels (cm/s); since the battery was full (s); from 1 to 0."""

REMEDY = "give a CSV file with the columns speed (cm/s), time (s) and charge (1 to 0)"

MOST = 1e9
"""Largest speed, and time; more is no measurement."""

LEAST = 3
"""Different times above 0 that one cubic needs."""


class MeasuredError(DevsRoboticsError):
    """Measurements that cannot be read, or to which nothing can be fitted."""


class Point(Struct, frozen=True):
    """A charge that was measured.

    Attributes:
        time: since the battery was full (s)
        charge: from 1 to 0
        line: of the file
    """

    time: float
    charge: float
    line: int = 0


Measured = dict[float, list[Point]]
"""Points by the speed of the wheels (cm/s), rising; of all runs at that speed together."""


def read_measured(path: Path) -> Measured:
    """The points of a file.

    Raises:
        MeasuredError: the file, a column or a value is not as it must be, or a speed has too few points; the sentence
            names the line and the remedy
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            found = _grouped(_rows(path, file))
    except OSError as exc:
        raise MeasuredError(f"{path} cannot be read ({exc.strerror}): {REMEDY}") from exc
    except (UnicodeDecodeError, csv.Error) as exc:
        raise MeasuredError(f"{path} is no CSV file in UTF-8 ({exc}): {REMEDY}") from exc
    if not found:
        raise MeasuredError(f"{path} has no rows under its head: {REMEDY}")
    _check_enough(path, found)
    return found


def _rows(path: Path, file: TextIO) -> Iterator[tuple[float, Point]]:
    """The speeds and points of a file, in its order."""
    reader = csv.DictReader(file, skipinitialspace=True)
    heads = [head.strip().lower() for head in reader.fieldnames or ()]
    for column in COLUMNS:
        if heads.count(column) != 1:
            how = "is no" if column not in heads else "are several"
            raise MeasuredError(
                f"{path}, line 1: there {how} column{'s' * (column in heads)} {column!r}, but "
                f"{', '.join(heads) or 'nothing'}: {REMEDY}"
            )
    reader.fieldnames = heads
    for row in reader:
        where = f"{path}, line {reader.line_num}"
        if None in row:
            raise MeasuredError(f"{where}: there are more values than columns: write numbers with a point, as 0.85")
        speed, time, charge = (_number(where, column, row) for column in COLUMNS)
        if charge > 1.0:
            raise MeasuredError(f"{where}: the charge {charge:g} is above 1: write it as a share, 0.85 for 85 %")
        yield speed, Point(time, charge, reader.line_num)


def _number(where: str, column: str, row: Mapping[str, str | None]) -> float:
    """A value of a row: finite, and at least 0."""
    text = (row[column] or "").strip()
    if not text:
        raise MeasuredError(f"{where}: there is no {column}: write one, or leave the line out")
    try:
        value = float(text)
    except ValueError:
        value = inf
    if not isfinite(value):
        raise MeasuredError(f"{where}: the {column} {text!r} is no number: write one, such as 0.85")
    if value > MOST:
        raise MeasuredError(f"{where}: the {column} {text} is too large: give speeds in cm/s and times in s")
    if value < 0.0:
        raise MeasuredError(f"{where}: the {column} {text} is below 0: write the {column} without a sign")
    return value


def _grouped(rows: Iterator[tuple[float, Point]]) -> Measured:
    found: Measured = {}
    for speed, point in rows:
        found.setdefault(speed, []).append(point)
    return {speed: sorted(found[speed], key=attrgetter("time")) for speed in sorted(found)}


def _check_enough(path: Path, measured: Measured) -> None:
    """There are enough points for all four models."""
    for speed, points in measured.items():
        times = {round(point.time, 3) for point in points} - {0.0}
        if len(times) < LEAST:
            raise MeasuredError(
                f"{path}, line {points[-1].line}: the speed {speed:g} cm/s has {len(times) or 'no'} "
                f"time{'s' * (len(times) != 1)} above 0 s, and a cubic needs {LEAST} different ones: add rows, or "
                "leave out those of this speed"
            )
    if 0.0 not in measured:
        raise MeasuredError(
            f"{path} has no rows with speed 0: add some of a robot at rest, which the simple model needs"
        )
    if len(measured) == 1:
        raise MeasuredError(f"{path} has no rows with a speed above 0: add some of a robot in motion")
