"""The start of an experiment: when all robots are there, they are told to begin."""

from __future__ import annotations

from devs_robotics import Atomic, In, ModelError, Out
from devs_robotics.core.robots.outside import Ordered, RobotJoined, RobotLeft, ToOutside


class Starter(Atomic):
    """Orders all robots to start, once, when so many are there at the same time.

    =======  ============  ===============  ==============================
    phase    time advance  output           next phase
    =======  ============  ===============  ==============================
    waiting  ∞             none             ready, when all are there
    ready    0             order: to start  started
    started  ∞             none             started
    =======  ============  ===============  ==============================

    Ports:
        told: what robots and viewers are told, which says who has come and gone
        order: to all robots

    Args:
        robots: how many are awaited

    Raises:
        ModelError: nobody is awaited
    """

    told: In[ToOutside] = In(ToOutside)
    order = Out(Ordered)

    def __init__(self, name: str, robots: int) -> None:
        super().__init__(name)
        if robots < 1:
            raise ModelError(f"{name!r} cannot wait for {robots} robots: let it wait for at least one")
        self.robots = robots
        self.there: set[int] = set()

    def initialize(self) -> None:
        """Wait for the robots."""
        self.passivate("waiting")

    def deltext(self, e: float) -> None:
        """See who has come and gone."""
        for told in self.told.values:
            if isinstance(told, RobotJoined):
                self.there.add(told.robot)
            elif isinstance(told, RobotLeft):
                self.there.discard(told.robot)
        if self.phase == "waiting" and len(self.there) >= self.robots:
            self.activate("ready")
        else:
            self.continuef(e)

    def lambdaf(self) -> None:
        """Tell them to begin."""
        self.order.add(Ordered("start"))

    def deltint(self) -> None:
        """Once is enough."""
        self.passivate("started")
