"""Course: where a robot is on its path, and which points come next."""

from __future__ import annotations

from math import dist, inf

from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.lanes import lane_line
from devs_robotics.models.transport.messages import FOUND, SHARED, SMOOTHED, Route
from devs_robotics.models.transport.path import Waypoints, nearest_index
from devs_robotics.models.transport.travelling import Travelling, way_over

EXACT = 0.02
"""A robot that nobody has stopped comes as near as that to the points of its path (m)."""


class PathCourse:
    """A robot's way to and fro along its path, which others may cut short or replace at any time.

    Args:
        how: it goes

    Attributes:
        path: from the source to the destination; empty: none
        direction: 1 towards the destination, -1 towards the source
        target: index of the point that is next
        reached: index of the point where it is, if it is at one
        lead: what is left of a piece that the path has no more, as it goes by it
    """

    def __init__(self, how: Travelling) -> None:
        self.how = how
        self.path: Waypoints = ()
        self.direction = -1
        self.target = 0
        self.reached: int | None = None
        self.lead: list[Point] = []
        self._lines: dict[int, Waypoints] = {}
        """The path as it goes by it, by direction; made when it goes there."""
        self._aim: Point | None = None
        """The point to which it was told to go."""
        self._old: Waypoints = ()
        """A path that has been replaced since it was last seen where it is."""

    def take(self, route: Route) -> None:
        """Go on along another path."""
        old, self.path = self.path, route.points
        self._lines.clear()
        if route.by == FOUND:
            self.target = len(route.points) - 2
        elif route.by == SHARED:
            self._old = self._old or (old if old != route.points else ())
        elif route.by == SMOOTHED and self.reached is not None:
            self.reached = nearest_index(route.points, old[self.reached])
            self.target = self.reached + self.direction

    def go_over(self, here: Point) -> None:
        """Leave a path that was replaced where its piece ends."""
        if self._old:
            left, self.target = way_over(self._old, self.path, here, self.direction)
            old = self._line_of(self._old)
            self.lead = [old[index] for index in left]
            self._old, self.reached, self._aim = (), None, None

    def enter(self, index: int) -> None:
        """Go to a point of the path from beside it."""
        self.lead, self.reached, self._old, self._aim = [], None, (), None
        self.target = index

    def skip(self, points: int) -> None:
        """Leave out so many of the points that come next."""
        self.target += max(0, points - len(self.lead)) * self.direction
        del self.lead[:points]

    def advance(self, here: Point) -> list[int]:
        """Go past the points where it is; returns the directions in which it has arrived at an end and turned round."""
        arrived = []
        self.reached = None
        while dist(here, self.next) <= self._near():
            self._aim = None
            if self.lead:
                self.lead.pop(0)
                continue
            self.reached = self.target if dist(here, self.next) <= EXACT else None
            if self.target == (len(self.path) - 1 if self.direction > 0 else 0):
                arrived.append(self.direction)
                self.direction = -self.direction
                if self.how.crosses:
                    self.reached = None
                    continue
            self.target += self.direction
        return arrived

    def aim(self) -> Point:
        """The next point, to which it is told to go."""
        self._aim = self.next
        return self._aim

    @property
    def next(self) -> Point:
        """The next point."""
        return self.lead[0] if self.lead else self.line[self.target]

    @property
    def line(self) -> Waypoints:
        """The path as it goes by it."""
        line = self._lines.get(self.direction)
        if line is None:
            line = self._lines[self.direction] = self._line_of(self.path)
        return line

    def ahead(self) -> list[Point]:
        """The points that come next, up to the end of the path."""
        end = len(self.path) if self.direction > 0 else -1
        return [*self.lead, *(self.line[index] for index in range(self.target, end, self.direction))]

    def off(self) -> Point:
        """From the point of its lane where it is to the same point of the path (m)."""
        if self.reached is None:
            return 0.0, 0.0
        (here_x, here_y), (x, y) = self.line[self.reached], self.path[self.reached]
        return x - here_x, y - here_y

    def is_in_lane(self) -> bool:
        """Whether it goes to its next point in a lane, where nobody comes towards it."""
        if not self.how.lane or self.how.ends == inf:
            return bool(self.how.lane)
        return not self.lead and self.line[self.target] != self.path[self.target]

    def _line_of(self, path: Waypoints) -> Waypoints:
        return lane_line(path, self.direction, self.how.lane, self.how.ends)

    def _near(self) -> float:
        """How near it must be to the next point to be there (m)."""
        if self.next != self._aim:
            return EXACT
        is_end = not self.lead and self.target in (0, len(self.path) - 1)
        return self.how.arrival_at_ends if is_end else self.how.arrival
