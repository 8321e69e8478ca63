"""Step counters that are read now and then: how far they have come, and whether that can be."""

from __future__ import annotations

from math import inf

from devs_robotics.hil.protocols.step_control import FASTEST

JUMP = 200
"""Way of counters beyond what wheels can turn meanwhile (steps) above which they have jumped."""


class StepCounters:
    """The step counters of two wheels, of 16 bits with a sign.

    Attributes:
        read_at: when they were last read and believed (s)
        taken_after: what the wheels were told before this time (s) counted in that
        jumps: how many readings since then could not be right
    """

    def __init__(self) -> None:
        self.read_at = self.taken_after = -inf
        self.jumps = 0
        self._last: tuple[int, int] | None = None

    def steps(self, left: int, right: int) -> tuple[int, int]:
        """What the wheels have made since the last reading, if the counters are there now; nothing at the first one."""
        return (0, 0) if self._last is None else (_wrapped(left - self._last[0]), _wrapped(right - self._last[1]))

    def is_jump(self, left: int, right: int, time: float, unseen: float, *, ready: bool) -> bool:
        """Whether wheels cannot have turned so far since the last reading.

        Args:
            left, right: where the counters are now
            time: now (s)
            unseen: for so long nobody saw to the robot, which no clock shows (s)
            ready: whether it has answered all the time; one that has not and is at nothing has restarted
        """
        if self._last is None:
            return False
        possible = JUMP + 2 * FASTEST * (time - self.taken_after + unseen)
        zeroed = not ready and (left, right) == (0, 0) != self._last
        return zeroed or max(map(abs, self.steps(left, right))) > possible

    def take(self, left: int, right: int, time: float, taken_after: float) -> None:
        """Believe that the counters are there now (s)."""
        self._last = (left, right)
        self.read_at, self.taken_after = time, taken_after
        self.jumps = 0


def _wrapped(steps: int) -> int:
    """A difference of two counters of 16 bits."""
    return (steps + 32768) % 65536 - 32768
