"""The case swarm: many e-puck2s that walk at random, or follow each other, in a walled field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import nan, sqrt
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from devs_robotics import In, Obstructed
from devs_robotics.core.population import Draw
from devs_robotics.core.robots.epuck2.body import AXLE, FASTEST, RADIUS, STEP_LENGTH
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.activities.epuck2 import VirtualProximityWatch
from devs_robotics.models.swarm.following import FollowOthers
from devs_robotics.models.swarm.walking import WalkAtRandom
from devs_robotics.study import (
    CaseStudy,
    CaseSystem,
    Count,
    Duration,
    Frame,
    Robot,
    Speed,
    TimedTransducer,
    metric,
    robots,
)


class DecisionCount(TimedTransducer):
    """Measures how often robots decide otherwise, and how often they are held.

    Args:
        duration: of the observation (s)
        robots: how many there are
    """

    decided = In(str)
    obstructed = In(Obstructed)

    untimed = ("decided",)

    def __init__(self, name: str, duration: float, robots: int) -> None:
        super().__init__(name, duration)
        self.robots = robots
        self.decisions = 0
        self.held = 0

    def deltext(self, e: float) -> None:
        """Count."""
        super().deltext(e)
        self.decisions += len(list(self.decided.values))
        self.held += sum(each.obstructed for each in self.obstructed.values)

    @metric("decisions of a robot", unit="1/min")
    def decisions_per_s(self) -> float:
        """How often a robot drives otherwise than before."""
        return self.decisions / (self.robots * self.time) if self.time else nan

    @metric("how often something holds a robot", unit="1/min", digits=2, better="less", brief="held")
    def held_per_s(self) -> float:
        """Contacts that end a robot's way, per robot and time."""
        return self.held / (self.robots * self.time) if self.time else nan


class Swarm(CaseStudy):
    """Robots that decide at times of their own, not at those at which their sensors are read."""

    behaviour: Literal["walk", "follow"] = "walk"
    """A walk at random, or robots that look for each other and follow."""
    robots: Count = 20
    """How many there are."""
    area_per_robot: Annotated[float, Field(gt=0)] = 0.16
    """Of the square field (m2), whose size follows from it where [field] gives none."""
    speed: Speed = 0.05
    """With which they drive (m/s)."""
    period: Duration = 0.1
    """Between two points at which the sensors are read (s)."""

    defaults: ClassVar[Mapping[str, Any]] = {
        "run.duration": 60.0,
        "robot.radius": RADIUS,
        "sensing.strategy": "grid",
    }

    in_the_loop: ClassVar[Mapping[int, Mapping[str, Any]]] = {robot: {"infrared": "both"} for robot in (1, 2)}
    when_real: ClassVar[Mapping[str, Any]] = {"protocol": "epuck2-wifi"}

    def filled_in(self) -> Mapping[str, Any]:
        """A square with so much area for each robot."""
        side = sqrt(self.robots * self.area_per_robot)
        return {"field.width": side, "field.height": side}

    def build(self, system: CaseSystem) -> None:
        """E-puck2s at free places."""
        self._seed = system.seed
        poses = system.free_poses(self.robots, robots.epuck2())
        self._team = system.add_team(poses, robots.epuck2(), self.put_together, alike=True)

    def put_together(self, robot: Robot) -> None:
        """Wheels and proximity sensors, and a decision model."""
        robot.equip(VirtualWheels("wheels", AXLE, FASTEST * STEP_LENGTH))
        robot.equip(VirtualProximityWatch("proximity"))
        seed, number = self._seed, robot.number
        if self.behaviour == "walk":
            length, angle = Draw(seed, number, "length"), Draw(seed, number, "angle")
            robot.decide(WalkAtRandom("walk", self.speed, AXLE, self.period, length, angle))
        else:
            robot.decide(FollowOthers("follow", self.speed, self.period, Draw(seed, number, "follow")))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """How busy they are."""
        busy = frame.add(DecisionCount("busy", frame.acceptor.duration, self.robots))
        for decided in self._team.said("walked" if self.behaviour == "walk" else "aimed"):
            frame.couple(decided, busy.decided)
        for obstructed in self._team.answered("wheels"):
            frame.couple(obstructed, busy.obstructed)

    def check(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Wheels turn, and time passes between readings."""
        if self.speed <= 0.0:
            yield ("speed",), "must be more than 0: robots would stand still"
        if self.period <= 0.0:
            yield ("period",), "must be more than 0: sensors would be read without end"
