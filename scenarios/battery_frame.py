"""The experimental frame of the case battery: how robots manage with their batteries."""

from __future__ import annotations

from math import inf, nan

from devs_robotics import Charge, In
from devs_robotics.study import TimedTransducer, metric


class Endurance(TimedTransducer):
    """Measures how robots manage with their batteries.

    Args:
        count: number of robots
        duration: of the observation (s)
    """

    charge = In(Charge)
    docking = In(bool)

    def __init__(self, name: str, count: int, duration: float) -> None:
        super().__init__(name, duration)
        self.count = count
        self.docked = 0
        """Robots that are being charged."""
        self.returns = self.empty = 0
        self.docked_s = 0.0
        self.least = inf
        self.history = [(0.0, 0.0)]

    def deltext(self, e: float) -> None:
        """See who begins to charge, who leaves, and what batteries say."""
        super().deltext(e)
        for docked in self.docking.values:
            self.docked += 1 if docked else -1
            self.returns += docked
            self.history.append((self.time, float(self.docked)))
        for charge in self.charge.values:
            self.least = min(self.least, charge.value)
            self.empty += charge.value <= 0.0

    def passed(self, seconds: float) -> None:
        """Add it up for each robot that is being charged."""
        self.docked_s += seconds * self.docked

    @metric("times that a robot goes home", digits=2)
    def returns_per_robot(self) -> float:
        """To be charged: mean over the robots."""
        return self.returns / self.count

    @metric("time being charged", unit="%", better="less")
    def docked_share(self) -> float:
        """In the nest, of the time of all robots."""
        return self.docked_s / (self.count * self.time) if self.time else nan

    @metric("least charge", unit="%", better="more")
    def least_charge(self) -> float:
        """That a battery has told: at the level, in the nest, or empty."""
        return self.least if self.least < inf else nan

    @metric("robots that are stranded", digits=0, better="less", rare=True)
    def stranded(self) -> float:
        """Whose batteries were empty before they came home."""
        return self.empty

    def series(self) -> dict[str, list[tuple[float, float]]]:
        """How many are being charged, over time."""
        return {"docked": self.history}
