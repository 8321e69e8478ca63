"""The transducer that measures how near bodies come to each other, to walls and to obstacles."""

from __future__ import annotations

from array import array
from cmath import isnan
from collections.abc import Sequence
from math import inf, nan

import numpy as np
from msgspec import Struct

from devs_robotics import Atomic, In
from devs_robotics.experimental_frames.instruments.approach.gaps import (
    Floats,
    Gaps,
    Numbers,
    Places,
    to_boxes,
    to_discs,
    to_walls,
)
from devs_robotics.models.environment import PoseChange, Shape

CONTACT = 1e-9
"""Bodies this near touch each other (m); the environment stops them a rounding error apart."""

MOST_GAPS = 2**14
"""Ways are measured when there are so many gaps to be found, all at once; but at least one way."""


class Approach(Struct, frozen=True):
    """How near a body came to something on one straight way.

    Attributes:
        robot: number of the robot that moved, or that was put there at the beginning
        other: what it came near to, in words
        distance: from edge to edge (m); not positive where they touched
        time: at the end of the way (s); of motions in closed form, when it was
    """

    robot: int
    other: str
    distance: float
    time: float

    def __str__(self) -> str:
        what = f"came within {100.0 * self.distance:.3g} cm of" if self.distance > CONTACT else "hit"
        return f"robot {self.robot} {what} {self.other} at {self.time:.1f} s"


def sentence(worst: Approach, limit: float, dangers: int, collisions: int) -> str:
    """The worst approach, how near a body may come (m), and how many came nearer, and touched."""
    return (
        f"{worst}: it has to keep {100.0 * limit:.3g} cm (closer approaches in all: {dangers}, "
        f"collisions among them: {collisions})"
    )


class Approaches(Atomic):
    """Measures the closest approach of bodies on their whole ways, not only at their ends.

    A robot that has moved went straight from its old place to its new one while all else stood where it was. Robots
    that move at the same time are taken one after the other, in the order of their pose changes: each passes those
    before it where they have come to and those after it where they were.

    Args:
        width, height: of the field (m)
        obstacles: that stand in it
        radii: of the robots' bodies (m), robot 1 first
        poses: where they stand at first: x (m), y (m), heading (rad)
        limit: an approach that is closer is dangerous (m)
        walled: whether there are walls round the field
    """

    pose_change = In(PoseChange)

    def __init__(
        self,
        name: str,
        width: float,
        height: float,
        obstacles: Sequence[Shape],
        radii: Sequence[float],
        poses: Sequence[tuple[float, float, float]],
        limit: float,
        *,
        walled: bool = True,
    ) -> None:
        super().__init__(name)
        self.width = width
        self.height = height
        self.walled = walled
        self.obstacles = tuple(obstacles)
        self.limit = limit
        self._boxes = np.array([obstacle.bounds() for obstacle in obstacles], float).reshape(-1, 4)
        self._radii = np.array(radii, float)
        self._smallest = np.full(len(poses), inf)
        self._nearest = [Approach(0, "", inf, 0.0)] * len(poses)  # until they are put into the field, below
        self._dangers = self._collisions = 0
        self._between_robots = inf
        self._time = 0.0
        self._times = array("d")
        self._movers = array("l")
        self._ends: list[complex] = []
        self._places = np.full(len(poses), complex(nan, nan))
        most = max(1, MOST_GAPS // (len(poses) + 4 + len(obstacles)))
        self._standing = np.empty((most, len(poses)), complex)
        for body, (x, y, _) in enumerate(poses):
            self._move(body, complex(x, y))

    @property
    def nearest(self) -> list[Approach]:
        """The closest approach that each robot had a part in, moving or standing; robot 1 first."""
        self._measure()
        return list(self._nearest)

    @property
    def between_robots(self) -> float:
        """The smallest distance of two robots' bodies, edge to edge (m)."""
        self._measure()
        return self._between_robots

    @property
    def dangers(self) -> int:
        """How often a body has come closer than the limit to another thing from further away; collisions count too."""
        self._measure()
        return self._dangers

    @property
    def collisions(self) -> int:
        """How often a body has come to touch another thing that it did not touch before."""
        self._measure()
        return self._collisions

    def verdict(self) -> str | None:
        """The worst approach as a sentence, or None if there was none within the limit."""
        worst = min(self.nearest, key=lambda approach: approach.distance)
        if worst.distance >= self.limit:
            return None
        return sentence(worst, self.limit, self.dangers, self.collisions)

    def deltext(self, e: float) -> None:
        """Note who has moved where; it is measured later, many ways at once."""
        self._time += e
        for change in self.pose_change.values:
            place, body = complex(change.x, change.y), change.robot - 1
            if self._places[body] != place:  # a turn on the spot brings a disc no nearer to anything
                self._move(body, place)

    def _move(self, body: int, place: complex) -> None:
        self._standing[len(self._ends)] = self._places
        self._places[body] = place
        self._times.append(self._time)
        self._movers.append(body)
        self._ends.append(place)
        if len(self._ends) == len(self._standing):
            self._measure()

    def _measure(self) -> None:
        """Measure all ways that were noted."""
        if not self._ends:
            return
        rows, movers, ends = np.arange(len(self._ends)), np.array(self._movers), np.array(self._ends)
        standing = self._standing[: len(ends)]
        starts = standing[rows, movers]
        standing[rows, movers] = complex(nan, nan)  # nothing is near to itself
        before, closest = self._gaps(movers, starts, ends, standing)
        self._dangers += int(((closest < self.limit) & (before >= self.limit)).sum())
        self._collisions += int(((closest <= CONTACT) & (before > CONTACT)).sum())
        passed = closest[:, : len(self._places)]
        self._between_robots = min(self._between_robots, float(passed.min()))
        closer = (closest.min(axis=1) < self._smallest[movers]) | (passed < self._smallest).any(axis=1)
        for way in rows[closer].tolist():
            self._note(self._movers[way], way, int(closest[way].argmin()), closest)
            for body in np.flatnonzero(passed[way] < self._smallest).tolist():
                self._note(body, way, body, closest)
        del self._times[:], self._movers[:], self._ends[:]

    def _gaps(self, movers: Numbers, starts: Places, ends: Places, standing: Places) -> Gaps:
        """To robots, walls and obstacles, a column each."""
        radii = self._radii[movers]
        discs = to_discs(starts, ends, standing, radii[:, None] + self._radii)
        walls = to_walls(starts, ends, radii, self.width, self.height)
        if not self.walled:
            walls = np.full_like(walls[0], inf), np.full_like(walls[1], inf)
        before, closest = (np.hstack(both) for both in zip(discs, walls, strict=True))
        if not self.obstacles:
            return before, closest
        enough = np.minimum(self._smallest[movers], closest.min(axis=1)).clip(min=self.limit)
        obstacles = self._gaps_to_obstacles(starts, ends, radii, enough)
        return np.hstack((before, obstacles[0])), np.hstack((closest, obstacles[1]))

    def _gaps_to_obstacles(self, starts: Places, ends: Places, radii: Floats, enough: Floats) -> Gaps:
        """Those that are larger than enough are told to be infinite, most of them without a closer look."""
        before, closest = (np.full((len(ends), len(self.obstacles)), inf) for _ in range(2))
        may_be_near = to_boxes(starts, ends, radii, self._boxes) < enough[:, None]
        for way, number in np.argwhere(may_be_near).tolist():
            obstacle, start, end = self.obstacles[number], complex(starts[way]), complex(ends[way])
            if isnan(start):
                start = end
            else:
                before[way, number] = obstacle.distance(start.real, start.imag) - radii[way]
            gap = obstacle.distance_from_segment(start.real, start.imag, end.real, end.imag)
            closest[way, number] = gap - radii[way]
        return before, closest

    def _note(self, body: int, way: int, thing: int, closest: Floats) -> None:
        """Keep an approach for a body that had a part in it, if it is its closest."""
        distance = float(closest[way, thing])
        if distance < self._smallest[body]:
            self._smallest[body] = distance
            self._nearest[body] = Approach(self._movers[way] + 1, self._name_of(thing), distance, self._times[way])

    def _name_of(self, thing: int) -> str:
        robots = len(self._places)
        if thing < robots:
            return f"robot {thing + 1}"
        walls = ("x = 0 m", f"x = {self.width:g} m", "y = 0 m", f"y = {self.height:g} m")
        return f"the wall at {walls[thing - robots]}" if thing < robots + 4 else f"obstacle {thing - robots - 3}"
