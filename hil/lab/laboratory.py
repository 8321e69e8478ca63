"""The laboratory: an arena with its robots, without input or output, whose time is driven from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.extras import needed
from devs_robotics.hil.lab.agenda import Agenda
from devs_robotics.hil.lab.arena import Arena
from devs_robotics.hil.lab.core import Core
from devs_robotics.hil.lab.courses import Course, Pose
from devs_robotics.hil.lab.epuck_wifi import WifiRobot
from devs_robotics.hil.lab.equipment import EquipmentStandIn, LabScene, begin, equipment_of
from devs_robotics.hil.lab.json_robot import JsonStandIn
from devs_robotics.hil.lab.physics import Body, Physics
from devs_robotics.hil.lab.plan import LabPlan, StandIn
from devs_robotics.hil.lab.sercom import SercomRobot
from devs_robotics.hil.lab.surroundings import Surroundings

OVERLAP = 1e-9
"""Largest depth by which bodies may stand in each other at first (m), which is rounding."""


def _ros2(surroundings: Surroundings) -> Core:
    with needed("stand-ins of ROS 2 robots need"):
        from devs_robotics.hil.lab.ros2 import Ros2StandIn  # slow to load
    return Ros2StandIn(surroundings)


KINDS: dict[str, Callable[[Surroundings], Core]] = {
    "json": JsonStandIn,
    "epuck-ascii": SercomRobot,
    "epuck-binary": SercomRobot,
    "epuck2-wifi": WifiRobot,
    "ros2": _ros2,
}
"""Which stand-in plays which protocol; where it can be reached, the protocol says (`Protocol.stand_in`)."""


CARRYING = "json", "ros2"
"""Protocols that carry equipment of a robot's own, whatever it is."""


class Laboratory:
    """An arena, the bodies in it, and the robots that move them.

    Args:
        plan: what it is made of

    Attributes:
        plan: the same
        agenda: what will happen, and the time
        physics: of the bodies
        bodies: in the order of the plan
        robots: by their numbers

    Raises:
        DevsRoboticsError: two robots have one number, one has no known protocol, or stands in something, or what plays
            its equipment cannot be made or begin
    """

    def __init__(self, plan: LabPlan) -> None:
        self.plan = plan
        self.agenda = Agenda()
        self.bodies = [
            Body(Pose(robot.x, robot.y, robot.heading), robot.radius, robot.whisker_reach) for robot in plan.robots
        ]
        arena = Arena(plan.width, plan.height, plan.discs, plan.polygons, self.bodies, walled=plan.walled)
        for robot, body in zip(plan.robots, self.bodies, strict=True):
            if arena.clearance(body) < -OVERLAP:
                raise DevsRoboticsError(
                    f"robot {robot.robot} of the lab cannot stand at ({robot.x:g}, {robot.y:g}), where a wall, "
                    "an obstacle or another robot is: put it elsewhere"
                )
        self.physics = Physics(arena, self.bodies)
        self.robots: dict[int, Core] = {}
        self._players: dict[str, EquipmentStandIn] = {}
        for robot, body in zip(plan.robots, self.bodies, strict=True):
            self._add(robot, body)
        shared: dict[str, Any] = {}
        begin(self._players, lambda target: self._scene(target, shared))

    def _add(self, robot: StandIn, body: Body) -> None:
        kind = KINDS.get(robot.protocol)
        if kind is None:
            raise DevsRoboticsError(
                f"no stand-in can play robot {robot.robot}, which speaks {robot.protocol!r}: "
                f"give the robot's address, or choose {', '.join(KINDS)}"
            )
        if robot.equipment and robot.protocol not in CARRYING:
            others = " or ".join(map(repr, CARRYING))
            raise DevsRoboticsError(
                f"robot {robot.robot} of the lab speaks {robot.protocol!r}, which carries no "
                f"{', '.join(robot.equipment)}: leave out its equipment, or let it speak {others}"
            )
        if robot.robot in self.robots:
            raise DevsRoboticsError(f"two robots of the lab have the number {robot.robot}: give one another")
        equipment = equipment_of(robot.equipment, robot.robot, self._players)
        self.robots[robot.robot] = kind(Surroundings(robot, body, self.physics, self.agenda, self.plan, equipment))

    def _scene(self, target: str, shared: dict[str, Any]) -> LabScene:
        """What one of those that play equipment is told."""
        having = {
            robot.robot: body
            for robot, body in zip(self.plan.robots, self.bodies, strict=True)
            if target in robot.equipment.values()
        }

        def poses() -> dict[int, Pose]:
            return {robot: body.pose for robot, body in having.items()}

        def drive(robot: int, course: Course | None) -> None:
            having[robot].course = course

        def course(robot: int) -> Course | None:
            return having[robot].course

        return LabScene(self.plan.settings, self.plan.seed, poses, shared, drive, course)

    def start(self) -> None:
        """Switch all robots on."""
        for robot in self.robots.values():
            robot.start()

    @property
    def next_time(self) -> float:
        """When something will happen next by itself (s)."""
        return min(self.agenda.next_time, self.physics.next_time)

    def advance(self, time: float) -> None:
        """Have everything happen that is due by a time (s)."""
        while (due := self.next_time) <= time:
            self.agenda.now = due
            self.physics.advance(due)
            self.agenda.run(due)
        self.agenda.now = max(self.agenda.now, time)
