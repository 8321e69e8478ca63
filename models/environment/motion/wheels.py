"""Differential drive: constant speeds of two wheels are exactly one arc, and back."""

from __future__ import annotations

from devs_robotics.models.environment.motion.arc import Arc


def arc_of(left: float, right: float, axle: float, start: float, x: float, y: float, heading: float) -> Arc:
    """The arc of a body on two wheels.

    Args:
        left, right: speeds of the wheels over the floor (m/s)
        axle: distance between the wheels (m)
        start, x, y, heading: time (s) and pose (m, rad) from which on they turn so
    """
    return Arc(start, x, y, heading, (left + right) / 2.0, (right - left) / axle)


def wheels_of(arc: Arc, axle: float) -> tuple[float, float]:
    """Speeds of the left and the right wheel that drive an arc (m/s), with the wheels `axle` (m) from each other."""
    half = arc.turn_rate * axle / 2.0
    return arc.speed - half, arc.speed + half
