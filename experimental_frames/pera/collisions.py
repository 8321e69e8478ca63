"""Collisions of robots in mixed reality, by the realities of the pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import nan

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from devs_robotics import In
from devs_robotics.core.robots.outside import Reality
from devs_robotics.experimental_frames.frame import TimedTransducer, metric
from devs_robotics.models.environment import Pose, PoseChange

HYSTERESIS = 0.01
"""A collision is over when the bodies are so far from each other (m)."""

TOUCHING = 1e-4
"""Bodies that are nearer to each other than this touch (m): contacts stop them before they are any nearer."""

Column = NDArray[np.float64]

Kind = tuple[Reality, Reality]
"""The realities of a pair of robots."""

RR: Kind = ("real", "real")
RV: Kind = ("real", "virtual")
VV: Kind = ("virtual", "virtual")


class Collision(Struct, frozen=True):
    """Two robots have touched.

    Attributes:
        time: when it began (s)
        one, other: their numbers, the lower first
        kind: their realities
    """

    time: float
    one: int
    other: int
    kind: Kind


class Collisions(TimedTransducer):
    """Counts collisions: one begins when two bodies touch, and is over when there is some room between them again.

    Between two changes of its pose that are told, a body is taken to go straight on at an even speed: which is what
    happens where it drives by velocities without turning.

    Ports:
        pose_change: where a robot stands after each change of its pose or motion

    Args:
        poses: where the robots stand at first, robot 1 first
        realities: of each
        radius: of their bodies (m)
        duration: of the observation (s)
        hysteresis: room after which a collision is over (m)
    """

    pose_change = In(PoseChange)

    def __init__(
        self,
        name: str,
        poses: Sequence[Pose],
        realities: Sequence[Reality],
        radius: float,
        duration: float,
        hysteresis: float = HYSTERESIS,
    ) -> None:
        super().__init__(name, duration)
        self.realities = tuple(realities)
        self.radius, self.hysteresis = radius, hysteresis
        self.knots: list[list[tuple[float, float, float]]] = [[(0.0, x, y)] for x, y, _ in poses]
        """Of each robot: when it was where (s, m, m)."""
        self._found: tuple[tuple[float, int], list[Collision]] = ((0.0, 0), [])
        """The collisions by what had been told so far."""

    def deltext(self, e: float) -> None:
        """Note where the robots are."""
        super().deltext(e)
        for change in self.pose_change.values:
            if change.robot <= len(self.knots):
                self.knots[change.robot - 1].append((self.time, change.x, change.y))

    def pairs(self, kind: Kind) -> int:
        """How many pairs of these realities there are."""
        return sum(_kind(*pair) == kind for pair in combinations(self.realities, 2))

    def all(self) -> list[Collision]:
        """All collisions so far, in the order of their beginning."""
        known = self.time, sum(map(len, self.knots))
        if self._found[0] != known:
            self._found = known, self._look()
        return self._found[1]

    @metric("collisions of real robots", digits=0, better="less", brief="R-R")
    def real_real(self) -> float:
        """Of two real ones; NaN where there are no such pairs, as in the other metrics."""
        return self._count(RR)

    @metric("collisions of a real and a virtual robot", digits=0, better="less", brief="R-V")
    def real_virtual(self) -> float:
        """Of one of each."""
        return self._count(RV)

    @metric("collisions of virtual robots", digits=0, better="less", brief="V-V")
    def virtual_virtual(self) -> float:
        """Of two virtual ones."""
        return self._count(VV)

    @metric("collisions of a pair of real robots", unit="1/min", digits=3, better="less", brief="R-R per pair")
    def real_real_per_s(self) -> float:
        """Per pair, and per time observed."""
        return self._rate(RR)

    @metric("collisions of a real-virtual pair", unit="1/min", digits=3, better="less", brief="R-V per pair")
    def real_virtual_per_s(self) -> float:
        """Per pair, and per time observed."""
        return self._rate(RV)

    @metric("collisions of a pair of virtual robots", unit="1/min", digits=3, better="less", brief="V-V per pair")
    def virtual_virtual_per_s(self) -> float:
        """Per pair, and per time observed."""
        return self._rate(VV)

    @metric("way of the robot that went least", unit="m", digits=2, better="more")
    def least_way_m(self) -> float:
        """In the time observed: a robot that is stuck goes nowhere."""
        ways = []
        for knots in self.knots:
            _, x, y = _columns(knots)
            ways.append(float(np.hypot(np.diff(x), np.diff(y)).sum()))
        return min(ways, default=nan)

    def series(self) -> Mapping[str, Sequence[float]]:
        """One row per collision."""
        rows = [(each.time, each.one, each.other, sum(name == "real" for name in each.kind)) for each in self.all()]
        columns: list[Sequence[float]] = list(zip(*rows, strict=True)) or [(), (), (), ()]
        return dict(zip(("time_s", "robot", "other", "real_robots"), columns, strict=True))

    def _count(self, kind: Kind) -> float:
        return sum(each.kind == kind for each in self.all()) if self.pairs(kind) else nan

    def _rate(self, kind: Kind) -> float:
        observed = self.pairs(kind) * self.time
        return self._count(kind) / observed if observed else nan

    def _look(self) -> list[Collision]:
        ways = [_columns([*knots, (max(self.time, knots[-1][0]), *knots[-1][1:])]) for knots in self.knots]
        found = []
        for one, other in combinations(range(len(ways)), 2):
            kind = _kind(self.realities[one], self.realities[other])
            for time in self._between(ways[one], ways[other]):
                found.append(Collision(time, one + 1, other + 1, kind))
        return sorted(found, key=lambda each: (each.time, each.one, each.other))

    def _between(self, one: tuple[Column, Column, Column], other: tuple[Column, Column, Column]) -> list[float]:
        """When two robots have begun to touch (s)."""
        times = np.union1d(one[0], other[0])
        if len(times) < 2:
            return []
        dx, dy = (np.interp(times, other[0], other[axis]) - np.interp(times, one[0], one[axis]) for axis in (1, 2))
        nearest, share = _nearest(dx, dy)
        begins = np.flatnonzero(nearest < 2.0 * self.radius + TOUCHING)
        ends = np.flatnonzero(np.hypot(dx, dy)[1:] > 2.0 * self.radius + self.hysteresis)
        found, free = [], 0
        for begin in begins:
            if begin < free:
                continue
            found.append(float(times[begin] + share[begin] * (times[begin + 1] - times[begin])))
            over = np.searchsorted(ends, begin)
            free = int(ends[over]) + 1 if over < len(ends) else len(times)
        return found


def _nearest(dx: Column, dy: Column) -> tuple[Column, Column]:
    """How near two come to each other in each interval (m), and after which share of it."""
    ux, uy = np.diff(dx), np.diff(dy)
    way = ux * ux + uy * uy
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(way > 0.0, -(dx[:-1] * ux + dy[:-1] * uy) / way, 0.0)
    share = np.clip(share, 0.0, 1.0)
    return np.hypot(dx[:-1] + share * ux, dy[:-1] + share * uy), share


def _columns(knots: Sequence[tuple[float, float, float]]) -> tuple[Column, Column, Column]:
    """Times and places; of one time the last counts, and a jump takes no time."""
    table = np.array(knots)
    keep = np.append(np.diff(table[:, 0]) > 0.0, True)
    return table[keep, 0], table[keep, 1], table[keep, 2]


def _kind(one: Reality, other: Reality) -> Kind:
    return (one, other) if one <= other else (other, one)
