"""A course on omniwheels: a body keeps a velocity in any direction while it turns, until it is told another one."""

from __future__ import annotations

from math import atan2, hypot, inf, remainder
from typing import NamedTuple

from devs_robotics.hil.lab.courses import TURN, Course, Pose, Slip, Wheel, arc


class PlanarVelocity(NamedTuple):
    """A velocity in the frame of a body: along its x and y (m/s), and about its z (rad/s); or what was gone by it."""

    ahead: float = 0.0
    left: float = 0.0
    turn: float = 0.0


class OmniwheelDrive(Course):
    """A body that takes up a velocity as fast as it can, each part by itself, and keeps it.

    While it speeds up, its way is put together of short arcs; from then on it is one arc.

    Args:
        start: when it begins
        pose: where
        travel: what its wheels have counted until then
        velocity: that it has then
        target: the one to take up
        acceleration: in any direction (m/s^2)
        turn_acceleration: (rad/s^2)
        slip: of this drive

    Attributes:
        travel: what its wheels have counted (m, m, rad)
    """

    def __init__(
        self,
        start: float,
        pose: Pose,
        travel: PlanarVelocity,
        *,
        velocity: PlanarVelocity,
        target: PlanarVelocity,
        acceleration: float,
        turn_acceleration: float,
        slip: Slip,
    ) -> None:
        self.travel = travel
        self.target = target
        self._limits = acceleration, acceleration, turn_acceleration
        self._slip = slip
        self._held: PlanarVelocity | None = None
        """The velocity of a body that something holds."""
        self._begin(start, pose, velocity)

    def _begin(self, start: float, pose: Pose, velocity: PlanarVelocity) -> None:
        told = zip(velocity, self.target, self._limits, strict=True)
        self._parts = [Wheel(start, now, target, limit) for now, target, limit in told]
        self._settled = max(part.settled for part in self._parts)
        self.end = inf if any(self.target) else self._settled
        self._now = start
        self._counted = self._before = self.travel
        self._anchor, self._anchored, self._anchor_travel = start, pose, self.travel

    @property
    def velocity(self) -> PlanarVelocity:
        """As its wheels count it now."""
        return self._held or PlanarVelocity(*(part.speed(self._now) for part in self._parts))

    def advance(self, time: float) -> Pose:
        """Where the body is at a time."""
        self._now = time
        self._held = None
        self._before = self.travel
        counted = zip(self._counted, self._parts, strict=True)
        self.travel = PlanarVelocity(*(before + part.travel(time) for before, part in counted))
        ahead, left, turn = (now - then for now, then in zip(self.travel, self._anchor_travel, strict=True))
        longer = 1.0 + self._slip.stretch
        swerved = self._slip.swerve * hypot(ahead, left)
        pose = slid(self._anchored, PlanarVelocity(ahead * longer, left * longer, turn + swerved))
        if self._anchor < self._settled:
            self._anchor, self._anchored, self._anchor_travel = time, pose, self.travel
        return pose

    def block(self, share: float, pose: Pose) -> Pose | None:
        """It goes no further, turns on, and tries again as long as it is told to."""
        ends, now, before = not any(self.target), self.travel, self._before
        turned = 0.0 if ends else (1.0 - share) * (now.turn - before.turn)
        gone = PlanarVelocity(*(then + share * (each - then) for each, then in zip(now, before, strict=True)))
        self.travel = gone._replace(turn=gone.turn + turned)
        self._held = PlanarVelocity(turn=0.0 if ends else self.velocity.turn)
        self._begin(self._now, pose._replace(heading=remainder(pose.heading + turned, TURN)), self._held)
        return None if ends else self._anchored

    @property
    def speed(self) -> float:
        """Of the body now, in whatever direction."""
        return hypot(self.velocity.ahead, self.velocity.left) * (1.0 + self._slip.stretch)

    @property
    def turn_rate(self) -> float:
        """Of the body now."""
        return self.velocity.turn + self._slip.swerve * self.speed


def slid(pose: Pose, gone: PlanarVelocity) -> Pose:
    """Where a body is after a way, in its own frame, on which its heading changed evenly."""
    towards = atan2(gone.left, gone.ahead)
    there = arc(Pose(pose.x, pose.y, pose.heading + towards), hypot(gone.ahead, gone.left), gone.turn)
    return Pose(there.x, there.y, remainder(pose.heading + gone.turn, TURN))
