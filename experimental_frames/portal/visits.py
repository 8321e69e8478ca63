"""Collects how long experiments wait."""

from __future__ import annotations

from devs_robotics import Atomic, In
from devs_robotics.experimental_frames.portal.portal import PortalVisit


class PortalVisits(Atomic):
    """A transducer that keeps the experiments that are over; it is passive.

    Ports:
        over: experiments

    Attributes:
        visits: in the order in which they were over
    """

    over = In(PortalVisit)

    def __init__(self, name: str = "visits") -> None:
        super().__init__(name)
        self.visits: list[PortalVisit] = []

    def initialize(self) -> None:
        """Nothing has come yet."""
        self.passivate()

    def deltext(self, e: float) -> None:
        """Keep what comes."""
        self.visits += self.over.values
        self.passivate()

    def result(self) -> dict[str, float]:
        """The mean time of waiting (s) and how many experiments there were."""
        waits = [visit.waited for visit in self.visits]
        return {"experiments": len(waits), "mean_wait": sum(waits) / len(waits)} if waits else {"experiments": 0}
