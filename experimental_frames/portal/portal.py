"""A portal: experiments are certified, wait for an arena, and run in it, as SimPy processes."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import simpy
from msgspec import Struct

from devs_robotics import In, Out
from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.simpy_host import SimpyModel


class PortalOrder(Struct, frozen=True):
    """An experiment that somebody hands in.

    Attributes:
        number: from 1 on
        run_time: how long it will take in an arena, with setting that up (s)
    """

    number: int
    run_time: float


class PortalVisit(Struct, frozen=True):
    """An experiment that is over.

    Attributes:
        number: from 1 on
        arrived: when it was handed in (s)
        waited: from its certification until an arena was free for it (s)
        run_time: how long it took there (s)
    """

    number: int
    arrived: float
    waited: float
    run_time: float


class Portal(SimpyModel):
    """Where experiments wait for arenas, first come, first served.

    Each experiment that comes is certified, which takes a computer and so needs no turn, then takes an arena for its
    run time. Jones et al. (2022, arXiv 2203.13809) describe it in words: controller, queue, simulation, check, queue,
    arena, download.

    Ports:
        handed_in: experiments
        over: those that are done

    Args:
        arenas: how many there are, from 1 on
        certification: how long it takes (s)

    Raises:
        DevsRoboticsError: there is no arena, or the time is below 0
    """

    handed_in = In(PortalOrder)
    over = Out(PortalVisit)

    def __init__(self, name: str = "portal", arenas: int = 1, certification: float = 0.0) -> None:
        super().__init__(name)
        if arenas < 1 or not certification >= 0.0:
            raise DevsRoboticsError(
                f"a portal with {arenas} arenas and {certification} s for certification cannot be: have at least one "
                "arena, and at least 0 s"
            )
        self._arenas, self._certification = arenas, certification

    def setup(self, env: simpy.Environment) -> None:
        """Open the arenas, and the door."""
        self._free = simpy.Resource(env, self._arenas)
        env.process(self._door())

    def _door(self) -> Generator[simpy.Event, Any, None]:
        while True:
            order = yield self.receive(self.handed_in)
            self.env.process(self._experiment(order))

    def _experiment(self, order: PortalOrder) -> Generator[simpy.Event, Any, None]:
        arrived = self.env.now
        if self._certification > 0.0:
            yield self.env.timeout(self._certification)
        certified = self.env.now
        with self._free.request() as arena:
            yield arena
            begun = self.env.now
            yield self.env.timeout(order.run_time)
        self.send(self.over, PortalVisit(order.number, arrived, begun - certified, order.run_time))
