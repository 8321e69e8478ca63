"""Batteries: robots patrol a field, go home when their batteries are low, and come back when they are full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, hypot, inf, nan, radians, remainder, tau
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Struct
from pydantic import Field

from devs_robotics import Actuator, Atomic, Drive, Driven, In, Out, Ranges, Sense, Sensor, Service, Stream
from devs_robotics.models.environment import Question, World
from devs_robotics.study import (
    AskCharge,
    Battery,
    CaseStudy,
    CaseSystem,
    Charge,
    Count,
    Duration,
    Frame,
    Length,
    Recharge,
    TimedTransducer,
    VirtualActivity,
    batteries,
    metric,
    robots,
)

AHEAD = radians(10.0)
"""Home is ahead within this angle (rad)."""

WAITING = {
    "beginning": "looking",
    "asking": "heading",
    "looking": "waiting",
    "moving": "under way",
    "docking": "docked",
}
"""The phase after each in which the decision model sends something."""


class Home(Struct, frozen=True):
    """Where the nest is: its bearing from the heading (rad), the distance of its middle (m), whether one is in it."""

    bearing: float
    distance: float
    inside: bool


class AskHome(Question, frozen=True):
    """Where is the nest?

    Attributes:
        x, y: its middle (m)
        radius: of the nest (m)
    """

    x: float
    y: float
    radius: float

    def answer(self, world: World) -> Home:
        """As seen from the robot."""
        x, y, heading = world.pose(self.robot)
        distance = hypot(self.x - x, self.y - y)
        return Home(remainder(atan2(self.y - y, self.x - x) - heading, tau), distance, distance <= self.radius)


class Compass(VirtualActivity):
    """A sensor that knows where the nest is.

    Its states are those of a `VirtualActivity`.

    Ports:
        homing: a question, and where the nest is
        world: the same, for a nest in this place

    Args:
        x, y, radius: of the nest (m)
    """

    homing = Service(Sense, Home)
    world = Sensor(AskHome, Home)

    def __init__(self, name: str, x: float, y: float, radius: float) -> None:
        super().__init__(name)
        self.nest = x, y, radius

    def ask(self, question: Sense) -> AskHome:
        """Where the nest is."""
        return AskHome(self.robot, *self.nest)


class Patrol(Atomic):
    """The decision model: it wanders about, and goes home to recharge when its battery says that it is low.

    =========  ============  ============================  ==========================================================
    phase      time advance  output                        next phase
    =========  ============  ============================  ==========================================================
    beginning  0             battery: its level, watched   looking
    looking    0             infrared: question            waiting
    waiting    ∞                                           moving, with a step or a turn, when the ranges come
    moving     0             motor: command                under way
    under way  ∞                                           looking; asking, where the battery is low
    asking     0             compass: question             heading
    heading    ∞                                           docking in the nest; moving, to turn to it; else looking
    docking    0             charging: on;                 docked
                             battery: question
    docked     ∞                                           leaving, when the battery is full
    leaving    0             charging: off                 looking
    stranded   ∞                                           stranded, from when the battery is empty
    =========  ============  ============================  ==========================================================

    Where its way home is not free, it turns by chance, and makes a step aside before it asks for home again.

    Ports:
        motor: steps and turns, and the reports of their ends
        infrared: a question before each step, and the ranges
        compass: where home is
        battery: which level is watched, and the charge when it is reached, when it is full and when it is empty
        charging: for the battery: that it is charged, or no longer

    Args:
        stream: of random numbers, for turns
        step: of a way ahead (m)
        clearance: the way is free where nothing is seen nearer than this (m)
        level: of the battery at which it goes home
        rate: at which the battery is charged in the nest (1/s)
    """

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)
    compass = Sensor(Sense, Home)
    battery = Sensor(AskCharge, Charge)
    charging = Out(Recharge)

    def __init__(self, name: str, stream: Stream, step: float, clearance: float, level: float, rate: float) -> None:
        super().__init__(name)
        self.stream, self.step, self.clearance, self.level, self.rate = stream, step, clearance, level, rate
        self.command = Drive()
        self.low = self.aside = False
        self.way = inf
        """To the nest, where it goes there (m)."""

    def initialize(self) -> None:
        """Have the battery watched."""
        self.activate("beginning")

    def lambdaf(self) -> None:
        """Ask, command, or charge."""
        if self.phase == "beginning":
            self.battery.ask.add(AskCharge((self.level,)))
        elif self.phase == "looking":
            self.infrared.ask.add(Sense())
        elif self.phase == "asking":
            self.compass.ask.add(Sense())
        elif self.phase == "moving":
            self.motor.ask.add(self.command)
        elif self.phase == "docking":
            self.charging.add(Recharge(self.rate))
            self.battery.ask.add(AskCharge())
        else:
            self.charging.add(Recharge(0.0))

    def deltint(self) -> None:
        """Wait for the answer, or for the end of what was commanded."""
        if self.phase in {"beginning", "leaving"}:
            self.activate("looking")
        else:
            self.passivate(WAITING[self.phase])

    def deltext(self, e: float) -> None:
        """Decide by what has come."""
        self.continuef(e)
        for charge in self.battery.answer.values:
            self._charge(charge)
        for ranges in self.infrared.answer.values:
            if self.phase == "waiting":
                self._go(min(ranges.values, default=inf))
        for home in self.compass.answer.values:
            if self.phase == "heading":
                self._head_for(home)
        if self.motor.answer and self.phase == "under way":
            self.activate("asking" if self.low and not self.aside else "looking")

    def _charge(self, charge: Charge) -> None:
        """The battery is low, full, or empty."""
        self.low = charge.low
        if self.phase == "docked":
            if charge.value >= 1.0:
                self.activate("leaving")
        elif charge.value <= 0.0:
            self.passivate("stranded")

    def _go(self, seen: float) -> None:
        """A step where nothing is too near; else a turn by chance, and on the way home a step aside after it."""
        goal = self.way if self.low and not self.aside else inf
        if seen >= min(self.clearance, goal):
            self.command = Drive(distance=min(self.step, goal))
            self.aside = False
        else:
            self.command = Drive(turn=radians(180.0) * self.stream.uniform())
            self.aside = self.low
        self.activate("moving")

    def _head_for(self, home: Home) -> None:
        """Charge in the nest, turn towards it, or see whether the way is free."""
        self.way = home.distance
        if home.inside:
            self.activate("docking")
        elif abs(home.bearing) > AHEAD:
            self.command = Drive(turn=home.bearing)
            self.activate("moving")
        else:
            self.activate("looking")


class Endurance(TimedTransducer):
    """Measures how robots manage with their batteries.

    Args:
        count: number of robots
        duration: of the observation (s)
    """

    charge = In(Charge)
    charging = In(Recharge)

    def __init__(self, name: str, count: int, duration: float) -> None:
        super().__init__(name, duration)
        self.count = count
        self.docked = 0
        """Robots that are being charged."""
        self.returns = self.empty = 0
        self.docked_s = 0.0
        self.least = inf
        self.history = [(0.0, 0.0)]

    def deltext(self, e: float) -> None:
        """See who begins to charge, who leaves, and what batteries say."""
        super().deltext(e)
        for recharge in self.charging.values:
            self.docked += 1 if recharge.rate else -1
            self.returns += recharge.rate > 0.0
            self.history.append((self.time, float(self.docked)))
        for charge in self.charge.values:
            self.least = min(self.least, charge.value)
            self.empty += charge.value <= 0.0

    def passed(self, seconds: float) -> None:
        """Add it up for each robot that is being charged."""
        self.docked_s += seconds * self.docked

    @metric("times that a robot goes home", digits=2)
    def returns_per_robot(self) -> float:
        """To be charged: mean over the robots."""
        return self.returns / self.count

    @metric("time being charged", unit="%", better="less")
    def docked_share(self) -> float:
        """In the nest, of the time of all robots."""
        return self.docked_s / (self.count * self.time) if self.time else nan

    @metric("least charge", unit="%", better="more")
    def least_charge(self) -> float:
        """That a battery has told: at the level, in the nest, or empty."""
        return self.least if self.least < inf else nan

    @metric("robots that are stranded", digits=0, better="less", rare=True)
    def stranded(self) -> float:
        """Whose batteries were empty before they came home."""
        return self.empty

    def series(self) -> dict[str, list[tuple[float, float]]]:
        """How many are being charged, over time."""
        return {"docked": self.history}


class Patrolling(CaseStudy):
    """Robots patrol a field, and go home when their batteries are low."""

    robots: Count = 3
    """How many there are."""
    battery: Literal["simple", "linear", "cubic", "approximated"] = "cubic"
    """How charges fall; all but simple are illustrative, not measured."""
    charge: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Of each battery at first, from 1 to 0."""
    level: Annotated[float, Field(gt=0, lt=1)] = 0.25
    """At which a robot goes home."""
    recharge: Duration = 1200.0
    """How long an empty battery takes to be full (s)."""
    nest_radius: Length = 0.3
    """Of the nest in the middle of the field, where batteries are charged (m)."""
    step: Length = 0.3
    """Of a way ahead (m)."""
    clearance: Length = 0.35
    """The way is free where nothing is seen nearer than this (m)."""

    defaults: ClassVar[Mapping[str, Any]] = {"field.width": 4.0, "field.height": 4.0, "run.duration": 7200.0}

    def build(self, system: CaseSystem) -> None:
        """Robots at free places, each with a battery and a compass."""
        kind = robots.round_differential(beams=(radians(30.0), 0.0, radians(-30.0)), reach=1.0)
        nest = system.field.width / 2.0, system.field.height / 2.0, self.nest_radius
        for pose in system.free_poses(self.robots, kind):
            robot = system.add_robot(pose, kind)
            robot.equip(Compass("compass", *nest))
            robot.equip(Battery("battery", batteries.shipped(self.battery), self.charge))
            stream = system.stream(robot, "patrol")
            robot.decide(Patrol("patrol", stream, self.step, self.clearance, self.level, 1.0 / self.recharge))
            system.couple(robot.patrol.charging, robot.battery.recharge)

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """How they manage with their batteries."""
        endurance = frame.add(Endurance("endurance", self.robots, frame.acceptor.duration))
        for robot in system.robots:
            frame.couple(robot.battery.power.answer, endurance.charge)
            frame.couple(robot.patrol.charging, endurance.charging)

    def check(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Batteries can be charged, and a step stays where the way was found free."""
        if self.recharge <= 0.0 or self.nest_radius <= 0.0:
            yield ("recharge", "nest_radius"), "must be more than 0: no battery would ever be full"
        if not 0.0 < self.step < self.clearance:
            yield ("step", "clearance"), "make step more than 0 m, and less than clearance, up to which the way is free"
