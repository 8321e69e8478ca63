"""Commands to omniwheels in closed loop on odometry: along a line in any direction, and a turn meanwhile.

The way and the turn are legs (`motion.LegPlan`) that are driven at the same time, each from rest to rest. What the base
is beside its line is taken back on the way, with the gain of a leg. Velocities are told along the axes that the body
will have when they act: its heading, and what it turns in one delay.
"""

from __future__ import annotations

from math import copysign, cos, e, inf, sin

from devs_robotics.core.robots.messages import Glide
from devs_robotics.hil.protocols.ros2.messages import BaseVelocity
from devs_robotics.hil.protocols.ros2.motion import (
    ABOUT_STILL,
    HEADWAY,
    MESSAGES,
    STARTING,
    STILL,
    WHILE,
    BaseState,
    Ending,
    LegPlan,
)

SIDLE = 0.1
"""Largest speed at which the base is brought back to its line (m/s)."""

NEVER_SIDLES = (
    "does not go sideways, though it is told to (linear.y): only a base on omniwheels or mecanum wheels does; make its "
    "omniwheels 'virtual', or use another robot"
)
"""What is wrong with a base on two wheels: the rest of a sentence that begins with the robot."""


class GlideLeg:
    """The way or the turn of a command: what is left of it, and whether the base comes on.

    Args:
        plan: how it is driven
        length: of the leg (m, rad), at least 0
        time: now (s)
    """

    def __init__(self, plan: LegPlan, length: float, time: float) -> None:
        self.plan, self.length = plan, length
        self.left = length
        self._told, self._since = 0.0, time
        self._nearest, self._came_on_at = inf, time

    def wanted(self, time: float) -> float:
        """The speed that is wanted now (m/s, rad/s); 0 where nothing is left."""
        self._told = self.plan.wanted(self.left, self._told, time - self._since)
        self._since = time
        return self._told

    def is_stuck(self, time: float, *, obeys: bool) -> bool:
        """Whether the base does not come on, though something is left."""
        if self.left <= self.plan.tolerance or self.left < self._nearest - HEADWAY * self.plan.tolerance:
            self._nearest, self._came_on_at = self.left, time
        patience = self.plan.patience(self._told) if obeys else STARTING
        return time - self._came_on_at > patience

    def waited(self, time: float) -> None:
        """Nobody commanded the base meanwhile."""
        self._told, self._since, self._came_on_at = 0.0, time, time


class BaseGlide:
    """One command to omniwheels, from rest to rest; what it is braked at is told.

    Args:
        glide: the command
        state: of the base at first
        way, rotation: how its way and its turn are driven
        time: now (s)
        obeys: whether the base has been seen to obey before

    Attributes:
        ending: how it has ended; None while it has not
        gone, turned: how far the base has come with it, by its odometry (m, rad)
        obeys: whether it has been seen to
        is_rigid: whether the base is told to go sideways, and only ever goes ahead or stands
    """

    def __init__(
        self, glide: Glide, state: BaseState, way: LegPlan, rotation: LegPlan, time: float, *, obeys: bool
    ) -> None:
        self.ending: Ending | None = None
        self.gone = self.turned = 0.0
        self.obeys = obeys
        self._glide, self._start, self._state = glide, state, state
        self._line = state.heading + glide.direction
        self._beside = 0.0
        """How far the base is to the left of its line (m)."""
        self._way = GlideLeg(way, glide.distance, time)
        self._rotation = GlideLeg(rotation, abs(glide.turn), time)
        self._stopping: Ending | None = None
        self._stopped_at: float | None = None
        self._still = 0
        self._told_at = None if state.moves else time
        """When a base at rest was told to begin; None when that was taken."""
        self._took: float | None = None
        self._aside_since: float | None = None
        self._sidles = False
        self.is_rigid = False

    def command(self, time: float) -> BaseVelocity:
        """The velocity that the base should have now."""
        still = BaseVelocity(0.0, 0.0)
        if self._stopped_at is not None or self.ending is not None:
            return still
        for leg in (self._way, self._rotation):
            if leg.is_stuck(time, obeys=self.obeys):
                self._stop(time, "blocked")
                return still
        speed, turn_rate = self._way.wanted(time), copysign(self._rotation.wanted(time), self._glide.turn)
        if not speed and not turn_rate:
            self._stop(time, "moved")
            return still
        delay = self._way.plan.delay
        across = max(-SIDLE, min(SIDLE, -self._beside / (e * delay))) if speed else 0.0
        towards = self._line - self._state.heading - self._state.turn_rate * delay
        ahead = speed * cos(towards) - across * sin(towards)
        aside = speed * sin(towards) + across * cos(towards)
        self._look_aside(aside, time)
        return BaseVelocity(ahead, turn_rate, aside)

    def brake(self, time: float) -> None:
        """Come to rest; it ends there."""
        self._stop(time, "stopped")

    def waited(self, time: float) -> None:
        """The base was not heard for a while, and stood still; it goes on with what is left."""
        self._way.waited(time)
        self._rotation.waited(time)

    def heard(self, state: BaseState, time: float) -> None:
        """The base has told of itself."""
        self._state = state
        dx, dy = state.x - self._start.x, state.y - self._start.y
        self.gone = dx * cos(self._line) + dy * sin(self._line)
        self._beside = dy * cos(self._line) - dx * sin(self._line)
        self.turned = state.heading - self._start.heading
        self._way.left = self._way.length - self.gone
        self._rotation.left = self._rotation.length - copysign(1.0, self._glide.turn) * self.turned
        self._sidles = self._sidles or abs(state.aside) > STILL
        self.obeys = self.obeys or state.moves
        if state.moves and self._told_at is not None:
            self._took, self._told_at = time - self._told_at, None
        if self._stopped_at is None:
            return
        unseen = self._way.plan.delay if self._stopping == "stopped" else 0.0  # it may still be speeding up
        self._still = 0 if state.moves or time < self._stopped_at + unseen else self._still + 1
        if self._is_at_rest(time):
            self.ending = self._stopping

    def take_delay(self) -> float | None:
        """From when a base at rest was told to begin until that showed (s), once; None if not now."""
        taken, self._took = self._took, None
        return taken

    def _is_at_rest(self, time: float) -> bool:
        assert self._stopped_at is not None
        state = self._state
        slow = max(abs(state.speed), abs(state.turn_rate), abs(state.aside)) < ABOUT_STILL
        return self._still >= MESSAGES or (slow and time - self._stopped_at > WHILE)

    def _look_aside(self, aside: float, time: float) -> None:
        """See whether a base that is told to go sideways ever does."""
        if abs(aside) <= self._way.plan.slowest:
            self._aside_since = None
        elif self._aside_since is None:
            self._aside_since = time
        self.is_rigid = self._aside_since is not None and not self._sidles and time - self._aside_since > STARTING

    def _stop(self, time: float, ending: Ending) -> None:
        if self._stopping is None:
            self._stopping, self._stopped_at, self._still = ending, time, 0
