"""Company: where a robot comes upon others on its way, which is what a path costs beside its length.

Meetings are told by place, so that they can be counted on each piece of a path: over a whole path with n robots they
are the 2(n - 1) of the encounter law (interference in foraging: Lerman & Galstyan 2002, doi 10.1023/A:1019633424543).
"""

from __future__ import annotations

from math import inf

from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.path import Waypoints


class Encounters:
    """Where a robot came upon others, for its last round trip.

    Args:
        apart: who was not heard for so long is come upon anew (s)
    """

    def __init__(self, apart: float) -> None:
        self.apart = apart
        self._last: dict[int, float] = {}
        self._trips: tuple[list[Point], list[Point]] = ([], [])
        """In the last trip from end to end, and in the present one."""

    def add(self, time: float, robot: int, place: Point) -> None:
        """Somebody is heard.

        Args:
            time: now (s)
            robot: his number
            place: where this one is (m)
        """
        if time - self._last.get(robot, -inf) > self.apart:
            self._trips[1].append(place)
        self._last[robot] = time

    def turned(self) -> Waypoints:
        """The robot is at an end of its path: where it came upon others on its last two ways between the ends."""
        before, now = self._trips
        self._trips = now, []
        return (*before, *now)
