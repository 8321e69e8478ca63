"""Questions: what a decision model has asked of a sensor and is still to be told."""

from __future__ import annotations


class Question:
    """Those who ask one kind of sensor; all who had asked before a reading was asked for are answered by it.

    Args:
        what: is asked; the reminder to ask again has the same name

    Attributes:
        tries: how often the robot was asked for the reading that is awaited; 0 while none is
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.tries = 0
        self._waiting = 0
        self._later = 0

    def __bool__(self) -> bool:
        """Whether anybody waits for an answer."""
        return bool(self._waiting or self._later)

    def put(self) -> None:
        """One more asks."""
        if self.tries:
            self._later += 1
        else:
            self._waiting += 1

    def answered(self) -> int:
        """The reading has come: how many are to be told."""
        told, self._waiting, self._later, self.tries = self._waiting, self._later, 0, 0
        return told

    def interrupted(self) -> None:
        """The robot cannot be asked any more; it will be, from the start."""
        self._waiting, self._later, self.tries = self._waiting + self._later, 0, 0
