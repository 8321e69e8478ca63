"""Standard streams that never fail: a reader may go, a disk may fill up, a terminal may close, a stream may be closed.

What a command has found counts, not whether somebody could be told of it. So a stream that fails leads nowhere from
then on, and the command goes on to its end.
"""

from __future__ import annotations

import errno
import io
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

IN, OUT, ERR = 0, 1, 2


class _Raw(io.FileIO):
    """A file descriptor to which writing always succeeds.

    Args:
        number: of the descriptor
        failed: called once when it fails

    Attributes:
        failure: the first one; what comes after it is lost
    """

    def __init__(self, number: int, failed: Callable[[OSError], None]) -> None:
        super().__init__(number, "w", closefd=False)
        self.failure: OSError | None = None
        self._failed = failed

    def write(self, data: Any, /) -> int:
        """Write some of it, or lose it."""
        try:
            written: int | None
            while (written := super().write(data)) is None:  # somebody else who has this pipe made it wait for nobody
                select.select([], [self], [])
        except OSError as exc:
            self.failure = exc
            with suppress(OSError):
                _lead_nowhere(self.fileno())
            self._failed(exc)
            return memoryview(data).nbytes
        return written


class _Text(io.TextIOWrapper):
    """A text stream that stays open, whoever closes it: a user's own class may."""

    def close(self) -> None:
        """Write what is left."""
        with suppress(ValueError):  # it has been detached
            self.flush()


@contextmanager
def protected(program: str) -> Iterator[None]:
    """While it is entered, what is shown on the standard streams is lost rather than a reason to fail.

    Characters that a stream cannot encode are written as backslashes and numbers. When standard output fails, standard
    error says so at once, unless it is only its reader that has seen enough.

    Args:
        program: its name, before that sentence
    """

    def tell(failure: OSError) -> None:
        if failure.errno != errno.EPIPE:
            sys.stderr.write(
                f"{program}: standard output cannot be written ({failure.strerror}): what is shown from now on is "
                "missing there, and the exit status is that of the command all the same\n"
            )
            sys.stderr.flush()

    before = sys.stdin, sys.stdout, sys.stderr
    for number in (IN, OUT, ERR):
        _occupy(number)
    nowhere = Path(os.devnull)
    with nowhere.open() as nothing, nowhere.open("w", errors="backslashreplace") as hole:
        sys.stdin = nothing if before[0] is None else before[0]
        sys.stdout, sys.stderr = (
            hole if stream is None else _unfailing(stream, number, failed)
            for stream, number, failed in ((before[1], OUT, tell), (before[2], ERR, lambda failure: None))
        )
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            sys.stdin, sys.stdout, sys.stderr = before


def failure_of(stream: Any) -> OSError | None:
    """Why nothing more can be written to a standard stream; None while it works."""
    raw = _raw(stream)
    return raw.failure if isinstance(raw, _Raw) else None


def _occupy(number: int) -> None:
    """See that a descriptor is in use, so that no file of results can become a standard stream."""
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, os.O_RDWR)  # takes the lowest that is free
        os.set_inheritable(number, True)


def _unfailing(stream: Any, number: int, failed: Callable[[OSError], None]) -> Any:
    """The same stream, which can no longer fail; somebody else's, such as one of a test, is left alone."""
    if type(_raw(stream)) is not io.FileIO or stream.fileno() != number:
        return stream
    stream.flush()
    return _Text(
        io.BufferedWriter(_Raw(number, failed)),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.isatty() or number == ERR,
    )


def _raw(stream: Any) -> Any:
    buffer = getattr(stream, "buffer", None)
    return getattr(buffer, "raw", buffer)  # without a buffer (python -u) it is the file itself


def _lead_nowhere(number: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, number)
    finally:
        os.close(nowhere)
