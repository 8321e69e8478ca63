"""How a robot comes to its path from beside it, and goes on along it when it has made way."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.course import PathCourse
from devs_robotics.models.transport.travelling import MOST, nearest_first, points_ahead


class WayBack:
    """To which points a robot looks that is not at one, the best first; it goes to the first one to which it is free.

    Args:
        course: its way along the path

    Attributes:
        is_beside: whether it may go to any point of the path, and the nearest one is best
        is_past: whether it has made way, and goes on to a point ahead
        looks: how often it has looked for one ahead, and seen none
    """

    def __init__(self, course: PathCourse) -> None:
        self.course = course
        self.is_beside = self.is_past = False
        self.looks = 0
        self._entries: list[int] = []
        """Indices of the points to which it looks."""

    def __bool__(self) -> bool:
        """Whether it is not at a point of its path."""
        return self.is_beside or self.is_past

    def places(self, here: Point) -> list[Point]:
        """Where it looks from a place."""
        points, how = self._points(), self.course.how
        entries = nearest_first(points, here) if self.is_beside else points_ahead(points, here, how.past)
        self._entries = entries[:MOST]
        return [points[index] for index in self._entries]

    def see(self, here: Point, ways: Sequence[float]) -> bool:
        """Whether it knows where to go on, and the course has that point as the next one; else it looks once more.

        Who has made way, and sees no point ahead, looks again for some time, for others may stand before them. What is
        left then in a lane is an obstacle, or a crowd: it goes back to any point.

        Args:
            here: where it is
            ways: how far it is free towards each place (m)
        """
        points = self._points()
        free = [k for k, way in zip(self._entries, ways, strict=True) if way >= dist(points[k], here)]
        if self.is_beside:
            self.course.enter((free or self._entries)[0])
        elif not free and self.looks < self.course.how.patience:
            self.looks += 1
            return False
        elif not free and self.course.is_in_lane():
            self.is_beside, self.is_past = True, False
            return False
        else:
            self.course.skip(free[0] if free else 0)
        self.is_beside = self.is_past = False
        return True

    def _points(self) -> Sequence[Point]:
        return self.course.line if self.is_beside else self.course.ahead()
