"""When a run of swarm transportation ends: all is delivered, the time is over, or nobody moves any more."""

from __future__ import annotations

from devs_robotics import Driven, In
from devs_robotics.experimental_frames.frame import Acceptor, Verdict
from devs_robotics.models.transport.messages import Delivered

MOVED = 0.1
"""A robot that has gone so far has moved (m)."""

STALLED = 120.0
"""Time in which no robot has moved: a deadlock (s)."""


class DeliveryAcceptor(Acceptor):
    """Ends a run when so many items are delivered; it is rejected when no robot has moved for two minutes.

    Args:
        items: how many
        duration: longest time (s)
    """

    delivered = In(Delivered)
    driven = In(Driven)

    def __init__(self, name: str, items: int, duration: float) -> None:
        super().__init__(name, duration)
        self.items = items
        self.seen = 0
        self.moved_at = 0.0
        self._over = self._verdict

    def initialize(self) -> None:
        """Wait for the end of the time, or for a deadlock."""
        super().initialize()
        self._wait()

    def deltext(self, e: float) -> None:
        """See whether all is delivered, and who moves."""
        super().deltext(e)
        if any(abs(driven.distance) >= MOVED for driven in self.driven.values):
            self.moved_at = self.time
        if self.phase == "watching":
            self._wait()

    def judge(self) -> Verdict | None:
        """As many as there are have been delivered."""
        self.seen += len(list(self.delivered.values))
        return Verdict(True, f"{self.items} items are delivered") if self.seen >= self.items else None

    def share(self, time: float) -> float:
        """Of the time, or of the items, whichever is more."""
        return max(super().share(time), self.seen / self.items)

    def _wait(self) -> None:
        stalled = self.moved_at + STALLED
        self._verdict = self._over
        if stalled < self.duration:
            self._verdict = Verdict(False, f"no robot has moved {MOVED:g} m for {STALLED:g} s")
        self.hold_in("watching", max(0.0, min(self.duration, stalled) - self.time))
