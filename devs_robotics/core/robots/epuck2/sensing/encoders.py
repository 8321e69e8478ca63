"""What the step counter of a wheel says of its travel."""

from __future__ import annotations

from math import floor

from devs_robotics.core.robots.epuck2.body import COUNTER_BITS, STEP_LENGTH

_EARLY = 1e-6
"""Part of a step (steps) by which it counts before it is over, so that the last bit of a travel loses none."""


def count(travel: float) -> int:
    """The counter of a wheel, which wraps.

    It is of the travel since the counter was 0, and never of parts of it: what is no whole step is carried so.

    Args:
        travel: of the wheel along the floor, less what it went backward (m)
    """
    half = 1 << (COUNTER_BITS - 1)
    return (floor(travel / STEP_LENGTH + _EARLY) + half) % (2 * half) - half
