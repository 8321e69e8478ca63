"""What light sensors read of lamps, and from how far away they read so little.

Published for one lamp (Stolfi and Danoy, eq. (2)); of several the terms are added before the limits are taken, as ARGoS
does.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from devs_robotics.core.robots.epuck2.light import DARKEST, GAIN, REACH


def reading(lamps: Iterable[tuple[float, float]], error: float = 0.0) -> int:
    """What a sensor reads, from 0 (saturated) to `DARKEST`.

    Args:
        lamps: intensity (1 for the published curve) and distance from the sensor (m) of each that nothing hides from
            it; those further away than `REACH` do not count
        error: that noise adds, as a share of `DARKEST`; the reading stays within its limits
    """
    share = 1.0
    for intensity, distance in lamps:
        if distance <= REACH and intensity > 0.0:
            saturated = GAIN * intensity
            share = share - (saturated / distance) * (saturated / distance) if distance > saturated else 0.0
            if share <= 0.0:
                share = 0.0
                break
    return round(DARKEST * min(1.0, max(0.0, share + error)))


def level_distance(intensity: float, level: float) -> float:
    """Up to how far away one lamp makes a sensor read `level` or less (m), before rounding; at most `REACH`.

    Args:
        intensity: of the lamp
        level: at least 0, below `DARKEST`

    Raises:
        ValueError: there is no such level
    """
    if not 0.0 <= level < DARKEST:
        raise ValueError(f"a light sensor has no level {level:g}: give one of at least 0, below {DARKEST}")
    return min(REACH, GAIN * intensity / sqrt(1.0 - level / DARKEST))
