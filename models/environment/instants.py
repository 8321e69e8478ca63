"""Instants of the environment: whole parts of a second, so that sums and differences of them are exact.

An event that is planned from one instant and from another falls on the same floating-point number, whatever happened
in between; otherwise two strategies that look at the same points of a raster would disagree in the last bit.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor, inf

from msgspec import Struct

PER_SECOND = 2.0**30
"""Number of instants per second; floats hold them exactly up to 2**23 s (97 days)."""

EARLY = 1e-9
"""By how much sooner a prediction counts than it was computed (s), so that rounding never makes it too late."""


def instant(seconds: float) -> float:
    """The instant nearest to a time (s)."""
    return round(seconds * PER_SECOND) / PER_SECOND if seconds < inf else inf


def instant_from(seconds: float) -> float:
    """The first instant at or after a time (s)."""
    return ceil(seconds * PER_SECOND) / PER_SECOND if seconds < inf else inf


class Raster(Struct, frozen=True):
    """Points in time at which a program would read its sensors: an offset, and whole periods after it.

    Points are counted in whole numbers; a period is never added up.

    Attributes:
        period: between points (s)
        offset: of the first point (s)
    """

    period: float
    offset: float = 0.0

    def time(self, point: int) -> float:
        """When a point is (s)."""
        return instant(self.offset + point * self.period)

    def after(self, now: float) -> float:
        """The first point after a time (s)."""
        return self.time(max(0, self._count(now) + 1))

    def is_point(self, now: float) -> bool:
        """Whether a time (s) is a point."""
        return self.time(max(0, self._count(now))) == now

    def reached(self, now: float, predicted: float) -> float:
        """The first point after `now` that is not before a predicted time (s)."""
        if predicted == inf:
            return inf
        time = self.time(max(0, ceil((predicted - EARLY - self.offset) / self.period)))
        return time if time > now else self.after(now)

    def _count(self, now: float) -> int:
        """Number of the last point at or before a time (s)."""
        point = floor((now + EARLY - self.offset) / self.period)
        return point if self.time(point) <= now else point - 1


@lru_cache
def raster(period: float, offset: float) -> Raster:
    """The raster of a period and an offset (s): the same object for all who look together."""
    return Raster(period, offset)
