"""Robots in their environment: what is the same in every case study (Hu & Zeigler, Fig. 4 and 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from devs_robotics import Coupled, Exchange, Fault, Fix, In, Out, Port, equip, expose
from devs_robotics.core.robots.activity import lead_in, lead_out
from devs_robotics.models.activities import HardwareMotor
from devs_robotics.models.environment import ArcMotion, Disturbance, Environment, Motion, PoseChange
from devs_robotics.models.robots.equipment import Equipment


class RealRobot(Struct, frozen=True):
    """The ports that a robot has when its motor is real.

    Attributes:
        fix: where a tracking system sees it
        fixed: the fixes that came while it was at rest
        reported: the motions that it has made by its own account
    """

    fix: Port[Fix]
    fixed: Port[Fix]
    reported: Port[Motion | ArcMotion]


class RobotModel(Coupled):
    """A robot: its equipment, to which a subclass couples its decision models.

    Args:
        number: from 1
        equipment: its activities; another set changes no decision model

    Attributes:
        worlds: ports to couple with the environment model, by its name for them; `open_to_the_world` makes them
        fault: through which its device tells that it can no longer be used, if it has one
        real: its further ports, if its motor is real
    """

    def __init__(self, name: str, number: int, equipment: Equipment) -> None:
        super().__init__(name)
        self.number = number
        self.equipment = equipment
        self.worlds: dict[str, Exchange[Any, Any]] = {}
        self.fault: Port[Fault] | None = None
        self.real: RealRobot | None = None

    @property
    def refused(self) -> int:
        """How many moves of a real robot its guard refused."""
        return 0 if self.equipment.guard is None else self.equipment.guard.refused

    def open_to_the_world(self) -> None:
        """Make the ports that lead outside: to the environment, and of a real robot to the system."""
        self.worlds = {world: expose(self, inner, world) for world, inner in self.equipment.worlds.items()}
        motor, device = self.equipment.motor, self.equipment.device
        if device is not None:
            self.fault = lead_out(self, device.fault, "fault")
        if isinstance(motor, HardwareMotor):
            self.real = RealRobot(
                lead_in(self, motor.fix, "fix"),
                lead_out(self, motor.fixed, "fixed"),
                lead_out(self, motor.reported, "reported"),
            )


class RobotSystem(Coupled):
    """The system under test: everything but the experimental frames.

    Its outputs are there for frames to observe; what comes in through `disturbance` is a frame's stimulus.

    Args:
        robots: robot 1 first
        environment: with a body for each robot; without it, `join` adds it later
        corrected: whether a tracking system's fixes move the counterparts of real robots

    Attributes:
        fix_of: ports for the fixes of each robot whose motor is real; what comes in through `fix` goes to all of them
    """

    disturbance = In(Disturbance)
    fix = In(Fix)
    motion = Out(Motion)
    reported: Out[Motion | ArcMotion] = Out(Motion | ArcMotion)
    fixed = Out(Fix)
    fault = Out(Fault)
    pose_change = Out(PoseChange)

    def __init__(
        self,
        name: str,
        robots: Sequence[RobotModel] = (),
        environment: Environment | None = None,
        *,
        corrected: bool = False,
    ) -> None:
        super().__init__(name)
        self.robots: tuple[RobotModel, ...] = tuple(robots)
        self.fix_of: dict[int, Port[Fix]] = {}
        for robot in robots:
            self.add_component(robot)
        if environment is not None:
            self.join(environment, corrected=corrected)

    def join(self, environment: Environment, *, corrected: bool) -> None:
        """Add the environment model, and couple the robots with each other and with it.

        Args:
            environment: with a body for each robot
            corrected: whether a tracking system's fixes move the counterparts of real robots
        """
        self.environment = environment
        self.add_component(environment)
        self.couple_robots()
        for robot in self.robots:  # who is in a team's arrays has no ports of its own
            for world, exchange in robot.worlds.items():
                equip(self, exchange, self.answering(robot, world))
            if "motor" in robot.worlds:
                self.add_coupling(robot.worlds["motor"].ask, self.motion)
            self._couple_real(robot, corrected=corrected)
        self.add_coupling(self.disturbance, environment.disturbance)
        self.add_coupling(environment.pose_change, self.pose_change)

    def answering(self, robot: RobotModel, world: str) -> Exchange[Any, Any]:
        """Who answers one of a robot's activities: by default the environment model, by its name for it."""
        wanted = robot.worlds[world]
        return self.environment.offer(robot.number, wanted.ask.p_type, wanted.answer.p_type, world)

    def spare_poses(self) -> None:
        """Nobody looks at the run beside those that are coupled: do no more for others; by default nothing changes."""

    def couple_robots(self) -> None:
        """Couple robots with each other and what they say with the system's outputs; by default there is nothing."""

    def _couple_real(self, robot: RobotModel, *, corrected: bool) -> None:
        if robot.fault is not None:
            self.add_coupling(robot.fault, self.fault)
        real = robot.real
        if real is None:
            return
        self.add_coupling(real.reported, self.reported)
        self.add_coupling(self.fix, real.fix)
        self.fix_of[robot.number] = lead_in(self, real.fix, f"{robot.name}_fix")
        self.add_coupling(real.fixed, self.fixed)
        if corrected:
            self.add_coupling(real.fixed, self.environment.fix)
