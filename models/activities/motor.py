"""Motors: virtual, hardware, and in the loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from math import inf, isfinite
from typing import Literal

from devs_robotics import Actuator, Drive, Driven, Fix, In, ModelError, Motor, Out
from devs_robotics.models.environment.messages import ArcMotion, Motion, MotionEnded

Follows = Literal["reported", "commanded"]
"""Which motion a counterpart makes: the one that its robot reports, or the one that it was commanded."""


def _endless(robot: int, command: Drive) -> ModelError:
    """What is said of a command that no motor can carry out."""
    return ModelError(
        f"robot {robot} is told to drive {command!r}: its decision model must send finite angles and distances"
    )


class VirtualMotor(Motor):
    """A motor in the environment model; the paper's motor abstractActivity.

    Its states are those of a `Motor`.

    Ports, besides those of a `Motor`:
        world: a motion in the environment, and the report of its end

    Args:
        robot: number of the robot in the environment
    """

    world = Actuator(Motion, MotionEnded)

    def __init__(self, name: str, robot: int) -> None:
        super().__init__(name)
        self.robot = robot

    def send(self, command: Drive) -> None:
        """Begin a motion in the environment."""
        if not isfinite(command.turn + command.distance):
            raise _endless(self.robot, command)
        self.world.ask.add(Motion(self.robot, command.turn, command.distance))

    def ended(self) -> Iterator[Driven]:
        """Motions that have ended in the environment."""
        for moved in self.world.answer.values:
            yield Driven(moved.turn, moved.distance, moved.blocked)


class HardwareMotor(Motor):
    """A real robot's motor; the paper's motor RTActivity.

    The environment is told of each motion when it has ended, as a map for frames and for the guard; no answer is waited
    for. Fixes of a tracking system are passed on while the robot is at rest, and was when they were exposed: a motion
    under way would be counted twice, since the environment takes it as a whole when it has ended.

    Its states are those of a `Motor`. What it tells the environment goes out with the next output, at once.

    Ports, besides those of a `Motor`:
        device: commands to the robot, and its reports
        world: motions of the counterpart, and the reports of their ends
        fix: where a tracking system sees the robots
        fixed: the fixes that came while the robot was at rest
        reported: the motions that the robot has made by its own account

    Args:
        robot: number of the robot in the environment
        follows: whether its counterpart makes the motion that the robot reports, or the one that it was commanded
    """

    device = Actuator(Drive, Driven)
    world = Actuator(Motion, MotionEnded)
    fix = In(Fix)
    fixed = Out(Fix)
    reported: Out[Motion | ArcMotion] = Out(Motion | ArcMotion)

    def __init__(self, name: str, robot: int, follows: Follows) -> None:
        super().__init__(name)
        self.robot = robot
        self.follows = follows
        self._commands: deque[Drive] = deque()
        self._motions: list[Motion] = []
        self._reported: list[Motion] = []
        self._fixes: list[Fix] = []
        self._time = 0.0
        self._at_rest_since = -inf

    @property
    def under_way(self) -> Drive | None:
        """The command that the robot is carrying out; None while it is at rest."""
        return self._commands[0] if self._commands else None

    def send(self, command: Drive) -> None:
        """Drive the robot."""
        if not isfinite(command.turn + command.distance):
            raise _endless(self.robot, command)
        self._commands.append(command)
        self.device.ask.add(command)

    def ended(self) -> Iterator[Driven]:
        """Commands that the robot has carried out, or given up."""
        for driven in self.device.answer.values:
            self._follow(driven)
            yield driven

    def deltext(self, e: float) -> None:
        """Take a command, a report, or a fix."""
        self._time += e  # every internal event is at the time of an external one
        super().deltext(e)
        if not self._commands:
            self._fixes += [fix for fix in self.fix.values if fix.robot == self.robot and self._is_recent(fix)]
        if self._motions or self._fixes:
            self.sigma = 0.0

    def lambdaf(self) -> None:
        """Do what a motor does, and tell the environment what really happened."""
        super().lambdaf()
        for motion in self._motions:
            self.world.ask.add(motion)
        for motion in self._reported:
            self.reported.add(motion)
        for fix in self._fixes:
            self.fixed.add(fix)

    def deltint(self) -> None:
        """Wait for the robot, or for the next command."""
        self._motions.clear()
        self._reported.clear()
        self._fixes.clear()
        if self._command is None and self._report is None:
            self.sigma = inf
        else:
            super().deltint()

    def _is_recent(self, fix: Fix) -> bool:
        """Whether the robot stood where it stands now when it was seen."""
        return fix.exposed is None or fix.exposed >= self._at_rest_since

    def _follow(self, driven: Driven) -> None:
        """Have the counterpart move as the robot did; a command that was cut short is not what it did."""
        command = self._commands.popleft()
        self._at_rest_since = self._time
        self._reported.append(Motion(self.robot, driven.turn, driven.distance))
        if self.follows == "reported" or driven.blocked or self._commands:
            command = Drive(driven.turn, driven.distance)
        self._motions.append(Motion(self.robot, command.turn, command.distance))


class LoopMotor(HardwareMotor):
    """A real robot's motor in the loop; the paper's motor HILActivity.

    It drives the robot; when that has moved, its counterpart in the environment moves too, and only then does the
    decision model hear of it, so that all it senses from then on is up to date.

    Its states are those of a `Motor`, its ports those of a `HardwareMotor`.
    """

    def __init__(self, name: str, robot: int, follows: Follows) -> None:
        super().__init__(name, robot, follows)
        self._driven: deque[Driven] = deque()

    def ended(self) -> Iterator[Driven]:
        """Commands that the robot has carried out and its counterpart has followed."""
        for driven in self.device.answer.values:
            self._follow(driven)
            self._driven.append(driven)
        for _ in self.world.answer.values:
            yield self._driven.popleft()
