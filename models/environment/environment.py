"""The environment model: one TimeManager a robot, and the SpaceManager (Hu & Zeigler, Fig. 7)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from devs_robotics import Coupled, Exchange, In, Out, Port
from devs_robotics.ports import add_port
from models.environment.field import Field
from models.environment.messages import Cast, Distances, Disturbance, Feel, Felt, Motion, Moved, PoseChange
from models.environment.space_manager import SpaceManager
from models.environment.time_manager import TimeManager


class Place(Struct, frozen=True):
    """The environment's ports for one robot."""

    motor: Exchange[Motion, Moved]
    ranging: Exchange[Cast, Distances]
    whiskers: Exchange[Feel, Felt]


class Environment(Coupled):
    """The world of the robots: it times their motions, moves them, and answers their sensors.

    Args:
        field: with one body for each robot
        speed: of the robots (m/s)
        turn_rate: of the robots (rad/s)
        whisker_reach: how far whiskers stick out ahead of a body (m)

    Attributes:
        places: the ports for robot k, at index k - 1
    """

    disturbance = In(Disturbance)
    pose_change = Out(PoseChange)

    def __init__(self, name: str, field: Field, speed: float, turn_rate: float, whisker_reach: float) -> None:
        super().__init__(name)
        self.space = SpaceManager("space", field, whisker_reach)
        self.add_component(self.space)
        self.add_coupling(self.disturbance, self.space.disturbance)
        self.add_coupling(self.space.pose_change, self.pose_change)
        self.places = [self._add_place(robot, speed, turn_rate) for robot in range(1, len(field.x) + 1)]

    def _add_place(self, robot: int, speed: float, turn_rate: float) -> Place:
        time = TimeManager(f"time{robot}", speed, turn_rate)
        self.add_component(time)
        self.add_coupling(time.motion, self.space.motion)
        space = self.space
        return Place(
            self._offer(f"motor{robot}", time.command, space.moved[robot - 1]),
            self._offer(f"ranging{robot}", space.cast, space.distances[robot - 1]),
            self._offer(f"whiskers{robot}", space.feel, space.felt[robot - 1]),
        )

    def _offer(self, name: str, takes: Port[Any], gives: Port[Any]) -> Exchange[Any, Any]:
        """An exchange of the environment's own that leads to two ports inside."""
        ask, answer = Port(takes.p_type, f"{name}_ask"), Port(gives.p_type, f"{name}_answer")
        add_port(self, ask, "in")
        add_port(self, answer, "out")
        self.add_coupling(ask, takes)
        self.add_coupling(gives, answer)
        return Exchange(ask, answer)
