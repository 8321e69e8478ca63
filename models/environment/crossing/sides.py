"""When a ray on a moving body comes to meet straight sides: its tip crosses one, or a corner comes onto the ray.

Corners are given in the frame that the ray has at present (see `capsule`); of two corners there is one side, of more
they go all round.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, asin, atan2, hypot, inf, pi, sqrt, tau

from devs_robotics.models.environment.shapes import Point

_SLACK = 1e-12
"""By how much (m, or share of a side) an end is missed by rounding."""


def first_met_on_line(corners: Sequence[Point], edge: float, far: float, sa: float, sb: float, after: float) -> float:
    """Time from now on (s), at least `after`, at which a ray that moves with velocity (sa, sb) comes to meet a side."""
    first = inf
    only = len(corners) == 2
    a0, b0 = corners[-1]
    for number, (a1, b1) in enumerate(corners):
        if sb:
            t = b1 / sb
            if after <= t < first and edge - _SLACK <= a1 - sa * t <= far + _SLACK:
                first = t
        if number or not only:
            ea, eb = a1 - a0, b1 - b0
            closing = ea * sb - eb * sa
            if closing:
                t = (eb * (far - a0) + ea * b0) / closing
                if after <= t < first and _beside(far + sa * t - a0, sb * t - b0, ea, eb):
                    first = t
        a0, b0 = a1, b1
    return first


def _beside(da: float, db: float, ea: float, eb: float) -> bool:
    """Whether a point (da, db) from a side's begin is beside the side (ea, eb), neither before it nor past its end."""
    length_2 = ea * ea + eb * eb
    return -_SLACK * length_2 <= da * ea + db * eb <= (1.0 + _SLACK) * length_2


def first_met_on_circle(
    corners: Sequence[Point], edge: float, far: float, ca: float, cb: float, rate: float, after: float
) -> float:
    """Time from now on (s), at least `after`, at which a ray that turns about (ca, cb) comes to meet a side."""
    first = inf
    only = len(corners) == 2
    tip_a, tip_b = far - ca, -cb
    g = hypot(tip_a, tip_b)
    tip = atan2(tip_b, tip_a)
    a0, b0 = corners[-1]
    for number, (a1, b1) in enumerate(corners):
        first = min(first, _corner_on_ray(a1 - ca, b1 - cb, edge - ca, far - ca, cb, rate, after))
        if number or not only:
            first = min(first, _tip_on_side(a0 - ca, b0 - cb, a1 - a0, b1 - b0, g, tip, rate, after))
        a0, b0 = a1, b1
    return first


def _corner_on_ray(a: float, b: float, low: float, high: float, cb: float, rate: float, after: float) -> float:
    """Time until a corner at (a, b) from the centre is on the ray, from `low` to `high` along it from the centre."""
    g_2 = a * a + b * b
    along_2 = g_2 - cb * cb
    if along_2 < 0.0 or not g_2:
        return inf
    along = sqrt(along_2)
    first = inf
    for upward in (True, False):
        if low - _SLACK <= (along if upward else -along) <= high + _SLACK:
            angle = asin(max(-1.0, min(1.0, -cb / sqrt(g_2))))
            turn = atan2(b, a) - (angle if upward else pi - angle)  # by which the ray has to turn
            first = min(first, _when(turn, rate, after))
    return first


def _tip_on_side(a: float, b: float, ea: float, eb: float, g: float, tip: float, rate: float, after: float) -> float:
    """Time until the tip, which goes round with radius `g`, is on the side (ea, eb) that begins at (a, b)."""
    length = hypot(ea, eb)
    if not length:
        return inf
    height = (b * ea - a * eb) / length
    if abs(height) > g or not g:
        return inf
    half_chord = sqrt(g * g - height * height)
    foot = -(a * ea + b * eb) / length  # along the side, where the centre is beside it
    normal = atan2(ea, -eb)
    half = acos(height / g)
    slack = _SLACK * (1.0 + length)
    first = inf
    if -slack <= foot + half_chord <= length + slack:  # to the right of the normal is further along the side
        first = _when(normal - half - tip, rate, after)
    if -slack <= foot - half_chord <= length + slack:
        first = min(first, _when(normal + half - tip, rate, after))
    return first


def _when(turn: float, rate: float, after: float) -> float:
    """First time (s), at least `after`, at which something has turned by `turn` (rad) or full circles more."""
    when = turn % tau / rate if rate > 0.0 else -turn % tau / -rate
    return when if when >= after else when + tau / abs(rate)
