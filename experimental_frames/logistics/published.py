"""What is published of the intralogistics task (arXiv 2203.13809), and closed forms that it is held against."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, pi, sin

import numpy as np
from msgspec import Struct

from devs_robotics.models.environment.motion.jerk_limited import MotionLimits, duration, rest_to_rest
from devs_robotics.models.logistics.layout import CARRY_SPEED, SEARCH_SPEED

TABLE_V = (136.0, 99.0, 213.0, 116.0, 327.0)
"""Times of five runs (s), each with five of five carriers."""

MEAN_WITHIN = 62.0, 295.0
"""95 % interval of their mean by Student's distribution (s)."""

LEAST = 26.0
"""The least possible time that the paper gives (s): 3 m at 0.5 m/s, 3 m at 0.3 m/s, and twice 5 s, without ramps."""

LIFTING = 5.0
"""Time of the lifter, either way (s)."""

RANGE_ERRORS = ((0.25, 2.7, 0.012), (2.7, 3.2, 0.030), (0.0, 0.25, 0.075))
"""From, to (m), and the largest mean error in bins of 0.125 m (m)."""

LATENCIES = {
    30: ((78.2, 9.2), (72.8, 10.7), (74.6, 11.7), (73.4, 11.5), (78.5, 11.5)),
    60: ((53.2, 15.8), (45.2, 9.6), (45.3, 9.8), (58.3, 12.9), (58.4, 14.6)),
}
"""From glass to algorithm, mean and standard deviation (ms), by frames per second, with 1 to 5 cameras."""

USABLE = 85.0
"""Energy of the battery that is used (Wh): 85 % of 100."""

POWERS = {"idle": (2.5, 2.5, 0.0, 0.0), "usual": (2.5, 2.5, 7.0, 2.0), "all": (2.5, 9.5, 7.0, 15.0)}
"""Mainboard, computer, cameras, motors (W), by how much a robot does."""

PUBLISHED_LIVES = {"idle": (6.0, 14.0), "usual": (14.0, 6.0), "all": (34.0, 2.5)}
"""Printed totals (W), and lives (h)."""

CHARGER = 60.0
"""12 V, 5 A (W)."""


class StraightWay(Struct, frozen=True):
    """A way from rest to rest: its length (m), and the largest speed (m/s)."""

    length: float
    speed: float

    def seconds(self, acceleration: float = 2.0, jerk: float = 20.0) -> float:
        """How long it takes at the limits (s)."""
        return duration(rest_to_rest(self.length, MotionLimits(self.speed, acceleration, jerk)))


def least_time(to_carrier: float, to_zone: float, jerk: float = 20.0) -> float:
    """Of one robot that goes straight to a carrier and straight to the zone: two ways (m), and the lifter twice (s)."""
    ways = StraightWay(to_carrier, SEARCH_SPEED), StraightWay(to_zone, CARRY_SPEED)
    return sum(way.seconds(jerk=jerk) for way in ways) + 2.0 * LIFTING


def bottleneck(
    robots: Sequence[tuple[float, float]],
    carriers: Sequence[tuple[float, float]],
    edge: float,
    jerk: float = 20.0,
) -> float:
    """The least time of a layout in which each carrier is brought by a robot of its own (s).

    The assignment whose longest time is least (a bottleneck assignment); where there are fewer robots than carriers,
    the carrier that takes longest by the robot that is nearest to it.

    Args:
        robots, carriers: places at first (m)
        edge: the drop zone is where x is above it (m)
        jerk: limit of jerk (m/s^3)
    """
    from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

    times = np.array(
        [
            [least_time(float(np.hypot(cx - rx, cy - ry)), max(0.0, edge - cx), jerk) for rx, ry in robots]
            for cx, cy in carriers
        ]
    )
    if len(robots) < len(carriers):
        return float(times.min(axis=1).max())
    for limit in np.unique(times):
        rows, columns = linear_sum_assignment(times > limit)
        if not (times > limit)[rows, columns].any():
            return float(limit)
    return inf


def chance_towards(variance: float) -> float:
    """Chance that a direction drawn about -x leads towards -x, wrapped: normal, of a variance (rad^2)."""
    terms = (2.0 / (n * pi) * sin(n * pi / 2.0) * exp(-n * n * variance / 2.0) for n in range(1, 400, 2))
    return 0.5 + sum(terms)


def interval_of_mean(values: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """Student's interval of a mean."""
    from scipy.stats import t as student  # type: ignore[import-untyped]

    array = np.asarray(values, float)
    half = float(student.ppf(0.5 + level / 2.0, len(array) - 1)) * float(array.std(ddof=1)) / len(array) ** 0.5
    return float(array.mean()) - half, float(array.mean()) + half


def share_at_dock(draw: float, net: float) -> float:
    """Share of the time that a robot is at a dock: it draws some power, and charges with some that is left (W)."""
    return draw / (draw + net)
