"""Phototaxis: robots look for a lamp, go to it by what their light sensors read, and stop there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, nan, pi, radians
from typing import Annotated, Any, ClassVar

from pydantic import Field

from devs_robotics import Actuator, Atomic, Crossed, In, Obstructed, Out, Sensor, Stream, Watch, Wheels
from devs_robotics.core.robots.epuck2.body import AXLE, FASTEST, RADIUS, STEP_LENGTH
from devs_robotics.core.robots.epuck2.light import DARKEST
from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.core.robots.epuck2.sensing.direction import directions, vector_sum
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.activities.epuck2 import VirtualLightWatch, VirtualProximityWatch
from devs_robotics.models.environment import Lamp
from devs_robotics.study import (
    Acceptor,
    Allowance,
    CaseStudy,
    CaseSystem,
    Count,
    Duration,
    Frame,
    Length,
    Speed,
    Transducer,
    Verdict,
    metric,
    robots,
)

AHEAD = radians(25.0)
"""It is brightest ahead within this angle (rad); three sensors that see a lamp alike say 18 degrees."""

CLOSE = 300.0
"""A reading of the proximity sensors from which on something is so close that a robot turns away from it."""

GAP = 0.02
"""Least distance between two robots at first, from edge to edge (m)."""

ASIDE = 1.5
"""How long it drives straight on after that (s)."""


class SeekLight(Atomic):
    """The decision model: it turns to where it is brightest and drives there; in the dark it drives straight on.

    =========  =================  ==========================  =================================================
    phase      time advance       output                      next phase
    =========  =================  ==========================  =================================================
    beginning  0                  light, proximity: watches   waiting
    waiting    ∞                                              deciding, where readings say otherwise; arriving
    deciding   0                  wheels; noticed, when it    waiting; turning away, where something is close
                                  sees light first
    turning    by chance          wheels: straight on         aside
    aside      `ASIDE`, or until                              deciding, or arriving
               something is
               close
    arriving   0                  wheels: none turns;         there
                                  arrived
    there      ∞                                              there
    =========  =================  ==========================  =================================================

    Where something is close ahead it turns away by chance, and drives on for a while before it looks for light again.
    The lamp itself is no obstacle: it hangs above.

    Ports:
        wheels: speeds of the two wheels
        light: a watch of the light sensors, whose readings fall with the light
        proximity: a watch of the proximity sensors
        noticed: the first time that it sees light
        arrived: it stands where it is bright enough

    Args:
        stream: of random numbers, for turns
        speed: of a wheel that is not at rest (m/s)
        period: between two points at which a program would decide (s)
        bright: a light sensor that reads so much, or less, is at the lamp
    """

    wheels = Actuator(Wheels, Obstructed)
    light = Sensor(Watch, Crossed)
    proximity = Sensor(Watch, Crossed)
    noticed = Out(bool)
    arrived = Out(bool)

    def __init__(self, name: str, stream: Stream, speed: float, period: float, bright: float) -> None:
        super().__init__(name)
        self.stream, self.speed, self.period, self.bright = stream, speed, period, bright
        self.command = Wheels()
        self.away = 0.0
        """How long it turns away from what is close (s); 0, where nothing is."""
        self.seen = self.told = False
        self._directions = directions(RINGS["paper"].bearings)
        self._light: tuple[float, ...] = (float(DARKEST),) * len(self._directions)
        self._near: tuple[float, ...] = (0.0,) * len(self._directions)

    def initialize(self) -> None:
        """Watch the sensors."""
        self.activate("beginning")

    def lambdaf(self) -> None:
        """Begin the watches, drive, or say that it is there."""
        if self.phase == "beginning":
            for watch in (self.light, self.proximity):
                watch.ask.add(Watch(period=self.period))
        elif self.phase == "turning":
            self.wheels.ask.add(self._straight)
        elif self.phase != "aside":
            self.wheels.ask.add(self.command)
            if self.phase == "arriving":
                self.arrived.add(True)
            if self.seen and not self.told:
                self.noticed.add(True)

    def deltint(self) -> None:
        """Wait, turn, drive on for a while, or decide anew."""
        if self.phase == "turning":
            self.command = self._straight
            self.hold_in("aside", ASIDE)
        elif self.phase == "aside":
            self.passivate("waiting")
            self._decide()
        elif self.phase == "arriving":
            self.passivate("there")
        else:
            self.told = self.seen
            if self.away and self.phase == "deciding":
                self.hold_in("turning", self.away)
            else:
                self.passivate("waiting")

    def deltext(self, e: float) -> None:
        """Decide by what the sensors read now."""
        self.continuef(e)
        for crossed in self.light.answer.values:
            self._light = crossed.values
        for crossed in self.proximity.answer.values:
            self._near = crossed.values
        read = self.light.answer or self.proximity.answer
        if read and (self.phase == "waiting" or (self.phase == "aside" and self.is_close())):
            self._decide()

    def is_close(self) -> bool:
        """Whether something is close ahead."""
        return max(self._near) >= CLOSE and vector_sum(self._near, self._directions)[0] > 0.0

    def _decide(self) -> None:
        """Stop at the lamp, turn, or go on."""
        brightest = min(self._light)
        self.seen = self.seen or brightest < DARKEST
        if brightest <= self.bright:
            self.command = Wheels()
            self.activate("arriving")
            return
        command = self._next()
        if command != self.command or self.away or self.seen != self.told:
            self.command = command
            self.activate("deciding")

    def _next(self) -> Wheels:
        """Away from what is close ahead, to the light, or straight on."""
        self.away = 0.0
        if self.is_close():
            angle = radians(100.0) + radians(60.0) * self.stream.uniform()
            self.away = angle * AXLE / (2.0 * self.speed)
            return self._turn(-vector_sum(self._near, self._directions)[1])
        x, y = vector_sum([DARKEST - value for value in self._light], self._directions)
        angle = atan2(y, x) if x or y else 0.0
        return self._straight if abs(angle) <= AHEAD else self._turn(angle)

    @property
    def _straight(self) -> Wheels:
        return Wheels(self.speed, self.speed)

    def _turn(self, side: float) -> Wheels:
        """About its middle, to the left where `side` is positive."""
        return Wheels(-self.speed, self.speed) if side > 0.0 else Wheels(self.speed, -self.speed)


class Arrivals(Transducer):
    """Measures how many robots come to the lamp, and how long they take.

    Args:
        count: number of robots
    """

    noticed = In(bool)
    arrived = In(bool)

    def __init__(self, name: str, count: int) -> None:
        super().__init__(name)
        self.count = count
        self.noticed_at: list[float] = []
        self.arrived_at: list[float] = []

    def deltext(self, e: float) -> None:
        """Note when."""
        self.time += e
        self.noticed_at += [self.time for _ in self.noticed.values]
        self.arrived_at += [self.time for _ in self.arrived.values]

    @metric("robots at the lamp", unit="%", better="more")
    def share(self) -> float:
        """Of all robots, those that have stopped there."""
        return len(self.arrived_at) / self.count

    @metric("time until a robot sees light", unit="s", better="less")
    def noticed_s(self) -> float:
        """From the beginning, mean over those that have."""
        return sum(self.noticed_at) / len(self.noticed_at) if self.noticed_at else nan

    @metric("time until a robot is at the lamp", unit="s", better="less")
    def arrived_s(self) -> float:
        """From the beginning, mean over those that are."""
        return sum(self.arrived_at) / len(self.arrived_at) if self.arrived_at else nan

    def series(self) -> dict[str, list[tuple[float, float]]]:
        """How many have arrived, over time."""
        return {"arrived": [(0.0, 0.0), *((time, float(number)) for number, time in enumerate(self.arrived_at, 1))]}


class AllArrived(Acceptor):
    """Ends the run when all robots, so many, are at the lamp."""

    arrived = In(bool)

    def __init__(self, name: str, count: int) -> None:
        super().__init__(name)
        self.count = count
        self.seen = 0

    def judge(self) -> Verdict | None:
        """Count."""
        self.seen += len(list(self.arrived.values))
        return Verdict(True, "all robots are at the lamp") if self.seen >= self.count else None

    def share(self, time: float) -> float:
        """By those that are there."""
        return self.seen / self.count


class Phototaxis(CaseStudy):
    """Robots look for a lamp, and go to it by what their light sensors read."""

    robots: Count = 4
    """How many there are."""
    intensity: Annotated[float, Field(gt=0)] = 1.5
    """Of the lamp, 1 for that of the published curve; up to 50 cm it is seen, whatever its intensity."""
    speed: Speed = 0.06
    """Of a wheel that is not at rest (m/s)."""
    period: Duration = 0.1
    """Between two points at which a program would decide (s)."""
    bright: Annotated[float, Field(ge=0, lt=DARKEST)] = 2000.0
    """A light sensor that reads so much, or less, is at the lamp; the less, the brighter it is."""
    ring: Length = 0.45
    """How far from the lamp robots stand at least, at first (m)."""

    defaults: ClassVar[Mapping[str, Any]] = {
        "field.width": 1.6,
        "field.height": 1.6,
        "run.duration": 300.0,
        "robot.radius": RADIUS,
    }

    in_the_loop: ClassVar[Mapping[int, Mapping[str, Any]]] = {robot: {"infrared": "both"} for robot in (1, 2)}
    when_real: ClassVar[Mapping[str, Any]] = {"protocol": "epuck2-wifi"}
    allows: ClassVar[tuple[Allowance, ...]] = (
        Allowance(
            ("too near", "fast approach", "not stoppable", "contact"),
            "e-pucks of 0.15 kg see each other from 5 cm on, at 6 cm/s, and crowd round one place",
            up_to=0.13,
        ),
    )

    def build(self, system: CaseSystem) -> None:
        """A lamp in the middle of the field, and e-puck2s at free places away from it."""
        x, y = system.field.width / 2.0, system.field.height / 2.0
        system.add(Lamp(x, y, self.intensity))
        places = system.free_places(
            self.robots,
            "robot",
            2.0 * RADIUS,
            lambda *place: (place[0] - x) ** 2 + (place[1] - y) ** 2 >= self.ring**2,
            apart=2.0 * RADIUS + GAP,
        )
        for number, place in enumerate(places, 1):
            heading = pi * system.stream(None, f"heading of robot {number}").uniform()
            robot = system.add_robot((*place, heading), robots.epuck2())
            robot.equip(VirtualWheels("wheels", AXLE, FASTEST * STEP_LENGTH))
            robot.equip(VirtualLightWatch("light"))
            robot.equip(VirtualProximityWatch("proximity"))
            seek = SeekLight("seek", system.stream(robot, "seek"), self.speed, self.period, self.bright)
            robot.decide(seek, light=robot.light, proximity=robot.proximity)

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Arrivals; the run ends when all are there."""
        arrivals = frame.add(Arrivals("arrivals", self.robots))
        everybody = frame.add(AllArrived("all_arrived", self.robots))
        for robot in system.robots:
            frame.couple(robot.seek.noticed, arrivals.noticed)
            for port in (arrivals.arrived, everybody.arrived):
                frame.couple(robot.seek.arrived, port)

    def check(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Wheels turn, and time passes between decisions."""
        if self.speed <= 0.0:
            yield ("speed",), "must be more than 0: robots would stand still"
        if self.period <= 0.0:
            yield ("period",), "must be more than 0: robots would decide without end"
