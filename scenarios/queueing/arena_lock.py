"""Who works in an arena: a lock that ends with the process that holds it, however that ends."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Self

from devs_robotics.scenarios.queueing.experiments import QueueError


class ArenaLock:
    """The right to run experiments in an arena; one process has it at a time.

    It is SQLite's own lock of an empty database. The system frees it when the process ends, by SIGKILL, too, and does
    not hand it on to its children, so nobody has to guess from times or process numbers whether a worker is alive.

    Args:
        path: of the file, which is made if it is not there
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def take(self) -> bool:
        """Whether it is now held by this process; it is not where another one has it.

        Raises:
            QueueError: the file is broken, or cannot be opened
        """
        connection = None
        try:
            connection = sqlite3.connect(self._path, timeout=0.0, isolation_level=None)
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as exc:
            if connection is not None:
                connection.close()
            if getattr(exc, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                return False
            raise QueueError(
                f"{self._path}, by which an arena is locked, cannot be used ({exc}): remove it while no worker works "
                "in this arena; it is made anew"
            ) from exc
        self._connection = connection
        return True

    def free(self) -> None:
        """Let others have it."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.free()


def is_held(path: Path) -> bool:
    """Whether a process works in an arena. To be asked inside a transaction in which locks are taken, too.

    Args:
        path: of its lock
    """
    if not path.exists():
        return False
    with ArenaLock(path) as lock:
        return not lock.take()
