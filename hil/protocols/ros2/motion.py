"""Motion of a base in closed loop on its odometry: legs, first the turn, then the way along the new heading.

For what is left of a leg, r, the speed is ``u = min(v, max(v_m, k r), max(v_m, sqrt(2 a r)), u_before + a dt)``, and 0
once r is within the tolerance. ``k = min(1 / (e tau), 2 a / v)``: 1 / (e tau) is the largest gain without overshoot for
x'(t) = -k x(t - tau), where tau is the time from a command until its effect is known; v_m = tolerance / tau.

Where odometry says that it knows better than the tolerance where the base is, what is left at rest is gone by pulses:
a speed that lasts one period, and whose way is therefore known whatever the delay.
"""

from __future__ import annotations

from math import copysign, cos, e, inf, log, sin, sqrt
from typing import Literal

from msgspec import Struct

from devs_robotics.core.robots.messages import Drive

ACCELERATION, TURN_ACCELERATION = 0.5, 3.0
"""With which a base is told to speed up (m/s^2, rad/s^2)."""

TOLERANCE, TURN_TOLERANCE = 0.002, 0.005
"""Distance from the end of a leg (m, rad) at which it is told to stop."""

STEER = 0.5
"""Largest turn rate by which the heading is kept on the way (rad/s)."""

STALLED = 0.5
"""Time without headway (s) above which a base that should go is blocked, after twice its delay has passed.

It is twice as long where the base is slowest.
"""

STARTING = 2.0
"""The same for a base that has never been seen to obey: the robot may still have to learn of the publisher."""

HEADWAY = 0.2
"""Share of the tolerance that counts as headway."""

STILL, ABOUT_STILL = 1e-3, 2e-2
"""Speeds (m/s, rad/s) below which a base is at rest, and below which it is after a while."""

MESSAGES, WHILE = 2, 0.5
"""Number of messages that show rest, and time (s) after which about still is still."""

PULSES, IN_VAIN = 16, 5
"""Most pulses at the end of a leg, and most of them that do not halve what is left."""

SURE = 3.0
"""Multiple of the standard deviation of odometry above which something is known to be left."""

Ending = Literal["moved", "blocked", "stopped"]


def blocked_after(delay: float) -> float:
    """Time without headway (s) above which a base that obeys is blocked, where what it is told takes `delay` (s)."""
    return 2.0 * delay + STALLED


class LegPlan(Struct, frozen=True):
    """How a leg is driven.

    Attributes:
        speed: the most (m/s, rad/s)
        acceleration: (m/s^2, rad/s^2)
        tolerance: (m, rad)
        delay: tau (s)
        period: time between two commands (s)
        deviation: of what odometry says (m, rad); infinite where that is not known
    """

    speed: float
    acceleration: float
    tolerance: float
    delay: float
    period: float = 0.05
    deviation: float = inf

    @property
    def gain(self) -> float:
        """k (1/s)."""
        return min(1.0 / (e * self.delay), 2.0 * self.acceleration / self.speed)

    @property
    def slowest(self) -> float:
        """v_m: covers the tolerance in one delay."""
        return min(self.tolerance / self.delay, self.speed)

    def patience(self, told: float) -> float:
        """Time without headway above which a base that obeys, and was told a speed, is blocked (s)."""
        return blocked_after(self.delay) + (0.0 if told > self.slowest else STALLED)

    def wanted(self, left: float, before: float, passed: float) -> float:
        """The speed for what is left.

        Args:
            left: r
            before: the speed that was told last
            passed: time since then (s)
        """
        if left <= self.tolerance:
            return 0.0
        slowest, rising = self.slowest, self.acceleration
        return min(
            self.speed,
            max(slowest, self.gain * left),
            max(slowest, sqrt(2.0 * rising * left)),
            max(slowest, before + rising * passed),
        )

    @property
    def correcting(self) -> float:
        """How long pulses may take at most (s)."""
        return PULSES * (self.period + self.delay + WHILE) if SURE * self.deviation < self.tolerance else 0.0

    def duration(self, length: float) -> float:
        """How long a leg takes at most without anything in its way (s), rest included, and pulses not."""
        if length <= self.tolerance:
            return 0.2
        gain, rising = self.gain, self.acceleration
        peak = self.speed
        if length < peak * peak / (2.0 * rising) + peak / gain:
            peak = rising * (sqrt(1.0 / gain**2 + 2.0 * length / rising) - 1.0 / gain)
        if peak <= self.slowest:
            return length / self.slowest + 0.2
        return length / peak + peak / (2.0 * rising) + log(peak / self.slowest) / gain - self.delay + 0.2


class BaseState(Struct, frozen=True):
    """What odometry says: pose, the heading unwrapped (m, rad), and velocity (along x and about z, and along y).

    Speeds in m/s and rad/s.
    """

    x: float
    y: float
    heading: float
    speed: float
    turn_rate: float
    aside: float = 0.0

    @property
    def moves(self) -> bool:
        """Whether the base is not at rest."""
        return max(abs(self.speed), abs(self.turn_rate), abs(self.aside)) > STILL


class BaseMotion:
    """One move of a base, from rest to rest.

    Args:
        drive: the move
        state: of the base at first
        turning, going: how its legs are driven
        time: now (s)
        obeys: whether the base has been seen to obey before

    Attributes:
        ending: how the move has ended; None while it has not
        turned, gone: how far the base has got with it, by its odometry (rad, m)
        followed: when the base was seen to follow the first command of a leg (s); None while it has not
        told_at: when it was told to begin a leg (s)
    """

    def __init__(
        self, drive: Drive, state: BaseState, turning: LegPlan, going: LegPlan, time: float, *, obeys: bool
    ) -> None:
        self.ending: Ending | None = None
        self.turned = self.gone = 0.0
        self.followed: float | None = None
        self.told_at = time
        self._obeys = obeys
        self._plans = {"turn": turning, "way": going}
        self._legs: list[tuple[Literal["turn", "way"], float]] = []
        if drive.turn:
            self._legs.append(("turn", drive.turn))
        if drive.distance:
            self._legs.append(("way", drive.distance))
        self._start = state
        self._heading = state.heading + drive.turn
        self._state = state
        self._stopping: Ending | None = None
        self._speed = 0.0
        self._since = time
        self._still = 0
        self._stopped_at: float | None = None
        self._delay_taken = False
        self._begin_leg(time)

    def command(self, time: float) -> tuple[float, float]:
        """Speed and turn rate that the base should have now (m/s, rad/s)."""
        if self._stopping is not None or self.ending is not None or not self._legs:
            self._stop(time)
            return 0.0, 0.0
        kind, length = self._legs[0]
        plan, left = self._plans[kind], self._left()
        if self._stopped_at is not None:
            return 0.0, 0.0
        if self._pulses:
            return self._pulse(plan, left * copysign(1.0, length), time)
        if self._is_stuck(plan, left, time):
            return 0.0, 0.0
        self._speed = plan.wanted(left, self._speed, time - self._since)
        self._since = time
        if not self._speed:
            self._stop(time)
            return 0.0, 0.0
        towards = copysign(self._speed, length)
        if kind == "turn":
            return 0.0, towards
        steer = (self._heading - self._state.heading) / (e * plan.delay)
        return towards, max(-STEER, min(STEER, steer))

    def halt(self, time: float) -> None:
        """Give the move up."""
        self._stopping = self._stopping or "stopped"
        self._stop(time)

    def heard(self, state: BaseState, time: float) -> None:
        """The base has told of itself."""
        self._state = state
        if self._legs and self._legs[0][0] == "way":
            self.gone = self._along(state)
        else:
            self.turned = state.heading - self._start.heading
        if state.moves and self._speed and self.followed is None:
            self.followed = time
        self._still = 0 if state.moves else self._still + 1
        if self._stopped_at is None or time < self._stopped_at + self._unseen():
            self._still = 0
        elif self._at_rest(time):
            self._rested(time)

    def take_delay(self) -> float | None:
        """From when the base was told to begin a leg until that showed (s), once for each leg; None if not now."""
        if self.followed is None or self._delay_taken:
            return None
        self._delay_taken = True
        return self.followed - self.told_at

    # parts

    def _begin_leg(self, time: float) -> None:
        self._origin = self._state
        self._nearest, self._came_on_at = inf, time
        self._speed, self._since, self.told_at, self.followed = 0.0, time, time, None
        self._stopped_at, self._still = None, 0
        self._delay_taken = False
        self._pulses, self._in_vain, self._left_before, self._pulsing = 0, 0, inf, False

    def _left(self) -> float:
        kind, length = self._legs[0]
        done = self._state.heading - self._origin.heading if kind == "turn" else self._along(self._state)
        return (length - done) * copysign(1.0, length)

    def _along(self, state: BaseState) -> float:
        return (state.x - self._origin.x) * cos(self._heading) + (state.y - self._origin.y) * sin(self._heading)

    def _is_stuck(self, plan: LegPlan, left: float, time: float) -> bool:
        """Whether the base does not come on; then it is blocked."""
        if left < self._nearest - HEADWAY * plan.tolerance:
            self._nearest, self._came_on_at = left, time
        if self.followed is not None:
            self._obeys = True
        patience = plan.patience(self._speed) if self._obeys else STARTING
        if time - self._came_on_at <= patience:
            return False
        self._stopping = "blocked"
        self._stop(time)
        return True

    def _pulse(self, plan: LegPlan, left: float, time: float) -> tuple[float, float]:
        """What goes in one period what is left, either way; then zeros."""
        if self._pulsing:
            self._stop(time)
            return 0.0, 0.0
        self._pulsing = True
        speed = copysign(min(plan.speed, abs(left) / plan.period), left)
        return (0.0, speed) if self._legs[0][0] == "turn" else (speed, 0.0)

    def _unseen(self) -> float:
        """For so long after a pulse odometry may not show it yet (s)."""
        return self._plans[self._legs[0][0]].delay if self._pulses and self._legs else 0.0

    def _is_off(self) -> bool:
        """Whether odometry knows that something is left, and one more pulse may help."""
        plan, left = self._plans[self._legs[0][0]], abs(self._left())
        known = SURE * plan.deviation < min(left, plan.tolerance)
        self._in_vain += left > 0.5 * self._left_before
        self._left_before = left
        return known and self._in_vain < IN_VAIN and self._pulses < PULSES

    def _stop(self, time: float) -> None:
        self._speed = 0.0
        if self._stopped_at is None:
            self._stopped_at, self._still = time, 0

    def _at_rest(self, time: float) -> bool:
        if self._still >= MESSAGES:
            return True
        state = self._state
        slow = abs(state.speed) < ABOUT_STILL and abs(state.turn_rate) < ABOUT_STILL
        return slow and self._stopped_at is not None and time - self._stopped_at > WHILE

    def _rested(self, time: float) -> None:
        if self._legs and self._stopping is None and self._is_off():
            self._pulses += 1
            self._pulsing, self._stopped_at, self._still = False, None, 0
            return
        if self._legs:
            self._legs.pop(0)
        if self._stopping is not None or not self._legs:
            self.ending = self._stopping or "moved"
        else:
            self._begin_leg(time)
