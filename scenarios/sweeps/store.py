"""The rows of a sweep on disk, safe from the end of the program at any moment."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from devs_robotics.core.files import write_atomically
from devs_robotics.experimental_frames.sweep import Design
from devs_robotics.scenarios.running.results import OutputError, prepare, unwritable
from devs_robotics.scenarios.sweeps.identity import difference, more_replicates
from devs_robotics.scenarios.sweeps.runs import RunRow

_logger = logging.getLogger(__name__)

DESIGN, ROWS = "design.json", "rows.jsonl"
RESULTS = ("runs.csv", "runs.parquet", "settings.jsonl")

REMEDY = "choose another folder, or empty this one"


class Store:
    """The folder of a sweep: which sweep it is, and the rows of the runs that are done.

    Rows are appended to one file, each whole and on disk before the next. A row that was torn by the end of the
    program is no row, and its run is done again. Of two rows of one run the later one counts.

    A row says its point and its replicate, and not its number, so that a sweep can go on with more replicates. The
    results of the smaller one are then removed before anything is written, since their runs have other numbers.

    Args:
        folder: made if it is not there
        description: of the sweep, as ``design.json`` keeps it
        design: of the sweep

    Attributes:
        rows: those that are there, by the numbers of their runs

    Raises:
        OutputError: the folder holds something else, is used by another process, or cannot be written to
    """

    def __init__(self, folder: Path, description: dict[str, Any], design: Design) -> None:
        prepare(folder)
        self._path = folder / ROWS
        self._design = design
        description = json.loads(json.dumps(description))
        self._refuse_others(folder, description)
        self._file = -1
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            self._lock()
            there = self._refuse_others(folder, description)  # another process may have come first
            _clear(folder)
            if there is None or more_replicates(there, description):
                for name in RESULTS:
                    (folder / name).unlink(missing_ok=True)
                write_atomically(folder / DESIGN, json.dumps(description, indent=2) + "\n")
            self.rows = self._read()
        except OSError as exc:
            self.close()
            raise OutputError(unwritable(self._path, exc)) from exc
        except OutputError:
            self.close()
            raise

    def append(self, row: RunRow) -> None:
        """Keep a row.

        Raises:
            OutputError: it cannot be written; those before it are whole
        """
        line = msgspec.json.encode(row) + b"\n"
        end = os.fstat(self._file).st_size
        try:
            written = 0
            while written < len(line):
                written += os.write(self._file, line[written:])
            os.fsync(self._file)
        except OSError as exc:
            with suppress(OSError):  # what cannot be cut off now is no row, and is cut off by the next start
                os.ftruncate(self._file, end)
            raise OutputError(
                f"--out: {self._path} cannot be written ({exc.strerror}): the {len(self.rows)} runs that are done are "
                f"kept; free some space, and give the same command again"
            ) from exc
        self.rows[self._design.number(row.point, row.replicate)] = row
        _logger.debug("point %d, seed %d: %s, %s", row.point, row.seed, row.ended, row.reason)

    def close(self) -> None:
        """Leave the folder to others."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _lock(self) -> None:
        """Keep other processes away; the lock ends with this process, however that ends."""
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OutputError(
                f"--out: another process works in {self._path.parent}: wait for it, or choose another folder"
            ) from None

    def _begun(self) -> bool:
        """Whether there are rows."""
        return self._path.exists() and self._path.stat().st_size > 0

    def _refuse_others(self, folder: Path, description: dict[str, Any]) -> dict[str, Any] | None:
        """See that the folder holds this sweep or none; returns what it says of it, or None without rows."""
        design = folder / DESIGN
        if not self._begun():
            other = next((folder / name for name in RESULTS if (folder / name).exists()), None)
            if other is None:
                return None
            if design.exists():
                missing = "is empty" if self._path.exists() else "is missing"
                raise OutputError(
                    f"--out: {self._path}, of which {other} was made, {missing}: put it back, or {REMEDY}"
                )
            raise OutputError(f"--out: {other} is of something else: {REMEDY}")
        try:
            there = json.loads(design.read_bytes())
        except FileNotFoundError:
            raise OutputError(f"--out: {self._path} is of an unknown sweep, without a {DESIGN}: {REMEDY}") from None
        except (ValueError, RecursionError):
            there = None
        if not isinstance(there, dict):
            raise OutputError(
                f"--out: {design} is damaged, so that nobody knows of which sweep {self._path} is: put it back, "
                f"or {REMEDY}"
            )
        differs = difference(there, description)
        if differs:
            raise OutputError(f"--out: {folder} holds a sweep with {differs}: {REMEDY}")
        return there

    def _read(self) -> dict[int, RunRow]:
        """The rows that are there; what is torn at the end is cut off."""
        text = self._path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            os.ftruncate(self._file, whole)
        rows = _rows(text[:whole].splitlines(), self._design)
        return {self._design.number(row.point, row.replicate): row for row in rows}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _rows(lines: Iterable[bytes], design: Design) -> Iterator[RunRow]:
    """The lines that are rows of this sweep."""
    for line in lines:
        try:
            row = msgspec.json.decode(line, type=RunRow)
        except (ValueError, RecursionError):  # of msgspec, which lets some of Python's through
            continue
        known = 0 <= row.point < len(design.points) and 0 <= row.replicate < design.replicates
        if known and row.seed == design.seed(row.replicate):
            yield row


def _clear(folder: Path) -> None:
    """Remove what a killed process was about to write."""
    for name in (DESIGN, *RESULTS):
        for path in folder.glob(f".{name}.*"):
            path.unlink()
