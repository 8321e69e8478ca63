"""Followers: robots that look for each other, keep behind whom they find, wait for whom they lose, and give way."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from devs_robotics import Actuator, Atomic, Crossed, Obstructed, Out, Sensor, Watch, Wheels
from devs_robotics.core.population import Column, Common, Draw, Draws, Population, exact
from devs_robotics.core.population.rows import Places

SEARCH, FOLLOW, LOST, AWAY = "search", "follow", "lost", "away"

MEAN = 5.0
"""How long a robot searches straight on (s)."""

PATIENCE = 2.0
"""How long it waits for whom it has lost (s)."""

CLOSE = 2500.0
"""Reading of one of the two sensors ahead above which it gives way."""

SPINNING = 0.026
"""Speed of a wheel while it turns on the spot (m/s)."""

STEERING = 0.016
"""By how much a wheel is slower, and the other faster, while it steers (m/s)."""

SLOWER = 0.8
"""Its speed while it follows, as a share of that with which it searches."""


class FollowOthers(Atomic):
    """The decision model: what it does, its aim, is one of four, of which some last for a time.

    =========  ===================  =========================  ============================================
    phase      time advance         output                     next phase
    =========  ===================  =========================  ============================================
    beginning  0                    proximity: the watch       telling: search
    telling    0                    wheels; aimed: its aim     doing, as long as the aim lasts
    doing      left of the aim      none                       telling: away after search, search after away
                                                               and lost; by readings: follow, lost, away
    =========  ===================  =========================  ============================================

    Ports:
        wheels: speeds of the two wheels
        proximity: a watch of the sensors
        aimed: what it does now: ``search``, ``follow``, ``lost`` or ``away``

    Args:
        speed: of the wheels while it searches (m/s)
        period: between two points at which the sensors are read (s)
        chance: for how long it searches and gives way, and to which side
    """

    wheels = Actuator(Wheels, Obstructed)
    proximity = Sensor(Watch, Crossed)
    aimed = Out(str)

    def __init__(self, name: str, speed: float, period: float, chance: Draw) -> None:
        super().__init__(name)
        self.speed, self.period, self.chance = speed, period, chance
        self.aim = AWAY
        self.left = self.right = 0.0
        self.lasts = inf

    def initialize(self) -> None:
        """Watch the sensors."""
        self.activate("beginning")

    def deltext(self, e: float) -> None:
        """See whether readings ask for another aim."""
        readings: tuple[float, ...] | None = None
        for crossed in self.proximity.answer.values:
            readings = crossed.values
        if readings is None or not self._see(readings):
            self.continuef(e)

    def lambdaf(self) -> None:
        """Watch, or tell the wheels."""
        if self.phase == "beginning":
            self.proximity.ask.add(Watch(period=self.period))
        elif self.phase == "telling":
            self.wheels.ask.add(Wheels(self.left, self.right))
            self.aimed.add(self.aim)

    def deltint(self) -> None:
        """Go on, or take another aim, for the time of the last one is over."""
        if self.phase == "telling":
            self.hold_in("doing", self.lasts)
        elif self.phase == "doing" and self.aim == SEARCH:
            chance = self.chance()
            turn = SPINNING if chance < 0.5 else -SPINNING
            self._take(AWAY, -turn, turn, exact.tick(0.2 + 1.8 * chance))
        else:
            self._take(SEARCH, self.speed, self.speed, exact.tick(-MEAN * exact.log(1.0 - self.chance())))

    def _see(self, readings: tuple[float, ...]) -> bool:
        """Take another aim, if readings ask for one."""
        front = readings[0] if readings[0] > readings[7] else readings[7]
        left, right = readings[6] + readings[5], readings[1] + readings[2]
        steer = STEERING if left > right else -STEERING if right > left else 0.0
        speed, seen = SLOWER * self.speed, front > 0.0 or left + right > 0.0
        aim = self.aim
        if front > CLOSE and aim != AWAY:
            turn = -SPINNING if left > right else SPINNING
            self._take(AWAY, -turn, turn, exact.tick(0.5 + 1.5 * self.chance()))
        elif aim == FOLLOW and not seen:
            self._take(LOST, 0.0, 0.0, PATIENCE)
        elif (aim in (SEARCH, LOST) and seen) or (aim == FOLLOW and speed - steer != self.left):
            self._take(FOLLOW, speed - steer, speed + steer, inf)
        else:
            return False
        return True

    def _take(self, aim: str, left: float, right: float, lasts: float) -> None:
        self.aim, self.left, self.right, self.lasts = aim, left, right, lasts
        self.activate("telling")


class FollowsOthers(Population, of=FollowOthers):
    """The same for all robots at once, in arrays.

    Args:
        members: the ordinary models
        robots: their numbers
    """

    speed = Common()
    period = Common()
    chance = Draws()
    aim = Column("U6")
    left = Column(float)
    right = Column(float)
    lasts = Column(float)

    def initialize(self, who: Places) -> None:
        """Watch the sensors."""
        self.activate(who, "beginning")

    def deltext(self, who: Places, e: NDArray[np.float64]) -> None:
        """See whether readings ask for another aim."""
        same, last = np.ones(len(who), bool), np.zeros((len(who), 8))
        for some, crossed in self.proximity.answer.each(who):
            places = np.searchsorted(who, some)
            same[places], last[places] = False, crossed.column("values")
        heard = ~same
        same[heard] = ~self._see(who[heard], last[heard])
        self.continuef(who[same], e[same])

    def lambdaf(self, who: Places) -> None:
        """Watch, or tell the wheels."""
        begins, tells = self.in_phase(who, "beginning"), who[self.in_phase(who, "telling")]
        if begins.any():
            self.proximity.ask.send(who[begins], Watch(period=self.period))
        self.wheels.ask.send(tells, self.left[tells], self.right[tells])
        self.aimed.send(tells, self.aim[tells])

    def deltint(self, who: Places) -> None:
        """Go on, or take another aim, for the time of the last one is over."""
        telling = self.in_phase(who, "telling")
        told, others = who[telling], who[~telling]
        self.hold_in(told, "doing", self.lasts[told])
        if not others.size:
            return
        searched = self.in_phase(others, "doing") & (self.aim[others] == SEARCH)
        tired, fresh = others[searched], others[~searched]
        if tired.size:
            chance = self.chance(tired)
            turn = np.where(chance < 0.5, SPINNING, -SPINNING)
            self._take(tired, AWAY, -turn, turn, exact.tick(0.2 + 1.8 * chance))
        if fresh.size:
            lasts = exact.tick(-MEAN * exact.log(1.0 - self.chance(fresh)))
            self._take(fresh, SEARCH, self.speed, self.speed, lasts)

    def _see(self, who: Places, readings: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Take another aim, where readings ask for one; returns where they do."""
        front = np.maximum(readings[:, 0], readings[:, 7])
        left, right = readings[:, 6] + readings[:, 5], readings[:, 1] + readings[:, 2]
        steer = np.where(left > right, STEERING, np.where(right > left, -STEERING, 0.0))
        speed, seen = SLOWER * self.speed, (front > 0.0) | (left + right > 0.0)
        aim = self.aim[who]
        away = (front > CLOSE) & (aim != AWAY)
        follows = ~away & (aim == FOLLOW)
        lost = follows & ~seen
        found = ~away & ((aim == SEARCH) | (aim == LOST)) & seen
        steers = found | (follows & seen & (speed - steer != self.left[who]))
        if away.any():
            turn = np.where(left[away] > right[away], -SPINNING, SPINNING)
            self._take(who[away], AWAY, -turn, turn, exact.tick(0.5 + 1.5 * self.chance(who[away])))
        if lost.any():
            self._take(who[lost], LOST, 0.0, 0.0, PATIENCE)
        if steers.any():
            self._take(who[steers], FOLLOW, speed - steer[steers], speed + steer[steers], np.inf)
        taken: NDArray[np.bool_] = away | lost | steers
        return taken

    def _take(
        self,
        who: Places,
        aim: str,
        left: float | NDArray[np.float64],
        right: float | NDArray[np.float64],
        lasts: float | NDArray[np.float64],
    ) -> None:
        self.aim[who], self.left[who], self.right[who], self.lasts[who] = aim, left, right, lasts
        self.activate(who, "telling")
