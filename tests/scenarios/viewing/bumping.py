"""Robots that look ahead with one beam, and are moved when a motion has ended: they run into each other."""

from __future__ import annotations

from devs_robotics.scenarios.wander import Wander, Wandering
from devs_robotics.study import CaseSystem, robots


class Bumping(Wandering):
    """Robots wander that do not see what is beside them."""

    def build(self, system: CaseSystem) -> None:
        """Robots at free places, each with one decision model."""
        kind = robots.round_differential()
        for pose in system.free_poses(self.robots, kind):
            robot = system.add_robot(pose, kind)
            robot.decide(Wander("wander", system.stream(robot, "wander"), self.step, self.clearance))
