"""Diffusion: robots spread over a field by turning away from whatever their proximity sensors see.

The workload that ARGoS ships as its example of diffusion, with e-puck2s: ten decisions a second by eight readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import hypot, nan, radians, sqrt, tan
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from devs_robotics import Actuator, Atomic, Crossed, In, Obstructed, Out, Sensor, Watch, Wheels
from devs_robotics.core.population import Column, Common, Population
from devs_robotics.core.population.rows import Places
from devs_robotics.core.robots.epuck2.body import AXLE, FASTEST, RADIUS, STEP_LENGTH
from devs_robotics.core.robots.epuck2.responses import BRIGHTEST
from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.core.robots.epuck2.sensing.direction import directions, vector_sum
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.activities.epuck2 import VirtualProximityWatch
from devs_robotics.models.environment import Pose
from devs_robotics.study import (
    Allowance,
    CaseStudy,
    CaseSystem,
    Count,
    Duration,
    Frame,
    PoseChange,
    Robot,
    Speed,
    TimedTransducer,
    metric,
    robots,
)

STRAIGHT_2 = tan(radians(7.5)) ** 2
"""What is seen within this angle of straight ahead, and weakly, does not make a robot turn: square of its tangent, so
that a decision needs no function whose last bit depends on the processor."""

WEAK = 0.1
"""The same: mean of the readings' vectors, as a share of the largest reading."""


DECISIONS = np.array(["straight", "right", "left"])
"""Where a robot may go."""


class Diffuse(Atomic):
    """The decision model: it drives straight on, and turns about one wheel while its sensors see something (ARGoS).

    =========  ============  ==========================  ======================================
    phase      time advance  output                      next phase
    =========  ============  ==========================  ======================================
    beginning  0             proximity: the watch        waiting
    waiting    ∞                                         deciding, where readings say otherwise
    deciding   0             wheels: their speeds;       waiting
                             decided
    =========  ============  ==========================  ======================================

    It decides by the readings alone, so that it can sleep while they stay the same: a program that decides on every
    point of the raster would say the same.

    Ports:
        wheels: speeds of the two wheels
        proximity: a watch of the sensors
        decided: where it goes now: ``straight``, ``left`` or ``right``

    Args:
        speed: of a wheel that is not at rest (m/s)
        period: between two points at which a program would decide (s)
    """

    wheels = Actuator(Wheels, Obstructed)
    proximity = Sensor(Watch, Crossed)
    decided = Out(str)

    def __init__(self, name: str, speed: float, period: float) -> None:
        super().__init__(name)
        self.speed = speed
        self.period = period
        self.decision = ""
        self._directions = directions(RINGS["paper"].bearings)

    def initialize(self) -> None:
        """Watch the sensors."""
        self.activate("beginning")

    def lambdaf(self) -> None:
        """Begin the watch, or drive."""
        if self.phase == "beginning":
            self.proximity.ask.add(Watch(period=self.period))
            return
        left = 0.0 if self.decision == "left" else self.speed
        right = 0.0 if self.decision == "right" else self.speed
        self.wheels.ask.add(Wheels(left, right))
        self.decided.add(self.decision)

    def deltint(self) -> None:
        """Wait."""
        self.passivate("waiting")

    def deltext(self, e: float) -> None:
        """Decide by what the sensors read now."""
        for crossed in self.proximity.answer.values:
            decision = self.decide(crossed.values)
            if decision != self.decision:
                self.decision = decision
                self.activate("deciding")

    def decide(self, readings: tuple[float, ...]) -> str:
        """Straight on, or a turn to the side where less is seen."""
        x, y = vector_sum(readings, self._directions)
        if x == 0.0 and y == 0.0:
            return "straight"
        weak = WEAK * len(readings) * BRIGHTEST
        if x > 0.0 and y * y <= STRAIGHT_2 * (x * x) and x * x + y * y < weak * weak:
            return "straight"
        return "right" if y > 0.0 or (y == 0.0 and x < 0.0) else "left"


class Diffuses(Population, of=Diffuse):
    """The same for all robots at once, in arrays.

    Args:
        members: the ordinary models
        robots: their numbers
    """

    decision = Column("U8")
    speed = Common()
    period = Common()
    _directions = Common()

    def initialize(self, who: Places) -> None:
        """Watch the sensors."""
        self.activate(who, "beginning")

    def lambdaf(self, who: Places) -> None:
        """Begin the watch, or drive."""
        begins = self.in_phase(who, "beginning")
        if begins.any():
            self.proximity.ask.send(who[begins], Watch(period=self.period))
            who = who[~begins]
        decision = self.decision[who]
        left, right = np.where(decision == "left", 0.0, self.speed), np.where(decision == "right", 0.0, self.speed)
        self.wheels.ask.send(who, left, right)
        self.decided.send(who, decision)

    def deltint(self, who: Places) -> None:
        """Wait."""
        self.passivate(who, "waiting")

    def deltext(self, who: Places, e: NDArray[np.float64]) -> None:
        """Decide by what the sensors read now."""
        for some, crossed in self.proximity.answer.each(who):
            decision = self.decide(crossed.column("values"))
            anew = decision != self.decision[some]
            self.decision[some] = decision
            self.activate(some[anew], "deciding")

    def decide(self, readings: NDArray[np.float64]) -> NDArray[np.str_]:
        """Straight on, or a turn to the side where less is seen."""
        x, y = np.zeros(len(readings)), np.zeros(len(readings))
        for values, (ahead, left) in zip(np.ascontiguousarray(readings.T), self._directions, strict=True):
            x += values * ahead
            y += values * left
        weak = WEAK * readings.shape[1] * BRIGHTEST
        straight = (x > 0.0) & (y * y <= STRAIGHT_2 * (x * x)) & (x * x + y * y < weak * weak)
        straight |= (x == 0.0) & (y == 0.0)
        right = (y > 0.0) | ((y == 0.0) & (x < 0.0))
        found: NDArray[np.str_] = DECISIONS[np.where(straight, 0, np.where(right, 1, 2))]
        return found


class Spread(TimedTransducer):
    """Measures how robots spread: how often they decide otherwise, are held, and how far they have come.

    Args:
        poses: where the robots stand at first, robot 1 first
        duration: of the observation (s)
    """

    pose_change = In(PoseChange)
    decided = In(str)
    obstructed = In(Obstructed)

    def __init__(self, name: str, poses: list[Pose], duration: float) -> None:
        super().__init__(name, duration)
        self.poses = poses
        self.decisions = 0
        self.held = 0
        self.places = [(x, y) for x, y, _ in poses]
        self.history = [(0.0, 0.0)]

    def deltext(self, e: float) -> None:
        """Count, and see where robots are."""
        super().deltext(e)
        self.decisions += len(list(self.decided.values))
        self.held += sum(each.obstructed for each in self.obstructed.values)
        for change in self.pose_change.values:
            self.places[change.robot - 1] = change.x, change.y
        if self.pose_change and self.time >= self.history[-1][0] + 1.0:
            self.history.append((self.time, self.displacement()))

    @metric("changes of decision of a robot", unit="1/min")
    def decisions_per_s(self) -> float:
        """How often a robot decides otherwise than before."""
        return self.decisions / (len(self.poses) * self.time) if self.time else nan

    @metric("how often something holds a robot", unit="1/min", digits=2, better="less", brief="held")
    def held_per_s(self) -> float:
        """Contacts that end a robot's way, per robot and time."""
        return self.held / (len(self.poses) * self.time) if self.time else nan

    @metric("displacement", unit="m", digits=2)
    def displacement(self) -> float:
        """From where a robot began to where it last went another way: root of the mean square over the robots."""
        squares = [hypot(x - at[0], y - at[1]) ** 2 for (x, y), at in zip(self.places, self.poses, strict=True)]
        return sqrt(sum(squares) / len(squares))

    @metric("distance to the nearest other robot", unit="cm")
    def nearest(self) -> float:
        """Between centres, at the places where robots last went another way: mean over the robots."""
        places, nearest = self.places, 0.0
        for robot, (x, y) in enumerate(places):
            others = (hypot(x - at_x, y - at_y) for other, (at_x, at_y) in enumerate(places) if other != robot)
            nearest += min(others, default=nan)
        return nearest / len(places)

    def series(self) -> dict[str, list[tuple[float, float]]]:
        """The displacement over time."""
        return {"displacement": self.history}


class Diffusion(CaseStudy):
    """Robots spread over a field by turning away from what they see."""

    robots: Count = 10
    """How many there are."""
    area_per_robot: Annotated[float, Field(gt=0)] = 0.16
    """Of the square field (m2), whose size follows from it where [field] gives none."""
    speed: Speed = 0.05
    """Of a wheel that is not at rest (m/s)."""
    period: Duration = 0.1
    """Between two points at which a program would decide (s)."""

    defaults: ClassVar[Mapping[str, Any]] = {"run.duration": 60.0, "robot.radius": RADIUS}

    in_the_loop: ClassVar[Mapping[int, Mapping[str, Any]]] = {robot: {"infrared": "both"} for robot in (1, 2)}
    when_real: ClassVar[Mapping[str, Any]] = {"protocol": "epuck2-wifi"}
    allows: ClassVar[tuple[Allowance, ...]] = (
        Allowance(
            ("too near", "fast approach", "not stoppable", "contact"),
            "e-pucks of 0.15 kg turn away from what they all but touch, and touch it now and then, at 5 cm/s",
            up_to=0.11,
        ),
    )

    def filled_in(self) -> Mapping[str, Any]:
        """A square with so much area for each robot."""
        side = sqrt(self.robots * self.area_per_robot)
        return {"field.width": side, "field.height": side}

    def build(self, system: CaseSystem) -> None:
        """E-puck2s at free places."""
        poses = system.free_poses(self.robots, robots.epuck2())
        self._team = system.add_team(poses, robots.epuck2(), self.put_together, alike=True)

    def put_together(self, robot: Robot) -> None:
        """Wheels and proximity sensors, and a decision model."""
        robot.equip(VirtualWheels("wheels", AXLE, FASTEST * STEP_LENGTH))
        robot.equip(VirtualProximityWatch("proximity"))
        robot.decide(Diffuse("diffuse", self.speed, self.period))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """How they spread."""
        spread = frame.add(Spread("spread", system.poses, frame.acceptor.duration))
        frame.couple(system.pose_change, spread.pose_change)
        for decided in self._team.said("decided"):
            frame.couple(decided, spread.decided)
        for obstructed in self._team.answered("wheels"):
            frame.couple(obstructed, spread.obstructed)

    def check(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Wheels turn, and time passes between decisions."""
        if self.speed <= 0.0:
            yield ("speed",), "must be more than 0: robots would stand still"
        if self.period <= 0.0:
            yield ("period",), "must be more than 0: robots would decide without end"
