"""How far a robot has come in under a carrier, and where the way out is."""

from __future__ import annotations

from math import pi

from devs_robotics.models.logistics.layout import CARRY_SPEED

INSIDE = 0.1
"""Who has gone so far from where docking begins may be near to legs (m)."""


class WayIn:
    """Where a robot has gone in between the legs of a carrier that it has not raised, by the time that it took.

    Attributes:
        inwards: direction of docking from the heading (rad)
        gone: how far it is from where docking began, at most (m)
    """

    def __init__(self) -> None:
        self.inwards = self.gone = self._way = 0.0
        self._goal = -1
        self._began = self._speed = 0.0

    def begin(self, goal: int, now: float, direction: float, way: float) -> None:
        """Docking begins by a goal, at a time (s), in a direction from the heading (rad), to the middle (m)."""
        self.inwards, self.gone, self._way = direction, 0.0, way
        self._goal, self._began, self._speed = goal, now, CARRY_SPEED

    def begin_out(self, goal: int, now: float, speed: float) -> None:
        """The way out begins by a goal, at a time (s), at a speed (m/s)."""
        self._goal, self._began, self._speed = goal, now, -speed

    def ended(self, goal: int, now: float) -> None:
        """A goal has ended, or another one takes its place."""
        if goal == self._goal:
            self.gone, self._goal = max(0.0, self.gone + self._speed * (now - self._began)), -1

    def turned(self, angle: float) -> None:
        """The robot turns (rad)."""
        self.inwards -= angle

    def forget(self) -> None:
        """It is out, or has raised the carrier."""
        self.gone, self._goal = 0.0, -1

    @property
    def left(self) -> float:
        """How far it would have been from there to the middle of the carrier (m)."""
        return max(0.0, self._way - self.gone)

    @property
    def is_inside(self) -> bool:
        """Whether it may be near to legs."""
        return self.gone > INSIDE

    @property
    def outwards(self) -> float:
        """Direction of the way out from the heading (rad)."""
        return self.inwards + pi
