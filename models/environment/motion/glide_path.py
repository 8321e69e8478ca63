"""The motion of a body with omniwheels: along a line, while it turns as it likes."""

from __future__ import annotations

from math import cos, remainder, sin, tau

from msgspec import Struct

from devs_robotics.models.environment.motion.profile import Profile
from devs_robotics.models.environment.motion.trajectory import Pose


class GlidePath(Struct, frozen=True):
    """A motion along a straight line, and a rotation that does not depend on it.

    Attributes:
        line: of the centre; its heading is the direction of the line
        heading: of the body at the start (rad)
        rotation: how the heading changes: its distance is an angle (rad)
    """

    line: Profile
    heading: float
    rotation: Profile

    def pose(self, time: float) -> Pose:
        """Pose at a time (s): x (m), y (m), heading (rad, from -pi to pi)."""
        line, rotation = self.line, self.rotation
        distance, along = line.distance(time), line.heading
        turned = rotation.distance(time) if rotation.pieces else 0.0
        return line.x + distance * cos(along), line.y + distance * sin(along), remainder(self.heading + turned, tau)

    @property
    def fastest(self) -> float:
        """That along the line (m/s)."""
        return self.line.fastest

    @property
    def fastest_turn(self) -> float:
        """That of the rotation (rad/s)."""
        return self.rotation.fastest

    @property
    def end(self) -> float:
        """When both are over (s)."""
        return max(self.line.end, self.rotation.end)
