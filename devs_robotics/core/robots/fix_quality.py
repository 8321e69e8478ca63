"""What fixes of a camera above the field are like: how often, how old, how far off; the defaults are published figures.

Jones et al. (DOTS) measured 45 to 58 ms from light to memory at 60 frames per second, and 73 to 79 ms at 30, for up to
five cameras; their fused estimates had standard deviations of 22.3 mm along x and 16.1 mm along y.
"""

from __future__ import annotations

from math import inf, isfinite, radians

from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError

FASTEST, SLOWEST = 0.045, 0.079
"""Shortest and longest time from light to memory (s)."""

SIGMA_X, SIGMA_Y = 0.0223, 0.0161
"""Published standard deviations of a position (m)."""

SIGMA_HEADING = radians(1.5)
"""Standard deviation of a heading (rad); none is published: this is what small pictures of markers give."""


class FixQuality(Struct, frozen=True):
    """How often a camera looks, how long its fixes take, and how far off they are.

    Attributes:
        period: from one frame to the next (s)
        delay: shortest time from the exposure until a fix is there (s)
        jitter: largest addition to the delay (s)
        sigma_x, sigma_y: standard deviations of a position (m)
        sigma_heading: the same of a heading (rad)
        missed: share of sightings, of each robot in each frame, that give no fix
    """

    period: float = 0.1
    delay: float = FASTEST
    jitter: float = SLOWEST - FASTEST
    sigma_x: float = SIGMA_X
    sigma_y: float = SIGMA_Y
    sigma_heading: float = SIGMA_HEADING
    missed: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 < self.period < inf:
            raise DevsRoboticsError(f"a camera's period must be above 0 s, not {self.period!r}")
        for key in ("delay", "jitter", "sigma_x", "sigma_y", "sigma_heading"):
            value = getattr(self, key)
            if not (isfinite(value) and value >= 0.0):
                raise DevsRoboticsError(f"a camera's {key} must be 0 or more, not {value!r}")
        if not 0.0 <= self.missed <= 1.0:
            raise DevsRoboticsError(f"a camera's missed is a share from 0 to 1, not {self.missed!r}")


EXACT = FixQuality(delay=0.0, jitter=0.0, sigma_x=0.0, sigma_y=0.0, sigma_heading=0.0)
"""Fixes that are there at once, and true."""
