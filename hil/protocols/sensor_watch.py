"""A watch of readings that come in a stream: what is told of them, and when."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from devs_robotics.core.robots.crossings import Values, crossings
from devs_robotics.core.robots.messages import Crossed, Watch

TIE = 1e-9
"""Share of a period below which a point in time is one of the raster."""


class SensorWatch:
    """Compares readings with what was told last, at each of them or, with a period, at the points of its raster.

    A program that looks once per period sees the reading that came last; so does a watch with a period, and what
    changes and changes back between two points is not told.

    Args:
        watch: what is asked

    Attributes:
        watch: the same
        told: the reading that was told last; None before the first one
    """

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.told: Values | None = None
        self._latest: Values = ()

    def first(self, values: Values) -> Crossed:
        """What is told at once."""
        self.told = self._latest = values
        return Crossed(values)

    def read(self, values: Values) -> bool:
        """A reading has come; returns whether there is something to look at."""
        self._latest = values
        return values != self.told

    def look(self) -> Iterator[Crossed]:
        """What is to be told of the reading that came last."""
        before, now = self.told, self._latest
        if before is None or before == now:
            return
        self.told = now
        yield from crossings(self.watch.levels, before, now)

    def wait(self, time: float) -> float:
        """How long from a time to the next point of the raster (s)."""
        period, offset = self.watch.period, self.watch.offset
        point = max(0, floor((time - offset) / period + TIE) + 1)
        return max(0.0, offset + point * period - time)
