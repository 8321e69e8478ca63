"""Bodies of robots: what they are like, and where they stand at first."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from numbers import Real

from msgspec import Struct

from devs_robotics import ModelError
from devs_robotics.models.environment import Pose


class UsualBody(Struct, frozen=True):
    """What a robot is like whose kind leaves it open.

    Attributes:
        radius: of its round body (m)
        speed: of its motor (m/s)
        turn_rate: of its motor (rad/s)
        whisker_reach: how far whiskers stick out ahead of the body (m)
    """

    radius: float
    speed: float
    turn_rate: float
    whisker_reach: float


def is_finite(value: object) -> bool:
    """Whether something is a finite number."""
    return isinstance(value, Real) and isfinite(float(value))


def checked_pose(number: int, pose: object) -> Pose:
    """A pose as plain numbers.

    Raises:
        ModelError: it is none
    """
    values = tuple(pose) if isinstance(pose, Iterable) and not isinstance(pose, str) else ()
    if len(values) != 3 or not all(map(is_finite, values)):
        raise ModelError(
            f"robot {number}: its pose must be x (m), y (m) and heading (rad), three numbers, not {pose!r}"
        )
    x, y, heading = map(float, values)
    return x, y, heading
