"""Moves of a robot whose wheels are set to speeds and count their steps: first the turn, then the way."""

from __future__ import annotations

from math import copysign, inf
from typing import Literal

from devs_robotics.core.robots.epuck2.body import AXLE
from devs_robotics.core.robots.epuck2.body import STEP_LENGTH as STEP
from devs_robotics.core.robots.messages import Drive
from devs_robotics.hil.protocols.round_trip import SLOWEST as SLOWEST_LINK

FASTEST = 1000
"""Largest speed of a wheel (steps/s)."""

SLOWEST = 30
"""Smallest speed of a wheel that turns (steps/s)."""

SHORTEST = 0.3
"""Shortest time of a leg (s): one of few steps is driven so slowly that a late stop matters little."""

TOLERANCE = 1.0
"""Distance of a leg from its target (steps) up to which it is good enough."""

CORRECTIONS = 3
"""Number of attempts to come nearer to a target; after them it has to do."""

STALLED = 0.5
"""Time for which wheels that turned have not come on, and should (s), above which they are blocked."""

STARTING = SLOWEST_LINK
"""Time for which wheels that should turn have not begun to (s) above which they are blocked: a link may be held up."""

SETTLED = 0.08
"""Time for which wheels have stood still (s) after which they have come to rest."""

FEW = 10
"""Length of a leg (steps) below which it may be over though no step of it was seen."""

Outcome = Literal["moved", "blocked", "stopped"]
Leg = tuple[int, int]


class StepControl:
    """Says how fast the wheels should turn and when they should stop, and hears how far they have come.

    A leg is over when its time is; then what the counters show to be missing, or too much, is driven slowly. So a delay
    of messages, which is much the same for start and stop, does no harm: whatever is concluded from the counters is
    concluded from those of a robot that has heard what it was told last.

    Args:
        speed, turn_rate: of the robot (m/s, rad/s); the wheels may not be able to do that

    Attributes:
        speeds: that the left and right wheel should have now (steps/s)
        stop_at: when they should stop; infinite if there is no such time
        outcome: how the move has ended; None while it has not
        told_at: when wheels were told to turn that have not been seen to; None if there are none
    """

    def __init__(self, speed: float, turn_rate: float) -> None:
        self.speeds: Leg = (0, 0)
        self.stop_at = inf
        self.outcome: Outcome | None = None
        self.told_at: float | None = None
        self.turn_speed = _wheel_speed(turn_rate * AXLE / 2.0)
        self.speed = _wheel_speed(speed)
        self._counts: Leg = (0, 0)
        self._origin: Leg = (0, 0)
        self._legs: list[Leg] = []
        self._leg: Leg = (0, 0)
        self._leg_origin: Leg = (0, 0)
        self._direction = 1
        self._corrections = 0
        self._going = False
        self._ending: Outcome | None = None
        """How the move ends when the wheels have come to rest, if the leg is not what matters any more."""
        self._nearest = inf
        self._came_on_at = -inf
        self._stopped_at = -inf
        self._still_since = inf
        self._resting: Leg = (0, 0)

    def duration(self, drive: Drive, delay: float = 0.0) -> float:
        """How long a move takes, corrections included (s).

        Args:
            drive: the move
            delay: how long it takes until what the robot is told shows in its counters (s)
        """
        settling = 2.0 * (SETTLED + delay)
        return sum(
            max(max(map(abs, leg)) / speed, SHORTEST) + settling + CORRECTIONS * (SHORTEST + settling)
            for leg, speed in ((_turned(drive.turn), self.turn_speed), (_driven(drive.distance), self.speed))
            if any(leg)
        )

    @property
    def motion(self) -> tuple[float, float]:
        """What the wheels have done since motion was last `reported`: turn and distance (rad, m)."""
        left, right = (now - before for now, before in zip(self._counts, self._origin, strict=True))
        return (right - left) * STEP / AXLE, 0.5 * (left + right) * STEP

    def reported(self) -> None:
        """All motion so far has been told of; what comes from now on, in a move or not, belongs to the next report."""
        self._origin = self._counts

    @property
    def strayed(self) -> int:
        """How far a wheel is from where it came to rest, while it should stand (steps)."""
        if self.outcome is None:
            return 0
        return max(abs(now - then) for now, then in zip(self._counts, self._resting, strict=True))

    def begin(self, drive: Drive, time: float) -> None:
        """A new move, of a robot at rest; one of less than a step ends when it is next read."""
        self.outcome = self._ending = None
        self._legs = [leg for leg in (_turned(drive.turn), _driven(drive.distance)) if any(leg)]
        self._leg, self._leg_origin = (0, 0), self._counts
        self._corrections = 0
        if self._legs:
            self._next_leg(time)

    def stop(self, time: float) -> None:
        """It is `stop_at`: the leg should be over."""
        self.speeds = (0, 0)
        self.stop_at = self._still_since = inf
        self._stopped_at = time
        self._going = False

    def halt(self, time: float) -> None:
        """Give the move up."""
        self.stop(time)
        self._ending = self._ending or "stopped"

    def at_rest(self, as_of: float) -> bool:
        """Whether the wheels have stood still for long enough, since the robot heard that it was to stop."""
        return as_of - self._still_since >= SETTLED

    def count(self, left: int, right: int, as_of: float, time: float) -> None:
        """The wheels have come so many steps further.

        Args:
            left, right: steps
            as_of: what was told before this time, the robot had heard when it read them
            time: now
        """
        self._counts = (self._counts[0] + left, self._counts[1] + right)
        if left or right:
            self.told_at = None
        if left or right or self._still_since == inf:
            self._still_since = max(as_of, self._stopped_at)
        if self._going:
            self._watch(as_of, time)
        elif self.outcome is None and self.at_rest(as_of):
            self._rest(as_of, time)

    def _watch(self, as_of: float, time: float) -> None:
        """See whether a leg goes too far, or does not come on."""
        remaining = self._remaining() * self._direction
        if remaining < self._nearest:
            self._nearest, self._came_on_at = remaining, as_of
        if remaining <= 0.0:
            self.stop(time)
        elif as_of - self._came_on_at > (STALLED if self.told_at is None else STARTING):
            self._ending = "blocked"
            self.stop(time)

    def _rest(self, as_of: float, time: float) -> None:
        """The wheels stand still: come nearer to the target, go on with the next leg, or be done."""
        if self._ending is None and self.told_at is not None and abs(self._remaining()) >= FEW:
            if as_of - self.told_at <= STARTING:
                return
            self._ending = "blocked"
        if self._ending is not None:
            self._end(self._ending)
        elif abs(self._remaining()) > TOLERANCE and self._corrections < CORRECTIONS:
            self._corrections += 1
            self._go(time)
        else:
            self._next_leg(time)

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.told_at = None
        self._resting = self._counts

    def _next_leg(self, time: float) -> None:
        if not self._legs:
            self._end("moved")
            return
        self._leg = self._legs.pop(0)
        self._leg_origin = self._counts
        self._corrections = 0
        self._go(time)

    def _go(self, time: float) -> None:
        remaining = self._remaining()
        fastest = self.speed if self._leg[0] == self._leg[1] else self.turn_speed
        speed = max(SLOWEST, min(fastest, round(abs(remaining) / SHORTEST)))
        self._direction = _sign(remaining)
        left, right = (speed * self._direction * _sign(steps) for steps in self._leg)
        self.speeds = (left, right)
        self.stop_at = time + abs(remaining) / speed
        self._going = True
        self.told_at = time
        self._nearest, self._came_on_at = remaining * self._direction, time

    def _remaining(self) -> float:
        """Steps that are missing of the leg, on the mean of both wheels; negative if there are too many."""
        parts = zip(self._leg, self._counts, self._leg_origin, strict=True)
        return 0.5 * sum(_sign(steps) * (steps - (now - before)) for steps, now, before in parts)


def _sign(value: float) -> int:
    return round(copysign(1.0, value))


def _turned(turn: float) -> Leg:
    steps = round(turn * AXLE / 2.0 / STEP)
    return -steps, steps


def _driven(distance: float) -> Leg:
    steps = round(distance / STEP)
    return steps, steps


def _wheel_speed(speed: float) -> int:
    return max(SLOWEST, min(FASTEST, round(speed / STEP)))
