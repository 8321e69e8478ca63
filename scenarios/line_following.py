"""Line following: robots drive round on a black line, by what their three ground sensors read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, cos, nan, remainder, sin, tau
from typing import Annotated, Any, ClassVar

from pydantic import Field

from devs_robotics import Actuator, Atomic, Crossed, In, Obstructed, Out, Sensor, Watch, Wheels
from devs_robotics.core.robots.epuck2.body import AXLE, FASTEST, RADIUS, STEP_LENGTH
from devs_robotics.core.robots.epuck2.ground import PLACES, WHITE
from devs_robotics.models.activities import ReadingNoise, VirtualWheels
from devs_robotics.models.activities.epuck2 import VirtualGroundWatch
from devs_robotics.models.environment import Floor, Line
from devs_robotics.study import (
    CaseStudy,
    CaseSystem,
    Count,
    Duration,
    Frame,
    Length,
    PoseChange,
    Speed,
    TimedTransducer,
    metric,
    robots,
)

GREY = WHITE / 2.0
"""A sensor that reads less is on the line."""

CORNERS = 24
"""Of the line, which is nearly an ellipse."""

MARGIN = 0.2
"""Distance of the line to the walls (m)."""


class FollowLine(Atomic):
    """The decision model: it turns to the side on which it sees the line, and to the same side where it has lost it.

    =========  ============  ========================  ===========================================
    phase      time advance  output                    next phase
    =========  ============  ========================  ===========================================
    beginning  0             ground: the watch         waiting
    waiting    ∞                                       deciding, where what it sees says otherwise
    deciding   0             wheels: their speeds;     waiting
                             decided
    =========  ============  ========================  ===========================================

    Ports:
        wheels: speeds of the two wheels
        ground: a watch of one level of the sensors, left, centre and right
        decided: where it goes now: ``straight``, ``left`` or ``right``

    Args:
        speed: of a wheel that is not at rest (m/s)
        period: between two points at which a program would decide (s)
    """

    wheels = Actuator(Wheels, Obstructed)
    ground = Sensor(Watch, Crossed)
    decided = Out(str)

    def __init__(self, name: str, speed: float, period: float) -> None:
        super().__init__(name)
        self.speed, self.period = speed, period
        self.decision = ""

    def initialize(self) -> None:
        """Watch the sensors."""
        self.activate("beginning")

    def lambdaf(self) -> None:
        """Begin the watch, or drive."""
        if self.phase == "beginning":
            self.ground.ask.add(Watch((GREY,), self.period))
            return
        left = 0.0 if self.decision == "left" else self.speed
        right = 0.0 if self.decision == "right" else self.speed
        self.wheels.ask.add(Wheels(left, right))
        self.decided.add(self.decision)

    def deltint(self) -> None:
        """Wait."""
        self.passivate("waiting")

    def deltext(self, e: float) -> None:
        """Decide by what the sensors see now."""
        self.continuef(e)
        for crossed in self.ground.answer.values:
            decision = self.decide(crossed.values)
            if decision != self.decision:
                self.decision = decision
                self.activate("deciding")

    def decide(self, readings: tuple[float, ...]) -> str:
        """To the side on which the line is; straight on where it is in the middle, or never was anywhere."""
        left, centre, right = (value < GREY for value in readings)
        if left != right:
            return "left" if left else "right"
        if left or centre or not self.decision:
            return "straight"
        return self.decision


class Following(TimedTransducer):
    """Measures how well robots keep to the line, and how far they come on it.

    Args:
        middle: of the line (m)
        count: number of robots
        duration: of the observation (s)
    """

    pose_change = In(PoseChange)
    decided = In(str)

    def __init__(self, name: str, middle: tuple[float, float], count: int, duration: float) -> None:
        super().__init__(name, duration)
        self.middle, self.count = middle, count
        self.decisions = 0
        self.angles: dict[int, float] = {}
        self.turned = 0.0
        self.history = [(0.0, 0.0)]

    def deltext(self, e: float) -> None:
        """See how far round robots have come."""
        super().deltext(e)
        self.decisions += len(list(self.decided.values))
        for pose in self.pose_change.values:
            angle = atan2(pose.y - self.middle[1], pose.x - self.middle[0])
            self.turned += remainder(angle - self.angles.get(pose.robot, angle), tau)
            self.angles[pose.robot] = angle
        if self.time >= self.history[-1][0] + 1.0:
            self.history.append((self.time, self.laps()))

    @metric("laps of a robot", digits=2, better="more", signed=True)
    def laps(self) -> float:
        """Round the middle of the line, counter-clockwise: mean over the robots, to their last change of motion."""
        return self.turned / (tau * self.count)

    @metric("changes of decision of a robot", unit="1/min", better="less")
    def decisions_per_s(self) -> float:
        """How often a robot decides otherwise than before: the less, the smoother it drives."""
        return self.decisions / (self.count * self.time) if self.time else nan

    def series(self) -> dict[str, list[tuple[float, float]]]:
        """The laps over time."""
        return {"laps": self.history}


class OnLine(TimedTransducer):
    """Measures how long one robot's centre sensor is on the line.

    Args:
        duration: of the observation (s)
    """

    seen = In(Crossed)

    def __init__(self, name: str, duration: float) -> None:
        super().__init__(name, duration)
        self.on = False
        self.on_s = 0.0

    def deltext(self, e: float) -> None:
        """Note whether it is."""
        super().deltext(e)
        for crossed in self.seen.values:
            self.on = crossed.values[1] < GREY

    def passed(self, seconds: float) -> None:
        """Add it up while the sensor is on the line."""
        self.on_s += seconds if self.on else 0.0

    @metric("time on the line", unit="%", better="more")
    def share(self) -> float:
        """During which the centre sensor sees it, as of the points at which a program would look."""
        return self.on_s / self.time if self.time else nan


class LineFollowing(CaseStudy):
    """Robots drive round on a black line by their ground sensors."""

    robots: Count = 2
    """How many there are."""
    line_width: Length = 0.02
    """Of the line (m)."""
    speed: Speed = 0.06
    """Of a wheel that is not at rest (m/s)."""
    period: Duration = 0.05
    """Between two points at which a program would decide (s)."""
    noise: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Largest error of a reading of virtual sensors, as a share of the largest one; each 0.1 s has its own."""

    defaults: ClassVar[Mapping[str, Any]] = {
        "field.width": 1.6,
        "field.height": 1.2,
        "run.duration": 120.0,
        "robot.radius": RADIUS,
    }

    in_the_loop: ClassVar[Mapping[int, Mapping[str, Any]]] = {1: {}}
    when_real: ClassVar[Mapping[str, Any]] = {"protocol": "epuck2-wifi"}

    def build(self, system: CaseSystem) -> None:
        """A line in the shape of an ellipse, and e-puck2s on it at even distances."""
        x, y = system.field.width / 2.0, system.field.height / 2.0
        a, b = x - MARGIN, y - MARGIN
        turns = [tau * corner / CORNERS for corner in range(CORNERS)]
        points = tuple((x + a * cos(turn), y + b * sin(turn)) for turn in turns)
        system.add(Floor((Line(points, self.line_width, closed=True),)))
        ahead = PLACES[1][0]
        for number in range(self.robots):
            turn = tau * number / self.robots
            heading = atan2(b * cos(turn), -a * sin(turn))
            place = x + a * cos(turn) - ahead * cos(heading), y + b * sin(turn) - ahead * sin(heading)
            robot = system.add_robot((*place, heading), robots.epuck2())
            robot.equip(VirtualWheels("wheels", AXLE, FASTEST * STEP_LENGTH))
            noise = ReadingNoise(self.noise, system.seed) if self.noise else None
            robot.equip(VirtualGroundWatch("ground", noise=noise))
            robot.decide(FollowLine("follow", self.speed, self.period))

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """How well they follow it."""
        middle, duration = (system.field.width / 2.0, system.field.height / 2.0), frame.acceptor.duration
        following = frame.add(Following("following", middle, self.robots, duration))
        frame.couple(system.pose_change, following.pose_change)
        for robot in system.robots:
            frame.couple(robot.follow.decided, following.decided)
            on_line = frame.add(OnLine(f"on_line{robot.number}", duration))
            frame.couple(robot.ground.watch.answer, on_line.seen)

    def noise_free(self) -> LineFollowing:
        """Without errors of readings."""
        own = {name: getattr(self, name) for name in type(self).table.model_fields}
        return type(self)(**{**own, "noise": 0.0})

    def check(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Wheels turn, time passes between decisions, and the sensor in the middle can be on the line alone."""
        if self.speed <= 0.0:
            yield ("speed",), "must be more than 0: robots would stand still"
        if self.period <= 0.0:
            yield ("period",), "must be more than 0: robots would decide without end"
        if self.line_width <= 0.0:
            yield ("line_width",), "must be more than 0 m: there would be no line"
