"""A base that is told by the speeds of its wheels: the velocity that they mean, and what they have rolled since."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin

from devs_robotics.core.robots.messages import Obstructed, Rolled, Wheels
from devs_robotics.core.robots.plain_data import PlainData, plain, typed
from devs_robotics.hil.protocols.events import Output, Told
from devs_robotics.hil.protocols.ros2.messages import BaseVelocity
from devs_robotics.hil.protocols.ros2.motion import STARTING, STILL, BaseState, blocked_after

STRAIGHT = 1e-9
"""Turn (rad) below which a way is straight."""


class KeptVelocity:
    """A velocity that is kept until the next one.

    Wheels that such a base may not have at all stand for its velocity: two, so far apart as the model's are.

    Args:
        axle: distance between the wheels (m)

    Attributes:
        velocity: that is kept; None while nobody drives the base in this way
        obstructed: whether it has not come on for some time, though it should
    """

    def __init__(self, axle: float) -> None:
        self.velocity: BaseVelocity | None = None
        self.obstructed = False
        self._axle = axle
        self._name = ""
        self._state: BaseState | None = None
        self._came_on_at = 0.0
        self._obeys = False

    @property
    def goes(self) -> bool:
        """Whether the base is to move."""
        return self.velocity is not None and self.velocity != BaseVelocity(0.0, 0.0)

    def keep(self, name: str, data: PlainData, time: float) -> Told:
        """Wheels of a name are told other speeds at a time (s)."""
        wheels = typed(data, Wheels)
        assert isinstance(wheels, Wheels)
        stood = not self.goes
        self._name = name
        self.velocity = BaseVelocity(0.5 * (wheels.left + wheels.right), (wheels.right - wheels.left) / self._axle)
        if stood:
            self._came_on_at = time
        return Told(name, None)

    def end(self) -> None:
        """The base is driven otherwise from now on."""
        self.velocity = None
        self.obstructed = False

    def jumped(self) -> None:
        """Odometry says that the base is elsewhere, and it has not rolled there."""
        self._state = None

    def heard(self, state: BaseState, time: float, *, moves: bool, delay: float) -> Iterator[Output]:
        """Odometry says where the base is now (s); what is to be told of that: nothing while it makes a move.

        Args:
            state: of the base
            time: now (s)
            moves: whether it makes a move
            delay: from a command until its effect is known (s)
        """
        before, self._state = self._state, state
        if moves:
            self._came_on_at = time
        if self.velocity is None or before is None or moves:
            return
        turn = state.heading - before.heading
        way = _way(before, state, turn)
        if turn or way:
            yield Rolled(way - 0.5 * turn * self._axle, way + 0.5 * turn * self._axle)
        yield from self._watch(state, time, blocked_after(delay) if self._obeys else STARTING)

    def _watch(self, state: BaseState, time: float, patience: float) -> Iterator[Output]:
        assert self.velocity is not None
        was = self.obstructed
        slow = abs(self.velocity.speed) <= STILL and abs(self.velocity.turn_rate) <= STILL
        self._obeys = self._obeys or state.moves
        if state.moves or slow:
            self._came_on_at = time
            self.obstructed = False
        elif time - self._came_on_at > patience:
            self.obstructed = True
        if self.obstructed != was:
            yield Told(self._name, plain(Obstructed(self.obstructed)), unasked=True)


def _way(before: BaseState, after: BaseState, turn: float) -> float:
    """Length of the arc from one pose to another (m), negative where it was gone backward."""
    middle = before.heading + 0.5 * turn
    chord = (after.x - before.x) * cos(middle) + (after.y - before.y) * sin(middle)
    return chord if abs(turn) < STRAIGHT else chord * 0.5 * turn / sin(0.5 * turn)
