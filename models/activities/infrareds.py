"""The range sensors of many robots, in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from devs_robotics import Atomic
from devs_robotics.core.population import Common, Population
from devs_robotics.core.population.rows import Places
from devs_robotics.models.activities.infrared import VirtualInfrared


class VirtualInfrareds(Population, of=VirtualInfrared):
    """The same for all robots at once, in arrays.

    Args:
        members: the ordinary models
        robots: their numbers
    """

    bearings = Common()
    reach = Common()
    _steps_per_metre = Common()

    def __init__(self, members: Sequence[Atomic], robots: Sequence[int]) -> None:
        super().__init__(members, robots)
        self._asked = np.zeros(len(members), bool)
        self._has_reading = np.zeros(len(members), bool)
        self._reading = np.full((len(members), len(self.bearings)), inf)
        self._beams = np.array(self.bearings, np.float64)

    def deltext(self, who: Places, e: NDArray[np.float64]) -> None:
        """Ask the environment, or take its answer."""
        self._asked[who] |= self.ranging_ask.has(who)
        for some, answer in self.world.answer.each(who):
            self._reading[some] = self._rounded(answer.column("values"))
            self._has_reading[some] = True
        self.sigma[who] = np.where(self._asked[who] | self._has_reading[who], 0.0, inf)

    def lambdaf(self, who: Places) -> None:
        """Pass the question on, or the reading back."""
        asking = who[self._asked[who]]
        beams = np.broadcast_to(self._beams, (len(asking), len(self._beams)))
        self.world.ask.send(asking, self.robots[asking], beams, self.reach, "")
        read = who[self._has_reading[who]]
        self.ranging_answer.send(read, self._reading[read])

    def deltint(self, who: Places) -> None:
        """Wait."""
        self._asked[who] = self._has_reading[who] = False
        self.sigma[who] = inf

    def _rounded(self, distances: NDArray[np.float64]) -> NDArray[np.float64]:
        per_metre = self._steps_per_metre
        if not per_metre:
            return distances
        rounded: NDArray[np.float64] = np.rint(distances * per_metre) / per_metre
        return rounded
