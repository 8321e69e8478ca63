"""What is heard in threads of a middleware, and how long a test waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition

WITHIN = 20.0
"""What has not come within this time never does (s)."""


class Heard:
    """Notes what is heard."""

    def __init__(self) -> None:
        self.all: list[bytes] = []
        self._changed = Condition()

    def __call__(self, data: bytes) -> None:
        with self._changed:
            self.all.append(data)
            self._changed.notify_all()

    def wait_for(self, ready: Callable[[list[bytes]], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: ready(self.all), WITHIN), self.all[-3:]


def wait_for(ready: Callable[[], bool]) -> None:
    """Ask again and again, until it is so."""
    until = time.monotonic() + WITHIN
    while not ready():
        assert time.monotonic() < until
        time.sleep(0.02)
