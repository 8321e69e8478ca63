"""Omniwheels in the environment model: a robot goes in any direction, and turns meanwhile."""

from __future__ import annotations

from collections import deque
from math import inf, isfinite
from typing import TYPE_CHECKING

from msgspec.structs import replace

from devs_robotics import Activity, Glide, Glided, ModelError, Sensor, Service
from devs_robotics.models.environment.messages import GlideMotion, Halted
from devs_robotics.models.environment.motion.jerk_limited import MotionLimits, Pieces, braking, duration, rest_to_rest
from devs_robotics.models.environment.motion.profile import Profile

if TYPE_CHECKING:
    from devs_robotics.models.activities.real_omniwheels import HardwareOmniwheels

WAY = MotionLimits(2.0, 2.0, 20.0)
"""Of the DOTS robots: speed and acceleration as published (arXiv 2203.13809); no jerk is."""

ROTATION = MotionLimits(3.0, 6.0, 60.0)
"""Our choice, beside their largest turn rate of 3 rad/s."""


class VirtualOmniwheels(Activity):
    """A motor that goes along lines in any direction, within limits of speed, acceleration and jerk.

    The way and the rotation are planned apart, each the fastest from rest to rest. A command ends when both are over,
    or when the environment says that the body has run into something. A command that comes on the way is carried out
    when the robot has braked, on its line and within the limits; of several that come meanwhile only the last is.

    =========  ===================  ==============================  ========================================
    phase      time advance         output                          next phase
    =========  ===================  ==============================  ========================================
    resting    ∞                                                    telling, when a command comes
    telling    0                    world: motion; wheels: reports  gliding, braking or resting
    gliding    until the end        none                            telling
    braking    until it stands      none                            telling
    =========  ===================  ==============================  ========================================

    Ports:
        wheels: commands, and the reports of their ends
        world: motions in the environment, and whether something stops them

    Args:
        way: limits along the line (m/s and so on)
        rotation: limits of turning (rad/s and so on)

    Attributes:
        robot: its number, once it is a robot's equipment
    """

    wheels = Service(Glide, Glided)
    world = Sensor(GlideMotion, Halted)

    robot: int = 0

    def __init__(self, name: str, way: MotionLimits = WAY, rotation: MotionLimits = ROTATION) -> None:
        super().__init__(name)
        self.way, self.rotation = way, rotation
        self.initialize()

    def hardware(self, *, both: bool = False) -> HardwareOmniwheels:
        """A real robot's, which keeps the limits itself."""
        from devs_robotics.models.activities.real_omniwheels import HardwareOmniwheels  # which is made of this module

        return HardwareOmniwheels(self.name, self.way)

    def initialize(self) -> None:
        """Rest."""
        self._commands: deque[Glide] = deque()
        """What is carried out, if anything, and what has come since."""
        self._plan = GlideMotion(self.robot, 0.0, ())
        """What the environment was told last."""
        self._since = 0.0
        """How long that is ago (s)."""
        self._gone = self._turned = 0.0
        """How far the command had come before that (m, rad)."""
        self._told: list[GlideMotion] = []
        self._reports: list[Glided] = []
        self._next = "resting"
        self.passivate("resting")

    def deltext(self, e: float) -> None:
        """Take commands, and word of the environment."""
        self._since += e
        self._commands.extend(self._checked(command) for command in self.wheels.ask.values)
        halted = any(word.stopped for word in self.world.answer.values)
        if halted and self._next != "resting":
            self._end(blocked=True)
        elif self._next == "resting":
            self._begin()
        elif self._next == "gliding" and len(self._commands) > 1:
            self._brake()
        self._wait()

    def deltint(self) -> None:
        """Go on when all is told; or a motion is over."""
        if self.phase == "telling":
            self._told.clear()
            self._reports.clear()
        else:
            self._since = self._lasts
            self._end(blocked=False)
        self._wait()

    def lambdaf(self) -> None:
        """Tell the environment, and the decision model."""
        if self.phase == "telling":
            for motion in self._told:
                self.world.ask.add(motion)
            for report in self._reports:
                self.wheels.answer.add(report)

    @property
    def _lasts(self) -> float:
        """How long the present motion lasts (s)."""
        return max(duration(self._plan.pieces), duration(self._plan.rotation))

    def _wait(self) -> None:
        if self._told or self._reports:
            self.hold_in("telling", 0.0)
        else:
            self.hold_in(self._next, inf if self._next == "resting" else max(0.0, self._lasts - self._since))

    def _begin(self) -> None:
        """Carry out the last command that has come; those before it are over."""
        while len(self._commands) > 1:
            self._commands.popleft()
            self._reports.append(Glided(0.0, 0.0))
        self._next, self._gone, self._turned = "resting", 0.0, 0.0
        if not self._commands:
            return
        command = self._commands[0]
        way = replace(self.way, speed=min(command.speed, self.way.speed))
        pieces, rotation = rest_to_rest(command.distance, way), rest_to_rest(command.turn, self.rotation)
        if pieces or rotation:
            self._tell(GlideMotion(self.robot, command.direction, pieces, rotation=rotation), "gliding")
        else:
            self._commands.popleft()
            self._reports.append(Glided(0.0, 0.0))

    def _brake(self) -> None:
        """Come to rest within the limits, on the line."""
        line, rotation, plan = self._line, self._rotation, self._plan
        speed, acceleration = line.speed_at(self._since), line.acceleration_at(self._since)
        rate, change = rotation.speed_at(self._since), rotation.acceleration_at(self._since)
        turned = rotation.distance(self._since)
        self._gone, self._turned = self._gone + line.distance(self._since), self._turned + turned
        pieces: Pieces = braking(speed, acceleration, self.way)
        direction, turning = plan.direction - turned, braking(rate, change, self.rotation)
        self._tell(GlideMotion(self.robot, direction, pieces, speed, acceleration, turning, rate, change), "braking")

    def _end(self, *, blocked: bool) -> None:
        """A command is over; the next one begins."""
        gone = self._gone + self._line.distance(self._since)
        self._reports.append(Glided(gone, self._turned + self._rotation.distance(self._since), blocked))
        self._commands.popleft()
        self._begin()

    def _tell(self, motion: GlideMotion, phase: str) -> None:
        self._plan, self._since, self._next = motion, 0.0, phase
        self._told.append(motion)

    @property
    def _line(self) -> Profile:
        return self._plan.path(0.0, 0.0, 0.0, 0.0).line

    @property
    def _rotation(self) -> Profile:
        return self._plan.path(0.0, 0.0, 0.0, 0.0).rotation

    def _checked(self, command: Glide) -> Glide:
        return possible_glide(self.robot, command)


def possible_glide(robot: int, command: Glide) -> Glide:
    """The same command.

    Raises:
        ModelError: it means nothing
    """
    if isfinite(command.direction + command.distance + command.turn) and command.distance >= 0.0 < command.speed:
        return command
    raise ModelError(
        f"robot {robot} is told {command!r}: its decision model must send finite angles, a distance of at "
        "least 0 m, and a speed above 0 m/s"
    )
