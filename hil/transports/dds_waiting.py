"""Waits for what comes in over DDS, in one thread for all readers.

Cyclone's binding can call functions when something comes, and must not be let: it writes while it holds Python's lock,
which the function in Cyclone's thread waits for, while the writer waits for that thread.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from itertools import count
from math import inf
from threading import Lock, Thread, get_ident
from typing import Any

from cyclonedds.__library__ import library_path
from cyclonedds.core import DDSException, WaitSet
from cyclonedds.util import duration

PATIENCE = 1.0
"""Longest time for which it is waited at once (s)."""

MOST = 64
"""Number of readers that are served in one round."""


class DdsWaiting:
    """A thread that calls a function whenever a condition of a reader holds; the function has to end that.

    A function that raises is not called for its condition any more: that would still hold. The others are.

    Args:
        participant: Cyclone's
        name: of the thread
        failed: gets what a function, or Cyclone, has raised; in the thread
    """

    def __init__(self, participant: Any, name: str, failed: Callable[[Exception], None]) -> None:
        library = ctypes.CDLL(str(library_path))  # whose functions are called without Python's lock
        self._wait, self._attach, self._detach = (
            getattr(library, f"dds_waitset_{each}") for each in ("wait", "attach", "detach")
        )
        self._attach.argtypes = [ctypes.c_int32, ctypes.c_int32, ctypes.c_ssize_t]
        self._detach.argtypes = [ctypes.c_int32, ctypes.c_int32]
        self._wait.argtypes = [ctypes.c_int32, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64]
        self._set = WaitSet(participant)
        self._failed = failed
        self._numbers = count(1)
        self._calls: dict[int, tuple[Any, Callable[[], None]]] = {}
        self._due: dict[Callable[[], None], float] = {}
        """What is to be called besides, and when (s)."""
        self._lock = Lock()
        self._serving = Lock()
        self._closing = False
        self._attach(self._set._ref, self._set._ref, 0)
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def add(self, condition: Any, call: Callable[[], None]) -> Callable[[], None]:
        """Have a function called; returns what ends that, after which it is not called any more."""
        number = next(self._numbers)
        with self._lock:
            self._calls[number] = condition, call
        self._attach(self._set._ref, condition._ref, number)

        def end() -> None:
            self._detach(self._set._ref, condition._ref)
            with self._lock:
                self._calls.pop(number, None)
            if self._thread.ident != get_ident():
                with self._serving:  # until a call that is under way has ended
                    pass

        return end

    def soon(self, call: Callable[[], None], after: float) -> None:
        """Have a function called once, so much later (s), in the thread; asked for again before, it still is once."""
        with self._lock:
            if call in self._due:
                return
            self._due[call] = time.monotonic() + after
        if self._thread.ident != get_ident():
            self.wake()

    def wake(self) -> None:
        """Have the thread look what is due, and whether it is to end."""
        self._set.set_trigger(True)

    def close(self) -> None:
        """End the thread; a second call does nothing."""
        self._closing = True
        self.wake()
        if self._thread.ident != get_ident():
            self._thread.join(2.0 * PATIENCE)

    def _run(self) -> None:
        numbers = (ctypes.c_ssize_t * MOST)()
        while not self._closing:
            found = self._wait(self._set._ref, ctypes.byref(numbers), MOST, duration(seconds=self._patience))
            if found < 0:
                self._failed(DDSException(found))
                return
            woken = numbers[: min(found, MOST)]
            if 0 in woken:
                self._set.set_trigger(self._closing)
            for number in woken:
                self._serve(number)
            for due in self._taken():
                self._goes_well(due)

    def _serve(self, number: int) -> None:
        """Call what is called for a condition that holds."""
        with self._serving:
            with self._lock:
                called = self._calls.get(number)
            if called is None or self._closing or self._goes_well(called[1]):
                return
            self._detach(self._set._ref, called[0]._ref)
            with self._lock:
                self._calls.pop(number, None)

    def _goes_well(self, call: Callable[[], None]) -> bool:
        """Call a function; returns whether it has raised nothing."""
        try:
            call()
        except Exception as error:  # of Cyclone, or of who hears: neither may end the thread by which all others hear
            self._failed(error)
            return False
        return True

    @property
    def _patience(self) -> float:
        """How long it may be waited at once (s)."""
        with self._lock:
            first = min(self._due.values(), default=inf)
        return max(0.0, min(PATIENCE, first - time.monotonic()))

    def _taken(self) -> list[Callable[[], None]]:
        """What is due, which is not any more."""
        now = time.monotonic()
        with self._lock:
            due = [call for call, when in self._due.items() if when <= now and not self._closing]
            for call in due:
                del self._due[call]
        return due
