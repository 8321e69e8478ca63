"""Batteries: robots patrol a field, go home to recharge when their batteries are low, and come back when they are full.

The nest is black, a lamp hangs above it, and whoever stands in it is charged: all that an e-puck2 needs to come home.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from math import atan2, radians
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from devs_robotics import (
    Actuator,
    AskCharge,
    Atomic,
    Charge,
    Crossed,
    Obstructed,
    Out,
    Sensor,
    Stream,
    Watch,
    Wheels,
)
from devs_robotics.core.robots.epuck2.body import AXLE, FASTEST, RADIUS, STEP_LENGTH
from devs_robotics.core.robots.epuck2.ground import PLACES, WHITE
from devs_robotics.core.robots.epuck2.light import DARKEST
from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.core.robots.epuck2.sensing.direction import directions, vector_sum
from devs_robotics.experimental_frames.instruments.dock_use import DockUsage
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.activities.epuck2 import VirtualGroundWatch, VirtualLightWatch, VirtualProximityWatch
from devs_robotics.models.batteries.docks import ChargingDocks, DockCall
from devs_robotics.models.environment import Circle, Floor, Lamp, Patch
from devs_robotics.scenarios.battery_frame import Endurance
from devs_robotics.scenarios.settings.tables import NotNegativeCount
from devs_robotics.study import (
    Allowance,
    Battery,
    CaseStudy,
    CaseSystem,
    Charger,
    Count,
    Duration,
    Frame,
    Length,
    Mark,
    Shown,
    Speed,
    batteries,
    robots,
)

AHEAD = radians(25.0)
"""It is brightest ahead within this angle (rad)."""

CLOSE = 300.0
"""A reading of the proximity sensors from which on something is so close that a robot turns away from it."""

ASIDE = 1.5
"""How long it drives straight on after that (s)."""

GREY = WHITE / 2.0
"""A ground sensor that reads less is above the nest."""

INWARD = 2.0 * PLACES[1][0]
"""Way on which a robot goes straight on while it sees the nest below (m): then its middle is in the nest, too."""

INTENSITY = 1.5
"""Of the lamp; up to 50 cm it is seen, whatever its intensity."""


class Patrol(Atomic):
    """The decision model: it wanders about, and goes home to recharge when its battery says that it is low.

    =========  =================  =========================  =================================================
    phase      time advance       output                     next phase
    =========  =================  =========================  =================================================
    beginning  0                  watches of all sensors     waiting
    waiting    ∞                                             deciding, where what it hears says otherwise
    deciding   0                  wheels: their speeds;      waiting; turning, away from what is close;
                                  docked: no longer, when    entering, where it is low and sees the nest below
                                  it leaves
    turning    by chance          wheels: straight on        aside
    aside      `ASIDE`, or until                             deciding, or entering
               something is
               close
    entering   for `INWARD`, or                              docking; deciding, where it sees the nest no more,
               until something                               or something is close
               is close
    docking    0                  wheels: none turns;        docked
                                  docked; battery: question
    docked     ∞                                             deciding, when the battery is full
    stranding  0                  wheels: none turns         stranded
    stranded   ∞                                             stranded, from when the battery is empty
    =========  =================  =========================  =================================================

    In the dark it drives straight on. Where it is low and sees light, it turns to where it is brightest, and drives on.

    Ports:
        wheels: speeds of the two wheels
        light, proximity, ground: watches of the sensors
        battery: which level is watched, and the charge when it is reached, when it is full and when it is empty
        docked: whether it stands in the nest to be charged, or leaves
        dock_call: the same to docks, where the nest has some

    Args:
        stream: of random numbers, for turns
        speed: of a wheel that is not at rest (m/s)
        period: between two points at which a program would decide (s)
        level: of the battery at which it goes home
        calls_docks: whether the nest has docks
    """

    wheels = Actuator(Wheels, Obstructed)
    light = Sensor(Watch, Crossed)
    proximity = Sensor(Watch, Crossed)
    ground = Sensor(Watch, Crossed)
    battery = Sensor(AskCharge, Charge)
    docked = Out(bool)
    dock_call = Out(DockCall)

    def __init__(
        self, name: str, stream: Stream, speed: float, period: float, level: float, *, calls_docks: bool = False
    ) -> None:
        super().__init__(name)
        self.calls_docks = calls_docks
        self.stream, self.speed, self.period, self.level = stream, speed, period, level
        self.command = Wheels()
        self.away = 0.0
        """How long it turns away from what is close (s); 0, where nothing is."""
        self.low = self.held = self.above_nest = self.leaves = False
        self._directions = directions(RINGS["paper"].bearings)
        self._light: tuple[float, ...] = (float(DARKEST),) * len(self._directions)
        self._near: tuple[float, ...] = (0.0,) * len(self._directions)

    def initialize(self) -> None:
        """Watch the sensors, and the battery."""
        self.activate("beginning")

    def lambdaf(self) -> None:
        """Begin the watches, drive, stop, or leave."""
        if self.phase == "beginning":
            for sensor in (self.light, self.proximity):
                sensor.ask.add(Watch(period=self.period))
            self.ground.ask.add(Watch((GREY,), self.period))
            self.battery.ask.add(AskCharge((self.level,)))
        elif self.phase == "turning":
            self.wheels.ask.add(self._straight)
        elif self.phase == "deciding":
            self.wheels.ask.add(self.command)
            if self.leaves:
                self.docked.add(False)
                if self.calls_docks:
                    self.dock_call.add(DockCall("leave"))
        elif self.phase in {"docking", "stranding"}:
            self.wheels.ask.add(Wheels())
            if self.phase == "docking":
                self.docked.add(True)
                if self.calls_docks:
                    self.dock_call.add(DockCall("charge"))
                self.battery.ask.add(AskCharge())

    def deltint(self) -> None:
        """Wait, turn, drive on for a while, dock, or decide anew."""
        match self.phase:
            case "turning":
                self.command = self._straight
                self.hold_in("aside", ASIDE)
            case "aside":
                self._decide()
            case "entering":
                self.command = Wheels()
                self.activate("docking")
            case "docking":
                self.passivate("docked")
            case "stranding":
                self.passivate("stranded")
            case "deciding":
                self.leaves = False
                self._begin()
            case _:
                self.passivate("waiting")

    def deltext(self, e: float) -> None:
        """Decide by what has come."""
        self.continuef(e)
        for crossed in self.light.answer.values:
            self._light = crossed.values
        for crossed in self.proximity.answer.values:
            self._near = crossed.values
        for crossed in self.ground.answer.values:
            self.above_nest = crossed.values[1] < GREY
        for obstructed in self.wheels.answer.values:
            self.held = obstructed.obstructed
        for charge in self.battery.answer.values:
            self._charge(charge)
        lost = self.phase == "entering" and not self.above_nest
        if self.phase == "waiting" or lost or (self.phase in {"aside", "entering"} and self.is_close()):
            self._decide()

    def is_close(self) -> bool:
        """Whether something is close ahead, or holds it."""
        return self.held or (max(self._near) >= CLOSE and vector_sum(self._near, self._directions)[0] > 0.0)

    def _charge(self, charge: Charge) -> None:
        """The battery is low, full, or empty."""
        self.low = charge.low
        if self.phase == "docked" and charge.value >= 1.0:
            self.leaves = True
            self.command = self._straight
            self.activate("deciding")
        elif self.phase not in {"docked", "docking", "stranded"} and charge.value <= 0.0:
            self.command = Wheels()
            self.activate("stranding")

    def _decide(self) -> None:
        """Turn, or go on."""
        command = self._next()
        if command != self.command or self.away:
            self.command = command
            self.activate("deciding")
        else:
            self._begin()

    def _begin(self) -> None:
        """Do for a while what was decided, or until something says otherwise."""
        if self.away:
            self.hold_in("turning", self.away)
            self.away = 0.0
        elif self.low and self.above_nest and self.command == self._straight:
            self.hold_in("entering", INWARD / self.speed)
        else:
            self.passivate("waiting")

    def _next(self) -> Wheels:
        """Away from what is close ahead, into the nest, to the light, or straight on."""
        self.away = 0.0
        if self.is_close():
            angle = radians(100.0) + radians(60.0) * self.stream.uniform()
            self.away = angle * AXLE / (2.0 * self.speed)
            return self._turn(-vector_sum(self._near, self._directions)[1])
        if not self.low or self.above_nest:
            return self._straight
        x, y = vector_sum([DARKEST - value for value in self._light], self._directions)
        angle = atan2(y, x) if x or y else 0.0
        return self._straight if abs(angle) <= AHEAD else self._turn(angle)

    @property
    def _straight(self) -> Wheels:
        return Wheels(self.speed, self.speed)

    def _turn(self, side: float) -> Wheels:
        """About its middle, to the left where `side` is positive."""
        return Wheels(-self.speed, self.speed) if side > 0.0 else Wheels(self.speed, -self.speed)


def _level(robot: int, charge: Charge) -> dict[str, Mark]:
    """What a battery has told last; it tells only when a level is reached, and is elsewhere soon after."""
    return {f"battery {robot}": Mark(text=f"told {charge.value:.0%}", robot=robot)}


class Patrolling(CaseStudy):
    """Robots patrol a field, and go home when their batteries are low."""

    robots: Count = 3
    """How many there are."""
    battery: Literal["simple", "linear", "cubic", "approximated"] = "cubic"
    """How charges fall; all but simple are illustrative, not measured."""
    charge: Annotated[float, Field(ge=0, le=1)] = 0.26
    """Of each battery at first, from 1 to 0."""
    level: Annotated[float, Field(gt=0, lt=1)] = 0.25
    """At which a robot goes home."""
    recharge: Duration = 240.0
    """How long an empty battery takes to be full (s)."""
    docks: NotNegativeCount = 0
    """In the nest, each for one robot at a time (modelled only); 0: all who stand in the nest are charged."""
    nest_radius: Length = 0.2
    """Of the nest in the middle of the field, where batteries are charged (m)."""
    speed: Speed = 0.06
    """Of a wheel that is not at rest (m/s)."""
    period: Duration = 0.1
    """Between two points at which a program would decide (s)."""

    defaults: ClassVar[Mapping[str, Any]] = {
        "field.width": 1.6,
        "field.height": 1.6,
        "run.duration": 360.0,
        "robot.radius": RADIUS,
    }

    in_the_loop: ClassVar[Mapping[int, Mapping[str, Any]]] = {1: {"infrared": "both"}}
    when_real: ClassVar[Mapping[str, Any]] = {"protocol": "epuck2-wifi"}
    allows: ClassVar[tuple[Allowance, ...]] = (
        Allowance(
            ("too near", "fast approach", "not stoppable", "contact"),
            "e-pucks of 0.15 kg see each other from 5 cm on, at 6 cm/s, and crowd round one place",
            up_to=0.13,
        ),
    )

    def build(self, system: CaseSystem) -> None:
        """A nest in the middle of the field, with a charger and below a lamp, and e-puck2s at free places."""
        x, y = system.field.width / 2.0, system.field.height / 2.0
        system.add(Floor((Patch(Circle(x, y, self.nest_radius)),)))
        system.add(Lamp(x, y, INTENSITY))
        docks = None
        if self.docks:
            docks = system.add(ChargingDocks("docks", self.docks, 1.0 / self.recharge))
        else:
            system.add(Charger(x, y, self.nest_radius, 1.0 / self.recharge))
        self._docks = docks
        for pose in system.free_poses(self.robots, robots.epuck2()):
            robot = system.add_robot(pose, robots.epuck2())
            robot.equip(VirtualWheels("wheels", AXLE, FASTEST * STEP_LENGTH))
            robot.equip(VirtualLightWatch("light"))
            robot.equip(VirtualProximityWatch("proximity"))
            robot.equip(VirtualGroundWatch("ground"))
            robot.equip(Battery("battery", batteries.shipped(self.battery), self.charge))
            stream = system.stream(robot, "patrol")
            patrol = Patrol("patrol", stream, self.speed, self.period, self.level, calls_docks=docks is not None)
            robot.decide(patrol, light=robot.light, proximity=robot.proximity, ground=robot.ground)
            if docks is not None and isinstance(robot.battery, Battery):  # a real one is charged by a real dock
                berth = docks.admit(robot.number)
                system.couple(patrol.dock_call, berth.call)
                system.couple(berth.charging, robot.battery.recharge)

    def marks(self, system: CaseSystem) -> Iterator[tuple[str, Mark] | Shown]:
        """Each battery's level, as its robot has told it last; nest and lamp are seen anyway."""
        for robot in system.robots:
            yield from _level(robot.number, Charge(self.charge)).items()
            yield Shown(robot.battery.power.answer, partial(_level, robot.number))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """How they manage with their batteries."""
        endurance = frame.add(Endurance("endurance", self.robots, frame.acceptor.duration))
        for robot in system.robots:
            frame.couple(robot.battery.power.answer, endurance.charge)
            frame.couple(robot.patrol.docked, endurance.docking)
        if self._docks is not None:
            usage = frame.add(DockUsage("docks", self.robots, self.docks, frame.acceptor.duration))
            frame.couple(self._docks.use, usage.use)

    def check(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Batteries can be charged, wheels turn, and time passes between decisions."""
        if self.recharge <= 0.0:
            yield ("recharge",), "must be more than 0: no battery would ever be full"
        if self.nest_radius <= INWARD:
            yield ("nest_radius",), f"must be more than {100.0 * INWARD:g} cm: no robot would fit in"
        if self.speed <= 0.0:
            yield ("speed",), "must be more than 0: robots would stand still"
        if self.period <= 0.0:
            yield ("period",), "must be more than 0: robots would decide without end"
