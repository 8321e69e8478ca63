"""The motion of what is carried: it keeps its place on its carrier, wherever that goes."""

from __future__ import annotations

from math import cos, hypot, remainder, sin, tau

from msgspec import Struct

from devs_robotics.models.environment.motion.trajectory import Pose, Trajectory


class Carried(Struct, frozen=True):
    """A pose that is fixed in the frame of a carrier, for as long as this moves as it does.

    Attributes:
        carrier: motion of the carrier
        ahead, left: place in the carrier's frame (m)
        turned: heading in the carrier's frame (rad)
    """

    carrier: Trajectory
    ahead: float
    left: float
    turned: float = 0.0

    def pose(self, time: float) -> Pose:
        """Pose at a time (s): x (m), y (m), heading (rad, from -pi to pi)."""
        return self.on(*self.carrier.pose(time))

    def on(self, x: float, y: float, heading: float) -> Pose:
        """The same where the pose of the carrier is known (m, m, rad)."""
        c, s = cos(heading), sin(heading)
        return (
            x + c * self.ahead - s * self.left,
            y + s * self.ahead + c * self.left,
            remainder(heading + self.turned, tau),
        )

    @property
    def fastest(self) -> float:
        """That of the carrier, and what its rotation adds at this place (m/s)."""
        return self.carrier.fastest + self.carrier.fastest_turn * hypot(self.ahead, self.left)

    @property
    def fastest_turn(self) -> float:
        """That of the carrier (rad/s)."""
        return self.carrier.fastest_turn

    @property
    def end(self) -> float:
        """That of the carrier (s)."""
        return self.carrier.end
