"""Other processes of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

PIECE = 1 << 16
"""Of what a pipe holds, at most (bytes)."""

SAFE_PATH = "PYTHONSAFEPATH"
"""The variable by which Python takes no file of the folder that it is started in, such as a queue.py, for a module."""


def is_there(process: int) -> bool:
    """Whether a process is there, by its number; where that cannot be told, as on Windows, it is taken to be."""
    if process <= 0:
        return False
    if sys.platform != "win32":  # where signal 0 would be Ctrl-C
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except (OSError, OverflowError):
            pass
    return True


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    """While it is entered, variables of the environment are these, for this process and those that it starts."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        restore(before)


def sheltered() -> AbstractContextManager[None]:
    """While it is entered, processes of Python that are started take no file of this folder for a module."""
    return environment(**{SAFE_PATH: "1"})


def restore(variables: Mapping[str, str | None]) -> None:
    """Have variables of the environment be as they were; None: not there."""
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def apart() -> dict[str, Any]:
    """Arguments of ``subprocess.Popen`` for a process that Ctrl-C in this one's terminal does not reach."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def read_within(pipe: IO[bytes], seconds: float) -> bytes | None:
    """What a pipe from another process has next, empty at its end; None where nothing comes in time.

    A thread waits for it, since not all systems can wait for several things where one of them is a pipe. Where nothing
    comes, the thread goes on waiting until the pipe ends: end that process then.

    Args:
        pipe: open, and read by nobody else
        seconds: to wait
    """
    came: Queue[bytes] = Queue()
    number = pipe.fileno()
    Thread(target=lambda: came.put(os.read(number, PIECE)), daemon=True).start()
    try:
        return came.get(timeout=max(0.0, seconds))
    except Empty:
        return None
