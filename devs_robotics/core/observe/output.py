"""Trace files as they are written: what is in them when a process is killed, and what is said when they cannot be."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from os import fstat
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, NoReturn

from devs_robotics.core.observe.events import TraceError

WRITES_BETWEEN_FLUSHES = 100
"""Number of events between two flushes; no more are lost when the process is killed. A flush per event is too slow."""


class Output:
    """A file that is written event by event; whoever forgets to close it loses nothing.

    What the file held before is gone with the first write, not earlier: a run may never begin.

    Attributes:
        file: itself; write to it inside `writing`
        lost: is told, once, why the file cannot be written any more, and the rest is lost; None: that is a failure

    Raises:
        TraceError: the file cannot be written
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        try:
            self.file: BinaryIO = self._path.open("ab")
        except OSError as exc:
            raise self._unwritable(exc) from exc
        self._last_calls: list[Callable[[], object]] = []
        self._finalizer = weakref.finalize(self, _end, self.file, self._last_calls)
        self._unflushed = 0
        self._begun = False
        self._failure = ""
        self.lost: Callable[[str], None] | None = None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Say which trace it is that cannot be written, and write no more to it."""
        if self._failure:  # who else writes to it is told the same
            raise TraceError(self._failure)
        if self.file.closed:
            raise TraceError(f"the trace {self._path} is complete: make another observer for another simulation")
        try:
            if not self._begun and S_ISREG(fstat(self.file.fileno()).st_mode):
                self.file.seek(self.file.truncate(0))  # it was opened to append
            self._begun = True
            yield
        except OSError as exc:
            unwritable = self._unwritable(exc)
            if self.lost is not None and self._begun:
                tell, self.lost = self.lost, None
                if not self.file.closed:
                    _lead_nowhere(self.file.fileno())
                tell(str(unwritable))
                return
            self._failure = str(unwritable)
            with suppress(OSError):  # what is still in the buffer fails as well
                self._finalizer()
            raise unwritable from exc

    def write(self, data: bytes, *, flush: bool = False) -> None:
        """Write what tells of one event; `flush` it at once where it may be the last."""
        with self.writing():
            self.file.write(data)
            self._unflushed += 1
            if flush or self._unflushed >= WRITES_BETWEEN_FLUSHES:
                self.file.flush()
                self._unflushed = 0

    def at_end(self, function: Callable[[], object]) -> None:
        """Call this just before the file is closed."""
        self._last_calls.append(function)

    def end(self) -> None:
        """The trace is complete."""
        with self.writing():
            self._finalizer()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refused with a TraceError: two objects cannot write one file."""
        raise TraceError(f"what writes the trace {self._path} cannot be copied or pickled: make another observer")

    def _unwritable(self, error: OSError) -> TraceError:
        return TraceError(f"cannot write the trace {self._path}: {error.strerror or error}")


def _lead_nowhere(number: int) -> None:
    """Have what is written to a file from now on be lost, and not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, number)
    finally:
        os.close(nowhere)


def _end(file: BinaryIO, last_calls: list[Callable[[], object]]) -> None:
    try:
        for function in last_calls:
            function()
    finally:
        file.close()
