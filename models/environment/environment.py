"""The environment model: one TimeManager per virtual motor, and the SpaceManager (Hu & Zeigler, Fig. 7)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from devs_robotics import Coupled, Exchange, Fix, In, Out, Port
from devs_robotics.core.ports import add_port
from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.messages import Disturbance, PoseChange
from devs_robotics.models.environment.space_manager import SpaceManager
from devs_robotics.models.environment.time_manager import Pace, TimeManager


class Environment(Coupled):
    """The world of the robots: it times their motions, moves them, and answers their sensors.

    A robot's activities are coupled with what `offer` gives for it. A real robot times its motions itself; the
    environment is then told of them when they have ended, and keeps the robot's counterpart where it is.

    Args:
        field: with one body for each robot
        speed: of the virtual motors (m/s)
        turn_rate: of the virtual motors (rad/s)
        whisker_reach: how far whiskers stick out ahead of a body (m)
        own: pace of robots that move at another one, by their numbers
    """

    disturbance = In(Disturbance)
    fix = In(Fix)
    pose_change = Out(PoseChange)

    def __init__(
        self,
        name: str,
        field: Field,
        speed: float,
        turn_rate: float,
        whisker_reach: float,
        own: Mapping[int, Pace] = MappingProxyType({}),
    ) -> None:
        super().__init__(name)
        self.pace = Pace(speed, turn_rate)
        self.own = dict(own)
        self.space = SpaceManager("space", field, whisker_reach, self.pace, self.own)
        self.add_component(self.space)
        self.add_coupling(self.disturbance, self.space.disturbance)
        self.add_coupling(self.fix, self.space.fix)
        self.add_coupling(self.space.pose_change, self.pose_change)

    def offer(self, world: str, robot: int) -> Exchange[Any, Any]:
        """The environment's side of one of a robot's activities, made when it is asked for.

        Args:
            world: ``motor`` (Motion, MotionEnded; takes time), ``counterpart`` (the same of a real robot, at once),
                ``room`` (Probe, Room), ``ranging`` (Cast, Distances), or ``whiskers`` (Feel, Contact)
            robot: number of the robot
        """
        space, index = self.space, robot - 1
        if world == "motor":
            pace = self.own.get(robot, self.pace)
            time = TimeManager(f"time{robot}", pace.speed, pace.turn_rate)
            self.add_component(time)
            self.add_coupling(time.motion, space.motion)
            return self._lead_out(f"motor{robot}", time.command, space.moved[index])
        sides: dict[str, tuple[Port[Any], list[Port[Any]]]] = {
            "counterpart": (space.counterpart, space.moved),
            "room": (space.probe, space.room),
            "ranging": (space.cast, space.distances),
            "whiskers": (space.feel, space.felt),
        }
        takes, gives = sides[world]
        return self._lead_out(f"{world}{robot}", takes, gives[index])

    def _lead_out(self, name: str, takes: Port[Any], gives: Port[Any]) -> Exchange[Any, Any]:
        """An exchange of the environment's own that leads to two ports inside."""
        ask, answer = Port(takes.p_type, f"{name}_ask"), Port(gives.p_type, f"{name}_answer")
        add_port(self, ask, "in")
        add_port(self, answer, "out")
        self.add_coupling(ask, takes)
        self.add_coupling(gives, answer)
        return Exchange(ask, answer)
