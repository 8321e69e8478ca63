"""Real and virtual robots walk at random in one arena, and run into each other: an experiment in mixed reality."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import repeat
from math import degrees, inf, radians
from typing import Any, ClassVar

from devs_robotics import Actuator, Atomic, Drive, Driven, Ranges, Sense, Sensor, Stream
from devs_robotics.core.robots.fix_quality import FASTEST, SIGMA_HEADING, SIGMA_X, SLOWEST
from devs_robotics.core.robots.outside import Reality
from devs_robotics.experimental_frames.pera.collisions import HYSTERESIS, Collisions
from devs_robotics.models.activities import RampMotor, SharedInfrared
from devs_robotics.scenarios.settings.tables import NotNegativeCount
from devs_robotics.study import (
    Allowance,
    Angle,
    CaseStudy,
    CaseSystem,
    Duration,
    FixQuality,
    Frame,
    Length,
    OverheadCamera,
    robots,
)

REAL: Reality = "real"
VIRTUAL: Reality = "virtual"

REACH = 1.5
"""How far the range sensor sees, from the edge of the body (m)."""


class RandomWalk(Atomic):
    """The decision model: ahead while the way is free; else back, and turned until it is, and then further.

    =========  ============  ==================  =======================================================
    phase      time advance  output              next phase
    =========  ============  ==================  =======================================================
    looking    0             infrared: question  waiting
    waiting    ∞                                 moving: ahead, back, or a turn, when the range comes
    moving     0             motor: command      under way
    under way  ∞                                 looking; moving, with a turn, when it has gone back
    =========  ============  ==================  =======================================================

    What stops it on its way ahead counts as a way that is not free. To which side it turns is drawn each time.

    Ports:
        motor: steps and turns, and the reports of their ends
        infrared: a question before each step, and the range ahead

    Args:
        stream: of random numbers, for the side
        threshold: the way is free where nothing is seen nearer than this (m)
        margin: it turns until so much more is free (m)
        step: of a way ahead, and of one back (m)
        turn: at least, before it looks again (rad)
    """

    motor = Actuator(Drive, Driven)
    infrared = Sensor(Sense, Ranges)

    def __init__(self, name: str, stream: Stream, threshold: float, margin: float, step: float, turn: float) -> None:
        super().__init__(name)
        self.stream, self.threshold, self.margin, self.step, self.turn = stream, threshold, margin, step, turn
        self.side = 0.0
        """To which it turns away: 1 left, -1 right; 0 while it goes ahead."""
        self.command = Drive()

    def initialize(self) -> None:
        """Look at once."""
        self.activate("looking")

    def lambdaf(self) -> None:
        """Ask, or command."""
        if self.phase == "looking":
            self.infrared.ask.add(Sense())
        else:
            self.motor.ask.add(self.command)

    def deltint(self) -> None:
        """Wait for the answer, or for the end of the motion."""
        self.passivate("waiting" if self.phase == "looking" else "under way")

    def deltext(self, e: float) -> None:
        """Decide by the range; look again when a motion has ended."""
        for ranges in self.infrared.answer.values:
            if self.phase == "waiting":
                self._decide(min(ranges.values, default=inf))
        for driven in self.motor.answer.values:
            if self.phase == "under way":
                self._moved(driven)

    def _decide(self, seen: float) -> None:
        if not self.side:
            self.command = Drive(distance=self.step if seen >= self.threshold else -self.step)
        elif seen < self.threshold + self.margin:
            self.command = Drive(turn=self.side * self.turn)
        else:
            self.command = Drive(turn=2.0 * self.side * self.turn)
            self.side = 0.0
        self.activate("moving")

    def _moved(self, driven: Driven) -> None:
        if self.command.distance < 0.0:
            self.side = 1.0 if self.stream.uniform() >= 0.0 else -1.0
            self.command = Drive(turn=self.side * self.turn)
            self.activate("moving")
        elif self.command.distance > 0.0 and driven.blocked:
            self.command = Drive(distance=-self.step)
            self.activate("moving")
        else:
            self.activate("looking")


class Walk(CaseStudy):
    """Real and virtual robots walk at random in one arena, and run into each other."""

    real: NotNegativeCount = 5
    """How many real ones: robots 1 and so on. They have the inertia of stand-ins, and a camera above the field sees
    them, both as the tables `stand_in` and `tracking` say."""
    virtual: NotNegativeCount = 5
    """How many virtual ones, which follow on them."""
    threshold: Length = 0.25
    """The way is free where nothing is seen nearer than this, from the edge of the body (m)."""
    margin: Length = 0.05
    """A robot turns until so much more is free (m)."""
    half_angle: Angle = radians(12.5)
    """Of the cone into which the range sensor looks by three beams, as wide as a VL53L0X's (rad); 0: one beam."""
    step: Duration = 1.0
    """How long it goes ahead, or back, or turns, before it looks again (s)."""
    hysteresis: Length = HYSTERESIS
    """A collision is over when there is so much room between two bodies (m)."""

    defaults: ClassVar[Mapping[str, Any]] = {
        "field.width": 1.8,
        "field.height": 1.95,
        "run.duration": 120.0,
        "robot.radius": 0.06,
        "robot.speed": 0.15,
        "robot.turn_rate": 1.25,
        "tracking.corrects": True,
        "tracking.period": 0.1,
        "tracking.delay": FASTEST,
        "tracking.jitter": SLOWEST - FASTEST,
        "tracking.noise": SIGMA_X,
        "tracking.heading_noise": SIGMA_HEADING,
    }
    when_real: ClassVar[Mapping[str, Any]] = {"infrared": "both"}
    allows: ClassVar[tuple[Allowance, ...]] = (
        Allowance(
            ("too near", "fast approach", "not stoppable", "contact"),
            "collisions of robots that walk at random are what this experiment counts",
            up_to=0.35,
        ),
    )
    shaping: ClassVar[tuple[str, ...]] = ("real", "virtual")

    def build(self, system: CaseSystem) -> None:
        """Robots at free places, each with one decision model; a camera sees those real ones that are models."""
        stand_in = self.scenario.stand_in
        acceleration = inf if stand_in.perfect or stand_in.acceleration is None else stand_in.acceleration
        delay = 0.0 if stand_in.perfect else stand_in.latency
        kinds: dict[Reality, robots.RobotKind] = {
            "real": self._kind("real", robots.Inertia(acceleration, delay)),
            "virtual": self._kind("virtual", robots.Inertia()),
        }
        body = self.scenario.robot
        for reality, pose in zip(self.realities, system.free_poses(len(self.realities)), strict=True):
            robot = system.add_robot(pose, kinds[reality])
            stream = system.stream(robot, "walk")
            step, turn = body.speed * self.step, body.turn_rate * self.step
            robot.decide(RandomWalk("walk", stream, self.threshold, self.margin, step, turn))
        self._film(system)

    def frame(self, frame: Frame, system: CaseSystem) -> None:
        """Collisions, by the realities of the pair."""
        poses, duration = [robot.pose for robot in system.robots], frame.acceptor.duration
        radius = self.scenario.robot.radius
        collisions = frame.add(Collisions("collisions", poses, self.realities, radius, duration, self.hysteresis))
        frame.couple(system.pose_change, collisions.pose_change)

    @property
    def realities(self) -> list[Reality]:
        """Of the robots, robot 1 first."""
        return [*repeat(REAL, self.real), *repeat(VIRTUAL, self.virtual)]

    def real_robots(self) -> Mapping[int, Mapping[str, Any]]:
        """All that are to be real, in the stage `loop`."""
        return {robot: {} for robot in range(1, self.real + 1)}

    def size(self) -> float:
        """The number of robots times the time."""
        return (self.real + self.virtual) * (self.scenario.run.duration or 0.0)

    def check(self) -> Iterator[tuple[str | tuple[str, ...], str]]:
        """There are robots, they get on, and a collision can be over."""
        if not self.real + self.virtual:
            yield ("real", "virtual"), "there are no robots: let there be one at least"
        noise = self.scenario.noise
        if noise.dnf or noise.anf:
            yield (
                ("noise.dnf", "noise.anf"),
                "robots drive by velocities here, which no such noise disturbs: leave it out",
            )
        if self.step <= 0.0:
            yield "step", "must be more than 0 s: robots would stand still"
        if self.threshold <= 0.0 or self.threshold + self.margin > REACH:
            yield ("threshold", "margin"), f"the threshold must be above 0 m, and with the margin at most {REACH:g} m"
        if not 0.0 <= self.half_angle <= radians(90.0):
            yield "half_angle", f"must be from 0 to 90 deg, not {degrees(self.half_angle):g}"
        for name in ("margin", "hysteresis"):
            if getattr(self, name) < 0.0:
                yield name, f"must be at least 0, not {getattr(self, name):g}"

    def _kind(self, reality: Reality, inertia: robots.Inertia) -> robots.RobotKind:
        beams = (self.half_angle, 0.0, -self.half_angle) if self.half_angle else (0.0,)
        return robots.round_differential(
            beams=beams, reach=REACH, reality=reality, inertia=inertia, sight=SharedInfrared
        )

    def _film(self, system: CaseSystem) -> None:
        """A camera above those real robots that are models; others are followed by the tracking system there is."""
        seen = [
            robot.number
            for robot in system.robots
            if robot.kind.reality == "real" and isinstance(robot.equipment.motor, RampMotor)
        ]
        if not seen:
            return
        table = self.scenario.tracking
        noise, heading = (0.0, 0.0) if self.scenario.stand_in.perfect else (table.noise, table.heading_noise)
        quality = FixQuality(table.period, table.delay, table.jitter, noise, noise, heading)
        camera = system.add(OverheadCamera("camera", seen, quality, system.seed))
        for robot in system.robots:
            if isinstance(robot.equipment.infrared, SharedInfrared):
                system.couple(camera.fix, robot.equipment.infrared.fix)
