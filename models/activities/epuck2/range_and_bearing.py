"""The range-and-bearing board of an e-puck2 in the environment model: it sends, and hears where others are."""

from __future__ import annotations

from math import atan2, hypot, remainder, tau

from msgspec import Struct

from devs_robotics import Actuator, ModelError, Sense, Sensor, Service
from devs_robotics.core.noise_by_tick import key, normal, uniform
from devs_robotics.core.robots.epuck2.messages import Broadcast, RangeAndBearing, Signal
from devs_robotics.core.robots.epuck2.range_and_bearing import REACH
from devs_robotics.core.robots.epuck2.sensing.range_and_bearing import heard
from devs_robotics.models.activities.reading_noise import EARLY
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.actions import Action
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.sight import in_sight
from devs_robotics.models.environment.world import World


class Sending(Struct, frozen=True):
    """The answer to `Send`: what the robot sends now."""

    robot: int
    broadcast: Broadcast


class Send(Action, frozen=True):
    """Send this to all around from now on."""

    broadcast: Broadcast

    def act(self, world: World) -> Sending:
        """The robot sends it, for all who listen."""
        world.things.give(self.robot, self.broadcast)
        return Sending(self.robot, self.broadcast)


class Sender(Struct, frozen=True):
    """A robot that sends, as it is from the one that listens.

    Attributes:
        robot: its number
        data: that it sends
        distance: between the two robots' middles (m)
        bearing: counter-clockwise from the listener's front (rad)
    """

    robot: int
    data: tuple[int, ...]
    distance: float
    bearing: float


class Audible(Struct, frozen=True):
    """The answer to `Listen`: who can be heard, in the order of their numbers."""

    robot: int
    senders: tuple[Sender, ...]


class Listen(Question, frozen=True):
    """Who sends within reach, with no body and no obstacle between?

    Attributes:
        reach: distance of the robots' middles (m)
    """

    reach: float

    def answer(self, world: World) -> Audible:
        """One line of sight for each that is in reach."""
        x, y, heading = world.pose(self.robot)
        found = []
        for other, broadcast in world.things.with_robots(Broadcast).items():
            if other != self.robot:
                other_x, other_y, _ = world.pose(other)
                dx, dy = other_x - x, other_y - y
                distance, ends = hypot(dx, dy), (self.robot - 1, other - 1)
                if distance <= self.reach and in_sight(world.field, x, y, other_x, other_y, ends):
                    bearing = remainder(atan2(dy, dx) - heading, tau)
                    found.append(Sender(other, broadcast.data, distance, bearing))
        return Audible(self.robot, tuple(found))


class VirtualBroadcast(VirtualActivity):
    """The half of the board that sends.

    Its states are those of a `VirtualActivity`.

    Ports:
        broadcast: what is to be sent from now on, and what is sent then
        world: what others can hear
    """

    broadcast = Service(Broadcast, Broadcast)
    world = Actuator(Send, Sending)

    def ask(self, question: Broadcast) -> Send:
        """Send it."""
        return Send(self.robot, question)

    def answer(self, answer: Sending) -> Broadcast:
        """What is sent."""
        return answer.broadcast


class VirtualRangeAndBearing(VirtualActivity):
    """The half of the board that listens.

    Whether a message is lost, and the error of its range, depend on the listener, the sender and the tick alone.

    Its states are those of a `VirtualActivity`.

    Ports:
        range_and_bearing: a question, and the signals that come through
        world: who can be heard

    Args:
        reach: of the board (m)
        loss: probability that a message is lost
        deviation: standard deviation of ranges (m)
        seed: of the run, for losses and errors
        tick: length of a tick (s)
    """

    range_and_bearing = Service(Sense, RangeAndBearing)
    world = Sensor(Listen, Audible)

    def __init__(
        self,
        name: str,
        reach: float = REACH,
        loss: float = 0.0,
        deviation: float = 0.0,
        seed: int = 0,
        tick: float = 0.1,
    ) -> None:
        super().__init__(name)
        if not (0.0 <= loss <= 1.0 and deviation >= 0.0 and reach > 0.0 and tick > 0.0):
            raise ModelError(
                f"range and bearing {name!r} has a reach and a tick above 0, a loss from 0 to 1 and a deviation of 0 m "
                f"or more, not {reach!r}, {tick!r}, {loss!r} and {deviation!r}"
            )
        self.reach, self.loss, self.deviation, self.seed, self.tick = reach, loss, deviation, seed, tick
        self.time = 0.0
        self._keys: dict[int, tuple[int, int]] = {}
        """By sender, for losses and for errors."""

    def deltext(self, e: float) -> None:
        """Count time, and ask or take answers."""
        self.time += e
        super().deltext(e)

    def ask(self, question: Sense) -> Listen:
        """Who can be heard."""
        return Listen(self.robot, self.reach)

    def answer(self, answer: Audible) -> RangeAndBearing:
        """What comes through."""
        signals = []
        for sender in answer.senders:
            draw, error = self._chance(sender.robot)
            came = heard(
                sender.distance, sender.bearing, sight=True, reach=self.reach, loss=self.loss, draw=draw, error=error
            )
            if came is not None:
                signals.append(Signal(sender.data, came.range, came.bearing))
        return RangeAndBearing(tuple(signals))

    def _chance(self, sender: int) -> tuple[float, float]:
        """Numbers of this tick for what a robot sends: for its loss, and the error of its range (m)."""
        if not (self.loss or self.deviation):
            return 0.0, 0.0
        keys = self._keys.get(sender)
        if keys is None:
            kinds = ("range-and-bearing loss", "range-and-bearing error")
            loss, error = (key(self.seed, self.robot, kind, sender) for kind in kinds)
            keys = self._keys[sender] = loss, error
        tick = int(self.time / self.tick + EARLY)
        return uniform(keys[0], tick), self.deviation * normal(keys[1], tick) if self.deviation else 0.0
