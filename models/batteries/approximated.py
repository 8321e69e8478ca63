"""Approximated discharge: each curve in four straight pieces (Stolfi & Danoy, Algorithm 4)."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from devs_robotics.models.batteries.checks import check_speeds
from devs_robotics.models.batteries.curves import Curve
from devs_robotics.models.batteries.decline import StraightDecline, neighbours, piece_of
from devs_robotics.models.batteries.discharge import Discharge

PIECES = 4
"""Of a curve, of equal time."""


class ApproximatedDischarge(Discharge, frozen=True):
    """The charge falls along one curve per speed, of which each is cut into four straight pieces.

    The charge says in which piece it is. Between two measured speeds the slopes of both pieces are mixed, and the mix
    changes where one of the pieces ends.

    Attributes:
        curves: by rising speeds

    Raises:
        ModelError: there is no curve, or their speeds do not rise
    """

    curves: tuple[Curve, ...]

    def __post_init__(self) -> None:
        check_speeds([curve.speed_cm for curve in self.curves], len(self.curves))

    def decline(self, speed: float) -> StraightDecline:
        """The charge over time while the wheels keep a speed (m/s)."""
        lower, higher, weight = neighbours([curve.speed_cm for curve in self.curves], speed)
        return straight_between(self.curves[lower], self.curves[higher], weight)


def straight(curve: Curve) -> StraightDecline:
    """A curve in straight pieces."""
    times = [curve.duration * piece / PIECES for piece in range(PIECES + 1)]
    return StraightDecline(tuple(times), tuple(curve.charge_at(time) for time in times))


@lru_cache(maxsize=1024)
def straight_between(lower: Curve, higher: Curve, weight: float) -> StraightDecline:
    """What is between two curves in straight pieces; such a curve itself, where both are the same.

    Args:
        lower, higher: curves of the two speeds
        weight: of the higher one, from 0 to 1
    """
    first, second = straight(lower), straight(higher)
    charges = sorted({*first.charges, *second.charges}, reverse=True)
    times = [0.0]
    for high, low in pairwise(charges):
        middle = 0.5 * (high + low)
        slope = (1.0 - weight) * _slope(first, middle) + weight * _slope(second, middle)
        times.append(times[-1] + (low - high) / slope)
    return StraightDecline(tuple(times), tuple(charges))


def _slope(decline: StraightDecline, charge: float) -> float:
    """Of the piece in which a charge is (1/s)."""
    piece = piece_of(decline.charges, charge)
    start, end = decline.times[piece : piece + 2]
    high, low = decline.charges[piece : piece + 2]
    return (low - high) / (end - start)
