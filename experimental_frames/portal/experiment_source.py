"""Who hands experiments in: a generator of orders at random times."""

from __future__ import annotations

from math import inf, log
from typing import Literal

from devs_robotics import Atomic, Out
from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.streams import Stream
from devs_robotics.experimental_frames.portal.portal import PortalOrder

RunTimes = Literal["fixed", "exponential"]
"""Whether all experiments take equally long, or their run times are exponentially distributed."""


class ExperimentSource(Atomic):
    """Hands experiments in as a Poisson process.

    ============  ==================================  =====================  ============
    phase         time advance                        output                 next phase
    ============  ==================================  =====================  ============
    waiting       exponential, mean `every`           handed_in: an order    waiting, or none after the last
    ============  ==================================  =====================  ============

    Ports:
        handed_in: experiments

    Args:
        every: mean time between two experiments (s)
        run_time: of an experiment, on average (s)
        run_times: how they are distributed
        count: how many experiments there are
        seed: of the random numbers; times of arrival and run times have a stream each

    Raises:
        DevsRoboticsError: a time is not above 0
    """

    handed_in = Out(PortalOrder)

    def __init__(
        self,
        name: str = "source",
        *,
        every: float,
        run_time: float,
        run_times: RunTimes = "fixed",
        count: int,
        seed: int = 1,
    ) -> None:
        super().__init__(name)
        if not (0.0 < every < inf and 0.0 < run_time < inf):
            raise DevsRoboticsError(
                f"experiments every {every} s of {run_time} s each cannot be: both times must be above 0"
            )
        self._every, self._run_time, self._run_times, self._count = every, run_time, run_times, count
        self._arrivals = Stream(seed, 0, "arrivals of experiments")
        self._needs = Stream(seed, 0, "run times of experiments")
        self._number = 0

    def initialize(self) -> None:
        """Wait for the first one."""
        self._next()

    def lambdaf(self) -> None:
        """Hand one in."""
        fixed = self._run_times == "fixed"
        self.handed_in.add(PortalOrder(self._number, self._run_time if fixed else self._need))

    def deltint(self) -> None:
        """Wait for the next one."""
        self._next()

    def _next(self) -> None:
        if self._number == self._count:
            self.passivate()
            return
        self._number += 1
        self._need = self._run_time * exponential(self._needs)
        self.hold_in("waiting", self._every * exponential(self._arrivals))


def exponential(stream: Stream) -> float:
    """A number of the exponential distribution with mean 1."""
    return -log(0.5 * (1.0 - stream.uniform()))
