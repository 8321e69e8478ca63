"""Reminders: what a driver has to do at which time."""

from __future__ import annotations

from math import inf


class Reminders:
    """Names of things to do, each with the time at which it is due (s)."""

    def __init__(self) -> None:
        self._due: dict[str, float] = {}

    def set(self, what: str, at: float) -> None:
        """Have it come up at a time, instead of when it would have before."""
        self._due[what] = at

    def drop(self, what: str) -> None:
        """Forget it, if it is known."""
        self._due.pop(what, None)

    def clear(self) -> None:
        """Forget everything."""
        self._due.clear()

    @property
    def next(self) -> float:
        """When the first is due; infinite if there is none."""
        return min(self._due.values(), default=inf)

    def take(self, now: float) -> tuple[str, float] | None:
        """The first that is due, and since when; it is forgotten. None if nothing is due."""
        what = min(self._due, key=self._due.__getitem__, default=None)
        if what is None or self._due[what] > now:
            return None
        return what, self._due.pop(what)
