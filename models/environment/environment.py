"""The environment model: one TimeManager per virtual motor, and the SpaceManager (Hu & Zeigler, Fig. 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from devs_robotics import Coupled, Exchange, Fix, In, ModelError, Out, Port
from devs_robotics.core.population.rows import Rows
from devs_robotics.core.ports import add_port, type_name, types_agree
from devs_robotics.core.robots.activity import lead_out
from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.messages import (
    BodyChange,
    BodyMotion,
    Disturbance,
    Motion,
    MotionEnded,
    PoseChange,
    TrajectoryChange,
)
from devs_robotics.models.environment.sensing import SensingChoice
from devs_robotics.models.environment.space_manager import SpaceManager
from devs_robotics.models.environment.time_manager import Pace, TimeManager
from devs_robotics.models.environment.world import World

if TYPE_CHECKING:
    from devs_robotics.models.environment.on_grid.grid_space import GridSpace


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
        strategy: of looking at watches; with ``"grid"``, a `GridSpace` takes the place of the `SpaceManager`
        grid: period of the grid (s)
        replica: on the grid, of each body, in which of several equal worlds it is; None: there is one

    Ports:
        body_change: who joins or leaves, is carried or put down, follows a trajectory
    """

    disturbance = In(Disturbance)
    fix = In(Fix)
    body_change: In[BodyChange] = In(BodyChange)
    pose_change = Out(PoseChange)

    def __init__(
        self,
        name: str,
        field: Field,
        speed: float,
        turn_rate: float,
        whisker_reach: float,
        own: Mapping[int, Pace] = MappingProxyType({}),
        strategy: SensingChoice = "auto",
        grid: float = 0.1,
        replica: Sequence[int] | None = None,
    ) -> None:
        super().__init__(name)
        self.pace = Pace(speed, turn_rate)
        self.own = dict(own)
        self.space = _space_of(World(field, whisker_reach, self.pace, self.own), strategy, grid, replica)
        self.add_component(self.space)
        self.add_coupling(self.disturbance, self.space.disturbance)
        self.add_coupling(self.fix, self.space.fix)
        self.add_coupling(self.body_change, self.space.body_change)
        self.add_coupling(self.space.pose_change, self.pose_change)

    @property
    def on_grid(self) -> GridSpace | None:
        """What looks at the points of a grid, if it does."""
        space: Any = self.space
        return space if space.looks_on_grid else None

    def tell_trajectories(self) -> Port[TrajectoryChange]:
        """The port on which it is told how robots move, after each change; it is made when somebody wants to know."""
        if not self.space.tells_trajectories:
            self.space.tells_trajectories = True
            self._trajectory_change: Port[TrajectoryChange] = lead_out(
                self, self.space.trajectory_change, "trajectory_change"
            )
        return self._trajectory_change

    def tell_bodies(self) -> Port[BodyMotion]:
        """The port on which it is told how all bodies move, after each change, and who joins and leaves."""
        if not self.space.tells_bodies:
            self.space.tells_bodies = True
            self._body_motion: Port[BodyMotion] = lead_out(self, self.space.body_motion, "body_motion")
        return self._body_motion

    def takes(self, asks: Any) -> bool:
        """Whether messages of a type mean anything here: motions, velocities, actions, watches, questions."""
        return asks is Motion or any(types_agree(asks, port.p_type) for port, _ in self._sides() if asks is not None)

    def offer(self, robot: int, asks: Any, answers: Any, world: str, sensor: str = "") -> Exchange[Any, Any]:
        """The environment's side of one of a robot's activities, made when it is asked for.

        Args:
            robot: its number; 0: all that have none of their own for such answers, those that will join included
            asks: type of what the activity sends, which says what is meant: a motion, a velocity, an action and so on
            answers: type of what it hears
            world: name of the activity's side; ``motor`` is a motion that takes time, ``counterpart`` one that a real
                robot has made already
            sensor: name of equipment of the robot's own, which hears its own answers alone

        Raises:
            ModelError: such messages mean nothing to the environment
        """
        space, name = self.space, f"{world}{robot}"
        if asks is Motion and world == "motor":
            pace = self.own.get(robot, self.pace)
            time = TimeManager(f"time{robot}", pace.speed, pace.turn_rate)
            self.add_component(time)
            self.add_coupling(time.motion, space.motion)
            return self._lead_out(name, asks, time.command, space.offer(MotionEnded, robot))
        for port, is_sensor in self._sides():
            if types_agree(asks, port.p_type):
                return self._lead_out(name, asks, port, space.offer(answers, robot, sensor if is_sensor else ""))
        raise ModelError(
            f"the environment takes no {type_name(asks)}: it takes motions, velocities, actions, watches, questions"
        )

    def offer_rows(
        self, robots: Sequence[int], asks: Any, answers: Any, name: str, sensor: str
    ) -> Exchange[Rows, Rows]:
        """The environment's side of one activity of many robots, which exchange `Rows`.

        Args:
            robots: their numbers
            asks: type of what they send: a velocity, an action, watches or questions
            answers: type of what they hear
            name: of the exchange
            sensor: name of their equipment, which hears its own answers alone

        Raises:
            ModelError: such messages mean nothing to the environment
        """
        for port, is_sensor in self._sides():
            if types_agree(asks, port.p_type):
                space = self.space.offer_rows(answers, robots, sensor if is_sensor else "", name)
                return self._lead_out(name, Rows, space.ask, space.answer)
        raise ModelError(f"the environment takes no {type_name(asks)} of many robots at once")

    def _sides(self) -> tuple[tuple[Port[Any], bool], ...]:
        """What the SpaceManager takes, and whether each piece of a robot's equipment hears its own answers."""
        space = self.space
        by_robot = (space.counterpart, False), (space.twist, False), (space.glide, False)
        return *by_robot, (space.action, True), (space.watch, True), (space.question, True)

    def _lead_out(self, name: str, asks: Any, takes: Port[Any], gives: Port[Any]) -> Exchange[Any, Any]:
        """An exchange of the environment's own that leads to two ports inside."""
        ask, answer = Port(asks, f"{name}_ask"), Port(gives.p_type, f"{name}_answer")
        add_port(self, ask, "in")
        add_port(self, answer, "out")
        self.add_coupling(ask, takes)
        self.add_coupling(gives, answer)
        return Exchange(ask, answer)


def _space_of(world: World, strategy: SensingChoice, grid: float, replica: Sequence[int] | None) -> SpaceManager:
    if strategy != "grid":
        return SpaceManager("space", world, strategy)
    from devs_robotics.models.environment.on_grid.grid_space import GridSpace  # slow to load, as driving is

    return GridSpace("space", world, grid, replica)
