"""The experimental frame of the case forage: how many items are brought, how fast, and when all are."""

from __future__ import annotations

from math import nan

from msgspec import Struct

from devs_robotics import In
from devs_robotics.study import Acceptor, TimedTransducer, Verdict, metric


class Delivery(Struct, frozen=True):
    """A robot has let an item go in the nest, which it has carried for so long (s)."""

    carried: float


class Deliveries(TimedTransducer):
    """Measures how many items are brought to the nest, and how fast.

    Args:
        items: how many there are
        duration: of the observation, unless the run ends before (s)
    """

    delivered = In(Delivery)

    def __init__(self, name: str, items: int, duration: float) -> None:
        super().__init__(name, duration)
        self.items = items
        self.carried: list[float] = []
        self.history = [(0.0, 0.0)]

    def deltext(self, e: float) -> None:
        """Count what was delivered."""
        super().deltext(e)
        self.carried += [delivery.carried for delivery in self.delivered.values]
        self.history.append((self.time, float(len(self.carried))))

    @metric("deliveries per minute", unit="1/min", better="more")
    def throughput_per_s(self) -> float:
        """Items that were let go in the nest, per time observed."""
        return len(self.carried) / self.time if self.time else nan

    @metric("time per delivery, from gripping to letting go", unit="s", better="less", brief="time per delivery")
    def mean_delivery_s(self) -> float:
        """Mean over the items that were delivered."""
        return sum(self.carried) / len(self.carried) if self.carried else nan

    @metric("items left", digits=0, better="less")
    def left(self) -> float:
        """Items that are not in the nest."""
        return self.items - len(self.carried)

    def series(self) -> dict[str, list[tuple[float, float]]]:
        """How many were delivered, over time."""
        return {"delivered": self.history}


class AllDelivered(Acceptor):
    """Ends the run when all items, so many, are in the nest."""

    delivered = In(Delivery)

    def __init__(self, name: str, items: int) -> None:
        super().__init__(name)
        self.items = items
        self.seen = 0

    def judge(self) -> Verdict | None:
        """As many as there are have come."""
        self.seen += len(list(self.delivered.values))
        return Verdict(True, f"all {self.items} items are in the nest") if self.seen >= self.items else None
