"""The convoy: robots coupled to their neighbours and to their environment (Hu & Zeigler, Fig. 4 and 7)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from devs_robotics import Coupled, Fault, Fix, In, Link, Out, Packet, Port, equip
from devs_robotics.core.robots.activity import lead_in, lead_out
from devs_robotics.models.convoy.messages import Lost, RoundDone
from devs_robotics.models.convoy.robot import ConvoyRobot
from devs_robotics.models.environment import Disturbance, Environment, Motion, PoseChange


class ConvoySystem(Coupled):
    """The system under test: everything but the experimental frame.

    Its outputs are there for frames to observe; what comes in through `disturbance` is a frame's stimulus.

    Args:
        robots: robot 1, the leader, first
        environment: with a body for each robot
        corrected: whether a tracking system's fixes move the counterparts of real robots

    Attributes:
        wires: ports for the packets of each real robot, outgoing and incoming, by its number
        fix_of: ports for the fixes of each real robot; what comes in through `fix` goes to all of them
    """

    disturbance = In(Disturbance)
    fix = In(Fix)
    motion = Out(Motion)
    reported = Out(Motion)
    fixed = Out(Fix)
    fault = Out(Fault)
    pose_change = Out(PoseChange)
    round_done = Out(RoundDone)
    lost = Out(Lost)

    def __init__(
        self, name: str, robots: Sequence[ConvoyRobot], environment: Environment, *, corrected: bool = False
    ) -> None:
        super().__init__(name)
        self.robots = tuple(robots)
        self.environment = environment
        self.wires: dict[int, tuple[Port[Packet], Port[Packet | Link]]] = {}
        self.fix_of: dict[int, Port[Fix]] = {}
        for component in (*robots, environment):
            self.add_component(component)
        for front, back in pairwise(robots):
            self.add_coupling(front.f_ready_out, back.f_ready_in)
            self.add_coupling(back.b_ready_out, front.b_ready_in)
        for robot in robots:
            for world, exchange in robot.worlds.items():
                equip(self, exchange, environment.offer(world, robot.number))
            if "motor" in robot.worlds:
                self.add_coupling(robot.worlds["motor"].ask, self.motion)
            self._couple_real(robot, corrected=corrected)
            self.add_coupling(robot.round_done, self.round_done)
            self.add_coupling(robot.lost, self.lost)
        self.add_coupling(self.disturbance, environment.disturbance)
        self.add_coupling(environment.pose_change, self.pose_change)

    def _couple_real(self, robot: ConvoyRobot, *, corrected: bool) -> None:
        real = robot.real
        if real is None:
            return
        self.wires[robot.number] = (
            lead_out(self, real.outgoing, f"{robot.name}_outgoing"),
            lead_in(self, real.incoming, f"{robot.name}_incoming"),
        )
        self.add_coupling(real.reported, self.reported)
        self.add_coupling(real.fault, self.fault)
        self.add_coupling(self.fix, real.fix)
        self.fix_of[robot.number] = lead_in(self, real.fix, f"{robot.name}_fix")
        self.add_coupling(real.fixed, self.fixed)
        if corrected:
            self.add_coupling(real.fixed, self.environment.fix)
