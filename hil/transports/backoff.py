"""How long to wait before a lost link is tried again."""

from __future__ import annotations

import time

FIRST, LONGEST = 0.1, 1.0
"""Waits before the first attempt, and before each of the last ones (s)."""

STEADY = 1.0
"""Time for which a link has lasted (s) after which it was a good one, and the waits begin anew."""


class Backoff:
    """Waits that double from `FIRST` to `LONGEST`, until a link has lasted."""

    def __init__(self) -> None:
        self._wait = FIRST
        self._up_since: float | None = None

    def up(self) -> None:
        """The link has come up."""
        self._up_since = time.monotonic()

    def lost(self) -> float:
        """The link was lost, or did not come up; returns how long to wait now (s)."""
        if self._up_since is not None and time.monotonic() - self._up_since >= STEADY:
            self._wait = FIRST
        self._up_since = None
        wait, self._wait = self._wait, min(2.0 * self._wait, LONGEST)
        return wait
