"""The convoy: robots coupled to their neighbours and to their environment (Hu & Zeigler, Fig. 4 and 7)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from devs_robotics import Coupled, In, Out, equip
from models.convoy.messages import Lost, RoundDone
from models.convoy.robot import ConvoyRobot
from models.environment import Disturbance, Environment, Motion, PoseChange


class ConvoySystem(Coupled):
    """The system under test: everything but the experimental frame.

    Its outputs are there for frames to observe; what comes in through `disturbance` is a frame's stimulus.

    Args:
        robots: robot 1, the leader, first
        environment: with a place for each robot
    """

    disturbance = In(Disturbance)
    motion = Out(Motion)
    pose_change = Out(PoseChange)
    round_done = Out(RoundDone)
    lost = Out(Lost)

    def __init__(self, name: str, robots: Sequence[ConvoyRobot], environment: Environment) -> None:
        super().__init__(name)
        self.robots = tuple(robots)
        self.environment = environment
        for component in (*robots, environment):
            self.add_component(component)
        for front, back in pairwise(robots):
            self.add_coupling(front.f_ready_out, back.f_ready_in)
            self.add_coupling(back.b_ready_out, front.b_ready_in)
        for robot, place in zip(robots, environment.places, strict=True):
            for world, exchange in robot.worlds.items():
                equip(self, exchange, getattr(place, world))
            self.add_coupling(robot.worlds["motor"].ask, self.motion)
            self.add_coupling(robot.round_done, self.round_done)
            self.add_coupling(robot.lost, self.lost)
        self.add_coupling(self.disturbance, environment.disturbance)
        self.add_coupling(environment.pose_change, self.pose_change)
