"""A motor in the environment model whose body is on its way all the time, with inertia and a delay if it has them."""

from __future__ import annotations

from collections import deque
from math import copysign, inf, isfinite, sqrt

from devs_robotics import Actuator, Drive, Driven, ModelError, Motor
from devs_robotics.models.environment.messages import Halted, Twist

STEP = 0.05
"""While its speed changes, a body keeps the mean speed of so long a time (s)."""

Stage = tuple[float, float, float]
"""For so long (s), with a speed (m/s) and a turn rate (rad/s)."""


class RampMotor(Motor):
    """A motor that turns, and then drives, by velocities in the environment; from rest to rest, with even acceleration.

    In the world its body is where it is at every instant; contacts stop it where they happen, and its command then ends
    as blocked. A new command takes the place of one that is under way, from rest.

    =========  ===========================  =================================  ======================================
    state      time advance                 output                             next state
    =========  ===========================  =================================  ======================================
    at rest    ∞                                                               under way, on a command
    under way  until the next change of     world: the velocity from then on;  under way; at rest
               the velocity                 at the end the report
    =========  ===========================  =================================  ======================================

    Ports, besides those of a `Motor`:
        world: velocities in the environment, and whether something stops the body

    Args:
        robot: number of the robot in the environment
        speed: at most (m/s)
        turn_rate: at most (rad/s)
        acceleration: of the wheels (m/s²); infinite: they reach each speed at once
        axle: distance between the wheels (m), by which they turn the body
        delay: time from a command to the first motion (s)

    Raises:
        ModelError: the acceleration is not above 0, or the delay is negative
    """

    world = Actuator(Twist, Halted)

    def __init__(
        self,
        name: str,
        robot: int,
        speed: float,
        turn_rate: float,
        acceleration: float = inf,
        axle: float = 0.1,
        delay: float = 0.0,
    ) -> None:
        super().__init__(name)
        if not (acceleration > 0.0 and 0.0 <= delay < inf):
            raise ModelError(
                f"motor of robot {robot}: its acceleration must be above 0 m/s², and its delay at least 0 s, "
                f"not {acceleration:g} and {delay:g}"
            )
        self.robot = robot
        self.speed, self.turn_rate = speed, turn_rate
        self.acceleration, self.axle, self.delay = acceleration, axle, delay
        self._given: Drive | None = None
        """The command that is under way."""
        self._stages: deque[Stage] = deque()
        """What is left of it; the first one is going on."""
        self._left = inf
        """Of the stage that is going on (s)."""
        self._done = (0.0, 0.0)
        """How far the body has turned (rad) and gone (m) in the stages that are over."""
        self._twist: Twist | None = None
        """What is to be told at once."""

    # DEVS functions

    def deltext(self, e: float) -> None:
        """Take a command, or hear that something has stopped the body."""
        self._left -= e
        if any(halted.stopped for halted in self.world.answer.values) and self._given is not None:
            self._end(blocked=True, elapsed=self._elapsed)
        for command in self.override.ask.values:
            self._overriding = True
            self._begin(command)
        if not self._overriding:
            for command in self.drive.ask.values:
                self._begin(command)
        self._schedule()

    def lambdaf(self) -> None:
        """Tell the velocity, and report the end of a command."""
        twist, report = self._twist, self._report
        if twist is None and report is None:
            over, report = len(self._stages) == 1, self._last_report()
            twist = Twist(self.robot, 0.0, 0.0) if over else self._velocity(self._stages[1])
        if twist is not None:
            self.world.ask.add(twist)
        if report is not None:
            (self.override if self._overriding else self.drive).answer.add(report)

    def deltint(self) -> None:
        """Go on with the next stage, or wait."""
        if self._twist is None and self._report is None:
            duration, speed, turn_rate = self._stages.popleft()
            turned, gone = self._done
            self._done = turned + duration * turn_rate, gone + duration * speed
            if self._stages:
                self._left = self._stages[0][0]
            else:
                self._given, self._overriding = None, False
        else:
            if self._report is not None:
                self._overriding = False
            self._twist = self._report = None
        self._schedule()

    # what a motor does

    def send(self, command: Drive) -> None:
        """Nothing: velocities are told stage by stage."""

    def ended(self) -> tuple[Driven, ...]:
        """Nothing: it knows by itself when a command has ended."""
        return ()

    # inside

    def _begin(self, command: Drive) -> None:
        if not isfinite(command.turn + command.distance):
            raise ModelError(
                f"robot {self.robot} is told to drive {command!r}: its decision model must send finite angles and "
                "distances"
            )
        turning = ramps(command.turn, self.turn_rate, 2.0 * self.acceleration / self.axle)
        driving = ramps(command.distance, self.speed, self.acceleration)
        stages = [(duration, 0.0, rate) for duration, rate in turning]
        stages += [(duration, speed, 0.0) for duration, speed in driving]
        self._given, self._report, self._done = command, None, (0.0, 0.0)
        self._stages = deque([(self.delay, 0.0, 0.0), *stages])
        self._left = self.delay
        self._twist = self._velocity(self._stages[0])

    def _end(self, *, blocked: bool, elapsed: float) -> None:
        """The body rests now, before its command is carried out."""
        _, speed, turn_rate = self._stages[0]
        turned, gone = self._done
        self._report = Driven(turned + elapsed * turn_rate, gone + elapsed * speed, blocked)
        self._given, self._stages = None, deque()
        self._twist = Twist(self.robot, 0.0, 0.0)

    def _last_report(self) -> Driven | None:
        """That the command has been carried out, at the end of its last stage."""
        given = self._given
        return Driven(given.turn, given.distance) if given is not None and len(self._stages) == 1 else None

    @property
    def _elapsed(self) -> float:
        """Of the stage that is going on (s)."""
        return self._stages[0][0] - self._left if self._stages else 0.0

    def _velocity(self, stage: Stage) -> Twist:
        return Twist(self.robot, stage[1], stage[2])

    def _schedule(self) -> None:
        if self._twist is not None or self._report is not None:
            self.sigma = 0.0
        else:
            self.sigma = max(0.0, self._left) if self._stages else inf


def ramps(length: float, fastest: float, acceleration: float) -> list[tuple[float, float]]:
    """A length covered from rest to rest, as times (s) and the speed in each, with the sign of the length.

    While the speed changes, each step has its mean, so that the body is where an even acceleration leads it at the end
    of each step.

    Args:
        length: to be covered (m or rad)
        fastest: largest speed (per s)
        acceleration: largest one (per s²); infinite: none is needed
    """
    if not length:
        return []
    if acceleration == inf:
        return [(abs(length) / fastest, copysign(fastest, length))]
    peak = min(fastest, sqrt(abs(length) * acceleration))
    if not peak:  # the length is next to nothing
        return []
    rise = peak / acceleration
    count = max(1, round(rise / STEP))
    rising = [(rise / count, copysign(peak * (number + 0.5) / count, length)) for number in range(count)]
    cruise = (abs(length) - peak * rise) / peak
    middle = [(cruise, copysign(peak, length))] if cruise > 1e-9 else []
    return [*rising, *middle, *reversed(rising)]
