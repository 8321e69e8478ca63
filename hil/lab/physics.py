"""Physics: bodies in an arena that move on their courses, in small steps, and stop where they touch something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, floor, inf, sin

from devs_robotics.hil.lab.arena import Arena
from devs_robotics.hil.lab.courses import Course, Pose, between, distance
from devs_robotics.hil.lab.lights import Colour
from devs_robotics.hil.lab.neighbours import STRIDE, Neighbours

STEP = 0.005
"""Longest time between two looks for contacts while anything moves (s of the lab's time)."""


class Body:
    """A round body.

    Args:
        pose: where it is at first
        radius: (m)
        whisker_reach: how far its whiskers stick out ahead (m); 0 for none

    Attributes:
        course: on which it moves; None at rest
        glow: the colour of its lights
        touching: whether its whiskers touch something
        ended: told when its course is over, and whether it was blocked
        touched: told when `touching` has changed
    """

    def __init__(self, pose: Pose, radius: float, whisker_reach: float = 0.0) -> None:
        self.x, self.y, self.heading = pose
        self.radius = radius
        self.whisker_reach = whisker_reach
        self.course: Course | None = None
        self.glow: Colour = (0.0, 0.0, 0.0)
        self.touching = False
        self.ended: Callable[[bool], None] = _nobody
        self.touched: Callable[[bool], None] = _nobody

    @property
    def pose(self) -> Pose:
        """Where it is."""
        return Pose(self.x, self.y, self.heading)

    @pose.setter
    def pose(self, pose: Pose) -> None:
        self.x, self.y, self.heading = pose

    @property
    def speed(self) -> float:
        """How fast it goes forward (m/s)."""
        return 0.0 if self.course is None else self.course.speed

    @property
    def turn_rate(self) -> float:
        """How fast it turns (rad/s)."""
        return 0.0 if self.course is None else self.course.turn_rate


class Physics:
    """Moves the bodies of an arena; they never enter each other, a wall or an obstacle.

    Args:
        arena: with its bodies
        bodies: the same ones

    Attributes:
        now: time up to which they have moved (s)
    """

    def __init__(self, arena: Arena, bodies: Sequence[Body]) -> None:
        self.arena = arena
        self.bodies = bodies
        self.now = 0.0
        self._neighbours = Neighbours(bodies)
        for body in bodies:
            body.touching = self._touches(body)

    @property
    def next_time(self) -> float:
        """When it must be advanced at the latest; infinite while nothing moves."""
        ends = [body.course.end for body in self.bodies if body.course is not None]
        return max(self.now, min((floor(self.now / STEP + 1e-6) + 1) * STEP, *ends)) if ends else inf

    def advance(self, time: float) -> None:
        """Move everything on to a time that is not after `next_time`."""
        self.now = time
        moving = [(body, body.course) for body in self.bodies if body.course is not None]
        for body, course in moving:
            if body.course is course:  # and was not stopped by what another one caused
                self._move(body, course)
        if moving:
            self._feel([body for body, _ in moving])

    def _feel(self, moved: Sequence[Body]) -> None:
        """Tell bodies whose whiskers touch something now, or no longer do: of those that have moved and those near."""
        concerned = set(moved).union(*map(self._neighbours.of, moved))
        for body in self.bodies:
            if body in concerned and (touching := self._touches(body)) != body.touching:
                body.touching = touching
                body.touched(touching)

    def _move(self, body: Body, course: Course) -> None:
        start, end = body.pose, course.advance(self.now)
        way = distance(start, end)
        room = self._room(body, (end.x - start.x) / way, (end.y - start.y) / way, way) if way else inf
        if room < way:
            share = room / way
            met = between(start, end, share)
            going_on = course.block(share, met)
            body.pose = met if going_on is None else going_on
            self._neighbours.moved(body)
            if going_on is None:
                self._end(body, blocked=True)
            return
        body.pose = end
        self._neighbours.moved(body)
        if self.now >= course.end:
            self._end(body, blocked=False)

    def _end(self, body: Body, *, blocked: bool) -> None:
        body.course = None
        body.ended(blocked)

    def _touches(self, body: Body) -> bool:
        reach = body.whisker_reach
        return bool(reach) and self._room(body, cos(body.heading), sin(body.heading), reach) < inf

    def _room(self, body: Body, ux: float, uy: float, reach: float) -> float:
        """How far a body can go along a unit vector until it touches something (m); infinite beyond `reach`."""
        near = self._neighbours.of(body) if reach <= max(STRIDE, body.whisker_reach) else None
        return self.arena.free_along(body, ux, uy, reach, near)


def _nobody(_word: bool) -> None:
    """Nobody is told."""
