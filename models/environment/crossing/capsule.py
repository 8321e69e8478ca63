"""The capsule of a ray: where a disc's centre lies when the ray sees the disc within its reach.

In the ray's frame a point is (a, b): `a` along the ray from the observer's centre, `b` to the left of it (m). The ray
goes from a = `edge` to a = `far`, `far` its edge and its reach together. A disc is seen exactly when its centre is
within its radius of that line segment, which is the ray's axis, provided that the disc does not overlap the observer.
"""

from __future__ import annotations

from math import cos, hypot, inf, sin, sqrt

from devs_robotics.models.environment.motion.trajectory import Pose


def ray_distance(a: float, b: float, edge: float, radius: float) -> float:
    """Ray cast: distance (m) from the ray's begin to a disc of `radius` about (a, b); infinite if the ray misses it."""
    if a <= 0.0 or abs(b) > radius:
        return inf
    return max(0.0, a - sqrt(radius * radius - b * b) - edge)


def axis_distance(a: float, b: float, edge: float, far: float) -> float:
    """Distance of the point (a, b) from the ray's axis (m)."""
    if a > far:
        return hypot(a - far, b)
    if a < edge:
        return hypot(a - edge, b)
    return abs(b)


def in_capsule(a: float, b: float, edge: float, far: float, radius: float) -> bool:
    """Whether a disc of `radius` about (a, b) is seen within the ray's reach; a disc at its very end is."""
    return axis_distance(a, b, edge, far) <= radius


def in_frame(pose: Pose, bearing: float, x: float, y: float) -> tuple[float, float]:
    """A point (x, y) of the world in the frame of the ray at `bearing` (rad) of an observer: (a, b)."""
    direction = pose[2] + bearing
    c, s = cos(direction), sin(direction)
    dx, dy = x - pose[0], y - pose[1]
    return dx * c + dy * s, dy * c - dx * s
