"""Diffusion: robots spread over a field by turning away from whatever their proximity sensors see."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, cos, hypot, radians, sin
from typing import Any, ClassVar

from devs_robotics import Actuator, Atomic, Crossed, In, Obstructed, Sensor, Watch, Wheels
from devs_robotics.core.robots.epuck2.body import AXLE, RADIUS
from devs_robotics.core.robots.epuck2.responses import BRIGHTEST
from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.models.activities import VirtualProximityWatch, VirtualWheels
from devs_robotics.study import CaseStudy, CaseSystem, Count, Frame, Transducer, metric, robots

STRAIGHT = radians(7.5)
"""What is seen within this angle of straight ahead, and weakly, does not make a robot turn (rad)."""

WEAK = 0.1
"""The same: mean of the readings' vectors, as a share of the largest reading."""

FASTEST = 0.1417
"""Largest speed of a wheel of an e-puck2 (m/s)."""


class Diffuse(Atomic):
    """Drives straight on, and turns about one wheel while its sensors see something (ARGoS, diffusion).

    =========  ============  ==========================  =================================
    phase      time advance  output                      next phase
    =========  ============  ==========================  =================================
    beginning  0             proximity: the watch        waiting
    waiting    ∞                                         turning over, on another decision
    deciding   0             wheels: their speeds        waiting
    =========  ============  ==========================  =================================

    Ports:
        wheels: speeds of the two wheels
        proximity: a watch of the sensors

    Args:
        speed: of the wheels (m/s)
        period: between two decisions (s)
    """

    wheels = Actuator(Wheels, Obstructed)
    proximity = Sensor(Watch, Crossed)

    def __init__(self, name: str, speed: float, period: float) -> None:
        super().__init__(name)
        self.speed = speed
        self.period = period
        self.decision = ""
        self.changes = 0
        self._directions = [(cos(bearing), sin(bearing)) for bearing in RINGS["paper"].bearings]

    def initialize(self) -> None:
        """Watch the sensors."""
        self.activate("beginning")

    def lambdaf(self) -> None:
        """Begin the watch, or drive."""
        if self.phase == "beginning":
            self.proximity.ask.add(Watch(period=self.period))
        else:
            left = 0.0 if self.decision == "left" else self.speed
            right = 0.0 if self.decision == "right" else self.speed
            self.wheels.ask.add(Wheels(left, right))

    def deltint(self) -> None:
        """Wait."""
        self.passivate("waiting")

    def deltext(self, e: float) -> None:
        """Decide by what the sensors read now."""
        for crossed in self.proximity.answer.values:
            decision = self.decide(crossed.values)
            if decision != self.decision:
                self.decision = decision
                self.changes += 1
                self.activate("deciding")
        if self.phase == "waiting":
            self.continuef(e)

    def decide(self, readings: tuple[float, ...]) -> str:
        """Straight on, or a turn to the side where less is seen."""
        x = y = 0.0
        for value, (ahead, left) in zip(readings, self._directions, strict=True):
            if value:
                x += value * ahead
                y += value * left
        if x == 0.0 and y == 0.0:
            return "straight"
        angle = atan2(y, x)
        if abs(angle) <= STRAIGHT and hypot(x, y) < WEAK * len(readings) * BRIGHTEST:
            return "straight"
        return "right" if angle > 0.0 else "left"


class Changes(Transducer):
    """Counts how often robots go another way."""

    wheels = In(Wheels)

    def __init__(self, name: str, count: int) -> None:
        super().__init__(name)
        self.count = count
        self.seen = 0

    def deltext(self, e: float) -> None:
        """Count."""
        self.time += e
        self.seen += len(list(self.wheels.values))

    @metric("changes of motion of a robot", unit="1/min")
    def rate(self) -> float:
        """Per robot and second; NaN before the first one."""
        return self.seen / (self.count * self.time) if self.time else float("nan")


class Diffusion(CaseStudy):
    """Robots spread over a field by turning away from what they see."""

    robots: Count = 10
    """How many there are."""
    area_per_robot: float = 0.16
    """Of the square field (m2)."""
    speed: float = 0.05
    """Of the wheels (m/s)."""
    period: float = 0.1
    """Between two decisions (s)."""

    defaults: ClassVar[Mapping[str, Any]] = {"run.duration": 60.0, "robot.radius": RADIUS}

    in_the_loop: ClassVar[Mapping[int, Mapping[str, Any]]] = {
        robot: {"protocol": "epuck2-wifi", "infrared": "both"} for robot in (1, 2)
    }

    def build(self, system: CaseSystem) -> None:
        """E-pucks at free places."""
        for pose in system.free_poses(self.robots):
            robot = system.add_robot(pose, robots.epuck2())
            robot.equip(VirtualWheels("wheels", AXLE, FASTEST))
            robot.equip(VirtualProximityWatch("proximity"))
            robot.decide(Diffuse("diffuse", self.speed, self.period))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Changes of motion, as robots decide them: of a real robot it is told bit by bit where it is."""
        changes = frame.add(Changes("changes", self.robots))
        for robot in system.robots:
            frame.couple(robot.diffuse.wheels.ask, changes.wheels)
