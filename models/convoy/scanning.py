"""The order in which a robot looks round for its front robot."""

from __future__ import annotations


class Scan:
    """Looks ever further out to both sides: left one step, right one step, left two steps, ...

    Args:
        step: angle between two readings on one side (rad)
        limit: furthest angle to each side (rad)

    Attributes:
        offset: where the robot now looks, from where it began (rad)
    """

    def __init__(self, step: float, limit: float) -> None:
        self.step = step
        self.limit = limit
        self.offset = 0.0
        self._looks = 0

    def turn_to_next(self) -> float | None:
        """The turn that leads to the next place to look at (rad), or None when all have been looked at."""
        self._looks += 1
        out = (self._looks + 1) // 2 * self.step
        if out > self.limit * (1.0 + 1e-9):  # a limit of three steps allows three
            return None
        target = out if self._looks % 2 else -out
        turn = target - self.offset
        self.offset = target
        return turn

    def turn_to_centre(self, half_width: float) -> float:
        """The turn from the edge of a thing, just found, to its centre (rad); 0 if it was found straight ahead.

        Args:
            half_width: angle from the thing's centre to its edge (rad)
        """
        inward = max(0.0, half_width - self.step / 2.0)
        return inward if self.offset > 0.0 else -inward if self.offset < 0.0 else 0.0
