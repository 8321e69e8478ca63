"""Cubic discharge: one curve per measured speed, and what is between them (Stolfi & Danoy, Algorithm 3)."""

from __future__ import annotations

from functools import lru_cache

from devs_robotics.models.batteries.checks import check_speeds
from devs_robotics.models.batteries.curves import Curve
from devs_robotics.models.batteries.decline import Decline, SmoothDecline, neighbours
from devs_robotics.models.batteries.discharge import Discharge

PIECES = 96
"""Of a decline between two curves; between any two curves that fall its times are right to some 1e-6."""

GAUSS = ((0.5 - 0.15**0.5, 5.0 / 18.0), (0.5, 4.0 / 9.0), (0.5 + 0.15**0.5, 5.0 / 18.0))
"""Places in a piece, from 0 to 1, and their weights: Gauss's quadrature with three nodes."""


class CubicDischarge(Discharge, frozen=True):
    """The charge falls along one curve per speed.

    Between two measured speeds it falls at (1 - w) P_L'(t_L) + w P_H'(t_H), where t_L and t_H are the times at which
    the curves of the lower and of the higher speed have this charge, and w grows from 0 to 1 between the speeds. This
    is what the published algorithm, which depends on its step, comes to with ever smaller steps.

    Attributes:
        curves: by rising speeds

    Raises:
        ModelError: there is no curve, or their speeds do not rise
    """

    curves: tuple[Curve, ...]

    def __post_init__(self) -> None:
        check_speeds([curve.speed_cm for curve in self.curves], len(self.curves))

    def decline(self, speed: float) -> Decline:
        """The charge over time while the wheels keep a speed (m/s)."""
        lower, higher, weight = neighbours([curve.speed_cm for curve in self.curves], speed)
        return (
            self.curves[lower] if lower == higher else decline_between(self.curves[lower], self.curves[higher], weight)
        )


@lru_cache(maxsize=1024)
def decline_between(lower: Curve, higher: Curve, weight: float) -> SmoothDecline:
    """What is between two curves.

    How long it takes is an integral over the charge. It is taken along the curve that weighs more, whose own time is
    then of the same order as that which is sought, however flat the other curve is.

    Args:
        lower, higher: curves of the two speeds
        weight: of the higher one, above 0 and below 1
    """
    if weight > 0.5:
        lower, higher, weight = higher, lower, 1.0 - weight
    length, other = lower.duration / PIECES, 0.0
    times, charges, slopes = [0.0], [1.0], [_slope(lower, 0.0, higher, 0.0, weight)]
    for piece in range(PIECES):
        passed = 0.0
        for place, share in GAUSS:
            along = (piece + place) * length
            other = higher.time_at(lower.charge_at(along), other)
            passed += share * length * lower.slope_at(along) / _slope(lower, along, higher, other, weight)
        end = (piece + 1) * length if piece + 1 < PIECES else lower.duration
        charge = lower.charge_at(end)
        other = higher.time_at(charge, other)
        times.append(times[-1] + passed)
        charges.append(charge)
        slopes.append(_slope(lower, end, higher, other, weight))
    return SmoothDecline(tuple(times), tuple(charges), tuple(slopes))


def _slope(first: Curve, time: float, second: Curve, other: float, weight: float) -> float:
    """The slope between two curves, of which each has its own time."""
    return (1.0 - weight) * first.slope_at(time) + weight * second.slope_at(other)
