"""A clock whose start was agreed on beforehand."""

from __future__ import annotations

from devs_robotics.core.realtime.clock import Clock, WallClock


class AgreedClock(WallClock):
    """Real time from an agreed start on, which may be still to come: simulated time is negative until then.

    Other processes go by the same time, so it cannot be set back.

    Args:
        rate: simulated seconds per real second
        begins: when simulated time is 0, by `time.monotonic()` (s)
    """

    can_stand = False

    def __init__(self, rate: float, begins: float) -> None:
        super().__init__(rate)
        self._begins = begins
        self.start_at(begins)

    def start(self, time: float = 0.0) -> None:
        """The run begins at this simulated time (s), when that was agreed to be."""
        self.start_at(self._begins)

    def set_back(self, by: float) -> None:
        """Refused: other processes go by the same time."""
        Clock.set_back(self, by)

    def stand(self) -> None:
        """Refused: other processes go by the same time."""
        Clock.stand(self)
