"""How near robots came to each other and to walls, by looking at their trajectories often."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, inf, nan

from devs_robotics import In
from devs_robotics.experimental_frames.frame import TimedTransducer, metric
from devs_robotics.models.environment.messages import TrajectoryChange
from devs_robotics.models.environment.motion.trajectory import Pose, Trajectory

PERIOD = 0.05
"""How often it looks (s); two robots head-on at 0.5 m/s come 50 mm nearer meanwhile."""


class Clearance(TimedTransducer):
    """Measures the least distances between the edges of robots, and to walls.

    Ports:
        trajectory_change: how robots move

    Args:
        poses: where they stand at first (m, m, rad), by their numbers
        radius: of their bodies (m)
        side: of the square arena (m)
        duration: of the observation, unless the run ends before (s)
    """

    trajectory_change = In(TrajectoryChange)

    def __init__(self, name: str, poses: Mapping[int, Pose], radius: float, side: float, duration: float) -> None:
        super().__init__(name, duration)
        self.places, self.radius, self.side = {robot: pose[:2] for robot, pose in poses.items()}, radius, side
        self._moving: dict[int, Trajectory] = {}
        self.between_robots = self.to_walls = inf
        self._next = 0.0

    def initialize(self) -> None:
        """Look at once."""
        super().initialize()
        self._next = 0.0
        self.hold_in(self.phase, 0.0)

    def deltext(self, e: float) -> None:
        """Hear how robots move."""
        super().deltext(e)
        for change in self.trajectory_change.values:
            self._moving[change.robot] = change.trajectory
        self.hold_in(self.phase, max(0.0, self._next - self.time))

    def deltint(self) -> None:
        """Look."""
        self.time += self.sigma
        moved = []
        for robot, path in list(self._moving.items()):
            x, y, _ = path.pose(self.time)
            self.places[robot] = x, y
            moved.append(robot)
            if path.end <= self.time or path.fastest == 0.0:
                del self._moving[robot]
        for robot in moved or self.places:
            self._look(robot)
        self._next = self.time + PERIOD
        self.hold_in(self.phase, PERIOD if self.time + PERIOD <= self.duration else inf)

    @metric("least clearance between robots", unit="mm", better="more")
    def between_m(self) -> float:
        """From edge to edge; not positive where they touched."""
        return self.between_robots if self.between_robots < inf else nan

    @metric("least clearance to walls", unit="mm", better="more")
    def walls_m(self) -> float:
        """From a robot's edge; not positive where one touched a wall."""
        return self.to_walls if self.to_walls < inf else nan

    def _look(self, robot: int) -> None:
        x, y = self.places[robot]
        self.to_walls = min(self.to_walls, min(x, y, self.side - x, self.side - y) - self.radius)
        for other, (there_x, there_y) in self.places.items():
            if other != robot:
                self.between_robots = min(self.between_robots, hypot(there_x - x, there_y - y) - 2.0 * self.radius)
