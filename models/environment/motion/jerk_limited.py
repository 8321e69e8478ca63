"""Fastest motions along a line within limits of speed, acceleration and jerk, in closed form."""

from __future__ import annotations

from math import copysign, inf, sqrt

from msgspec import Struct

from devs_robotics import ModelError
from devs_robotics.models.environment.motion.profile import Piece

Pieces = tuple[Piece, ...]


class MotionLimits(Struct, frozen=True):
    """Limits of a motion along a line, or of a rotation, either way.

    Attributes:
        speed: m/s, or rad/s
        acceleration: m/s^2, or rad/s^2
        jerk: m/s^3, or rad/s^3

    Raises:
        ModelError: one of them is not a finite number above 0
    """

    speed: float
    acceleration: float
    jerk: float

    def __post_init__(self) -> None:
        if not all(0.0 < limit < inf for limit in (self.speed, self.acceleration, self.jerk)):
            raise ModelError(f"limits of a motion must be finite and above 0: {self}")


def rest_to_rest(distance: float, limits: MotionLimits) -> Pieces:
    """The fastest motion over a distance (m, or rad; negative: the other way) that begins and ends at rest.

    Up to seven pieces: speed is gained in an S, kept, and lost in the same S.
    """
    way, v, a, j = abs(distance), limits.speed, limits.acceleration, limits.jerk
    ramp, even, cruise = (way / (2.0 * j)) ** (1.0 / 3.0), 0.0, 0.0
    if v >= a * a / j:
        if way >= v * (v / a + a / j):
            ramp, even, cruise = a / j, v / a - a / j, way / v - (v / a + a / j)
        elif way >= 2.0 * a**3 / (j * j):
            peak = (sqrt(a**4 / (j * j) + 4.0 * a * way) - a * a / j) / 2.0
            ramp, even = a / j, peak / a - a / j
    elif way >= 2.0 * v * sqrt(v / j):
        ramp, cruise = sqrt(v / j), way / v - 2.0 * sqrt(v / j)
    j = copysign(j, distance)
    return _lasting((ramp, j), (even, 0.0), (ramp, -j), (cruise, 0.0), (ramp, -j), (even, 0.0), (ramp, j))


def braking(speed: float, acceleration: float, limits: MotionLimits) -> Pieces:
    """The fastest way to rest from a speed (m/s, or rad/s) and an acceleration: up to three pieces."""
    a, j = limits.acceleration, limits.jerk
    let_go = speed + acceleration * abs(acceleration) / (2.0 * j)
    """The speed that is left when the acceleration is let go at once."""
    sign = -copysign(1.0, let_go) if let_go else 0.0
    if not sign:
        return _lasting((abs(acceleration) / j, -copysign(j, acceleration)))
    now, change = sign * acceleration, -sign * speed
    peak = min(a, sqrt(max(0.0, j * change + now * now / 2.0)))
    even = (change - (2.0 * peak * peak - now * now) / (2.0 * j)) / peak if peak else 0.0
    return _lasting(((peak - now) / j, sign * j), (even, 0.0), (peak / j, -sign * j))


def stopping_way(speed: float, deceleration: float, jerk: float) -> float:
    """The shortest way on which a body comes to rest (m).

    Args:
        speed: at first, at least 0 (m/s)
        deceleration: at most (m/s^2)
        jerk: at most (m/s^3); may be infinite
    """
    if speed >= deceleration * deceleration / jerk:
        return speed / 2.0 * (speed / deceleration + deceleration / jerk)
    return speed * sqrt(speed / jerk)


def duration(pieces: Pieces) -> float:
    """How long pieces last (s)."""
    return sum(lasts for lasts, _ in pieces)


def _lasting(*pieces: Piece) -> Pieces:
    return tuple(piece for piece in pieces if piece[0] > 0.0)
