"""The convoy: robots coupled to their neighbours and to their environment (Hu & Zeigler, Fig. 4 and 7)."""

from __future__ import annotations

from itertools import pairwise

from devs_robotics import Out
from devs_robotics.models.convoy.messages import RoundDone, WayLost
from devs_robotics.models.convoy.robot import ConvoyRobot
from devs_robotics.models.robots.system import RobotSystem


class ConvoySystem(RobotSystem):
    """A line of robots, each coupled to the one before and the one behind it; robot 1, the leader, first."""

    robots: tuple[ConvoyRobot, ...]

    round_done = Out(RoundDone)
    lost = Out(WayLost)

    def couple_robots(self) -> None:
        """Each robot with the one before and the one behind it."""
        for front, back in pairwise(self.robots):
            self.add_coupling(front.f_ready_out, back.f_ready_in)
            self.add_coupling(back.b_ready_out, front.b_ready_in)
        for robot in self.robots:
            self.add_coupling(robot.round_done, self.round_done)
            self.add_coupling(robot.lost, self.lost)
