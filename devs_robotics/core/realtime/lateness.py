"""Lateness: how long after its time each event of a real-time run was handled."""

from __future__ import annotations

from math import inf, nan
from typing import Literal

from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.tables import GrowingColumn

Policy = Literal["record", "warn", "abort"]


class LatenessError(DevsRoboticsError):
    """An event came later than the run allows."""


class LatenessDistribution(Struct, frozen=True):
    """Lateness of the events of a run (s, of simulated time); NaN where there were none.

    Attributes:
        events: how many steps of the simulator were measured
        p50, p95, p99: percentiles (s)
        maximum: the largest (s)
        too_late: how many of them were later than allowed
    """

    events: int
    p50: float
    p95: float
    p99: float
    maximum: float
    too_late: int


class Lateness:
    """Measures a run's lateness, and breaks the run off if it is asked to.

    Args:
        policy: what to do about an event that is later than `most`: only record it, warn once the run is over, or abort
        most: largest lateness that is allowed (s)

    Attributes:
        times: simulated time of each step (s)
        values: how late it was handled (s)
    """

    def __init__(self, policy: Policy = "record", most: float = inf) -> None:
        self.policy = policy
        self.most = most
        self.times = GrowingColumn()
        self.values = GrowingColumn()
        self.too_late = 0

    def record(self, time: float, late: float) -> None:
        """Take in one step; raises LatenessError where the policy says so."""
        self.times.append(time)
        self.values.append(late)
        if late > self.most:
            self.too_late += 1
            if self.policy == "abort":
                raise LatenessError(
                    f"the event at {time:.3f} s was handled {1000.0 * late:.1f} ms late, and clock.max_lateness is "
                    f"{1000.0 * self.most:g} ms: use a faster machine, a lower rate, or clock.late = 'warn'"
                )

    def distribution(self) -> LatenessDistribution:
        """The whole as a few numbers."""
        ordered = self.values.ascending()
        if not ordered:
            return LatenessDistribution(0, nan, nan, nan, nan, 0)
        p50, p95, p99 = (ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95, 0.99))
        return LatenessDistribution(len(ordered), p50, p95, p99, ordered[-1], self.too_late)
