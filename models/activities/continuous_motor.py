"""A virtual motor whose robot is on its way at every instant."""

from __future__ import annotations

from collections.abc import Iterable
from math import copysign, inf, isfinite, nan

from msgspec import Struct

from devs_robotics import Actuator, Drive, Driven, ModelError, Motor
from devs_robotics.models.environment.messages import Halted, Twist
from devs_robotics.models.environment.time_manager import Pace

COAST = 2.0**-20
"""So long a robot goes on at the end of a motion (s), so that one that is told to go on at that instant never stops."""

INSTANT = 1e-9
"""What is left of a leg that is shorter than this is none (s)."""


class Leg(Struct, frozen=True):
    """A part of a motion at constant velocity, with its duration (s)."""

    speed: float
    turn_rate: float
    duration: float


class ContinuousMotor(Motor):
    """A virtual motor that moves its robot with constant velocities: first it rotates, then it drives straight.

    Wherever it is between, others see and meet it there; what it runs into ends its motion at that instant. A new
    command takes the place of one under way, which ends where the robot is then; an empty one stops it.

    Its states are those of a `Motor`, with times at which legs of a motion end. A robot that is commanded to drive on
    at the instant when a drive has ended does not stop, and nothing happens in the world.

    Ports, besides those of a `Motor`:
        world: velocities in the environment, and what the robot runs into

    Args:
        robot: number of the robot in the environment
        pace: how fast it drives, and rotates
    """

    world = Actuator(Twist, Halted)

    def __init__(self, name: str, robot: int, pace: Pace) -> None:
        super().__init__(name)
        self.robot = robot
        self.pace = pace
        self._legs: list[Leg] = []
        """What is left of the motion, the present leg first."""
        self._left = inf
        """Time until the present leg ends, or until the robot stops (s)."""
        self._velocity = (0.0, 0.0)
        self._turned = self._gone = 0.0
        self._is_blocked = self._must_stop = False

    def send(self, command: Drive) -> None:
        """Begin a motion in the environment."""
        if not isfinite(command.turn + command.distance):
            raise ModelError(
                f"robot {self.robot} is told to drive {command!r}: its decision model must send finite angles and "
                "distances"
            )
        self._turn_to(next(iter(self._legs_of(command)), None))

    def ended(self) -> Iterable[Driven]:
        """A motion that something has ended."""
        if self._is_blocked:
            self._is_blocked = False
            yield Driven(self._turned, self._gone, blocked=True)

    def deltext(self, e: float) -> None:
        """Take a command, or hear that the robot has run into something."""
        self._pass(e)
        if any(halted.stopped for halted in self.world.answer.values) and self._legs and self._legs[0].speed:
            self._legs.clear()
            self._left, self._velocity = inf, (nan, nan)  # which the environment holds back
            self._is_blocked = self._must_stop = True
        super().deltext(e)
        self.sigma = min(self.sigma, self._left)

    def lambdaf(self) -> None:
        """Begin a motion or a leg, stop, or report."""
        if self._must_stop:
            self.world.ask.add(Twist(self.robot, 0.0, 0.0))
        if self._command is not None or self._report is not None:
            super().lambdaf()
        else:
            self._turn_to(self._legs[1] if len(self._legs) > 1 else None if self._legs else Leg(0.0, 0.0, 0.0))

    def deltint(self) -> None:
        """Go on with the motion, or wait."""
        self._must_stop = False
        if self._command is not None:
            self._begin(self._command)
            self._command = None
            self._under_way = 1
        elif self._report is not None:
            self._report = None
            self._overriding = False
        else:
            self._pass(self.sigma)
            self._go_on()
        self.sigma = 0.0 if self._report is not None else self._left

    def _legs_of(self, command: Drive) -> list[Leg]:
        legs = []
        if command.turn:
            rate = copysign(self.pace.turn_rate, command.turn)
            legs.append(Leg(0.0, rate, command.turn / rate))
        if command.distance:
            speed = copysign(self.pace.speed, command.distance)
            legs.append(Leg(speed, 0.0, command.distance / speed))
        return [leg for leg in legs if leg.duration >= INSTANT] or [Leg(0.0, 0.0, 0.0)]

    def _begin(self, command: Drive) -> None:
        self._legs = self._legs_of(command)
        self._left = self._legs[0].duration
        self._velocity = self._legs[0].speed, self._legs[0].turn_rate
        self._turned = self._gone = 0.0

    def _go_on(self) -> None:
        """A leg has ended, or the robot has stopped."""
        if not self._legs:
            self._velocity, self._left = (0.0, 0.0), inf
            return
        del self._legs[0]
        if self._legs:
            self._left = self._legs[0].duration
            self._velocity = self._legs[0].speed, self._legs[0].turn_rate
        else:
            self._left = COAST if any(self._velocity) else inf
            self._under_way = 0
            self._report = Driven(self._turned, self._gone)

    def _pass(self, seconds: float) -> None:
        """Time passes on a leg, or while it rolls on at the end of a motion."""
        if self._legs:
            self._turned += self._velocity[1] * seconds
            self._gone += self._velocity[0] * seconds
        self._left -= seconds
        if self._left < INSTANT:
            self._left = 0.0

    def _turn_to(self, leg: Leg | None) -> None:
        """Ask for another velocity, if it is another one."""
        if leg is not None and (leg.speed, leg.turn_rate) != self._velocity:
            self.world.ask.add(Twist(self.robot, leg.speed, leg.turn_rate))
