"""How fast counterparts of real robots go: they are put where their robots have come, a few times per second."""

from __future__ import annotations

from collections import deque
from math import remainder, tau

from devs_robotics.models.environment.motion.trajectory import Pose

LATELY = 0.25
"""A counterpart goes as fast as it has gone in that time (s): robots tell ten times per second where they are."""


class FollowedBodies:
    """Where counterparts have been put lately."""

    def __init__(self) -> None:
        self._places: dict[int, deque[tuple[float, Pose]]] = {}
        """Of each body: times (s), and where it was put then."""

    def __contains__(self, body: int) -> bool:
        return body in self._places

    def put(self, body: int, now: float, pose: Pose) -> None:
        """A body is put somewhere, at a time (s)."""
        places = self._places.setdefault(body, deque())
        if places and places[-1][0] == now:
            places.pop()
        places.append((now, pose))
        while len(places) > 1 and now - places[0][0] > LATELY:
            places.popleft()

    def velocity(self, body: int, now: float) -> tuple[float, float, float]:
        """How fast a body goes, as far as is known at a time (s): along x and y (m/s), and its turn rate (rad/s)."""
        places = self._places[body]
        (begin, (x0, y0, h0)), (end, (x, y, h)) = places[0], places[-1]
        if end == begin or now - end > LATELY:
            return 0.0, 0.0, 0.0
        time = end - begin
        return (x - x0) / time, (y - y0) / time, remainder(h - h0, tau) / time
