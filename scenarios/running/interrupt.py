"""Signals, turned into an orderly end of a run, or into a pause of it.

Python handles signals in the main thread between two steps of whatever that does, so the handlers here take no lock.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import current_thread, main_thread
from types import FrameType, TracebackType
from typing import Any, Self

ENDING = ("SIGINT", "SIGTERM", "SIGQUIT", "SIGHUP")
"""Ctrl-C, a polite kill, Ctrl-backslash, and a terminal that has gone; Windows has the first two."""

AGAIN = "SIGHUP"
"""It may come several times by itself, from the system and from a shell; the others come again by an impatient hand."""

SHOW_CURSOR = b"\x1b[?25h"

_pauses: list[Callable[[Callable[[], None]], None]] = []
"""What has to be told before this process stops; signals are the whole process's, and so is this."""


@contextmanager
def pausing(pause: Callable[[Callable[[], None]], None]) -> Iterator[None]:
    """While it is entered, Ctrl-Z calls `pause` with what stops this process, to be called once all is ready for that.

    Args:
        pause: such as that of a `Run`; it returns at once
    """
    _pauses.append(pause)
    try:
        yield
    finally:
        _pauses.remove(pause)


_at_once: list[None] = []
"""One for each `taken_at_once` that is entered."""


@contextmanager
def taken_at_once() -> Iterator[None]:
    """While it is entered, the first signal that asks for an end raises KeyboardInterrupt, where an `Interrupt` is.

    For code of somebody's that looks at nothing meanwhile, and whose end loses nothing else. In the main thread only:
    a signal raises nothing in others.
    """
    if current_thread() is not main_thread():
        yield
        return
    _at_once.append(None)
    try:
        yield
    finally:
        _at_once.pop()


class Interrupt:
    """While it is entered, signals ask for an orderly end; a second one by hand ends the program at once.

    A terminal that has gone takes no output any more, and must not fail who writes to it. SIGHUP stays ignored where it
    was, as under nohup, and so does Ctrl-Z.

    Attributes:
        requested: whether there was one
    """

    def __init__(self) -> None:
        self.requested = False
        self._before: dict[int, Any] = {}
        self._terminals: list[int] = []

    def __enter__(self) -> Self:
        self._terminals = [number for number in (1, 2) if _is_terminal(number)]
        for name in ENDING:
            self._take(name, self._on_end, unless_ignored=name == AGAIN)
        self._take("SIGTSTP", self._on_stop, unless_ignored=True)
        self._take("SIGTTOU", signal.SIG_IGN)  # in the background, too, it may show how far it is
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _take(self, name: str, handler: Any, *, unless_ignored: bool = False) -> None:
        number = getattr(signal, name, None)
        if number is not None and not (unless_ignored and signal.getsignal(number) is signal.SIG_IGN):
            self._before[number] = signal.signal(number, handler)

    def _on_end(self, number: int, frame: FrameType | None) -> None:
        for terminal in self._terminals:
            if not _is_terminal(terminal):
                _write_nowhere(terminal)
        again, self.requested = self.requested, True
        if (again or _at_once) and signal.Signals(number).name != AGAIN:
            raise KeyboardInterrupt

    def _on_stop(self, number: int, frame: FrameType | None) -> None:
        if _pauses:
            _pauses[-1](_stop_this_process)
        else:
            _stop_this_process()


def _stop_this_process() -> None:
    """Stop until somebody continues it; whoever looks at the terminal then finds its cursor."""
    if _is_terminal(2):
        with suppress(OSError):
            os.write(2, SHOW_CURSOR)
    os.kill(os.getpid(), signal.SIGSTOP)


def _is_terminal(number: int) -> bool:
    with suppress(OSError):
        return os.isatty(number)
    return False


def _write_nowhere(number: int) -> None:
    """Have what is written to a file that has gone be lost, and not fail."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
