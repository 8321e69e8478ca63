"""Time that a test drives, in place of the module `time`."""

from __future__ import annotations

from collections.abc import Callable


class HandTime:
    """Shows what it is told to.

    Args:
        now: what it shows (s)
        asked: called whenever somebody looks at it, before it shows
    """

    def __init__(self, now: float = 0.0, asked: Callable[[], object] = lambda: None) -> None:
        self.now = now
        self.asked = asked

    def monotonic(self) -> float:
        """Stands for `time.monotonic`."""
        self.asked()
        return self.now
