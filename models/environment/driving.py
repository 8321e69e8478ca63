"""Bodies in continuous motion, and watches of them: what happens between the messages that robots send."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

from devs_robotics import ModelError, Port
from devs_robotics.models.environment.contacts import Contacts
from devs_robotics.models.environment.messages import Stopped, Twist
from devs_robotics.models.environment.nearby import Nearby
from devs_robotics.models.environment.sensing import Noticed, StrategyName, Unwatch, Watched, Watching, strategy_of
from devs_robotics.models.environment.sensing.strategy import Told
from devs_robotics.models.environment.world import World

FASTEST = 1000.0
"""Speed (m/s) and turn rate (rad/s) above which a velocity is refused as a mistake."""


class Happened:
    """What has happened at one instant.

    Attributes:
        moved: bodies that are on another arc now
        stopped: robots that were stopped, or are free again
        told: what watches tell, with the ports on which they do
    """

    def __init__(self) -> None:
        self.moved: list[int] = []
        self.stopped: list[Stopped] = []
        self.told: Told = []


class Driving:
    """Keeps bodies on their arcs, stops those that run into something, and looks at watches.

    Args:
        world: of the bodies
        strategy: of looking at watches

    Attributes:
        nearby: the neighbours of the bodies
        contacts: which bodies want to drive, and which are held
        strategy: looks at the watches
    """

    def __init__(self, world: World, strategy: StrategyName) -> None:
        self.world = world
        self.nearby = Nearby(world.field, 2.0 * world.field.largest)
        self.contacts = Contacts(world.field, self.nearby)
        self.strategy = strategy_of(strategy, world, self.nearby)
        self._happened = Happened()
        self._watches = 0

    def next_time(self) -> float:
        """When something happens next, if nobody says anything (s)."""
        return min(self.contacts.next_time(), self.strategy.next_time(), self.nearby.next_time())

    def twist(self, twists: Sequence[Twist]) -> None:
        """Robots want to drive otherwise from now on; the last one of a robot counts."""
        wanted = {twist.robot - 1: twist for twist in twists}
        for body, twist in wanted.items():
            self.contacts.wanted[body] = twist.speed
        self._turn_over({body: twist.turn_rate for body, twist in wanted.items()})

    def stop(self, body: int) -> None:
        """A body wants to stand still."""
        self.contacts.wanted[body] = 0.0

    def jumped(self, bodies: Iterable[int]) -> None:
        """Bodies are elsewhere now: moved as a whole, or seen by a tracking system."""
        bodies = list(bodies)
        affected = dict.fromkeys(bodies)
        for body in bodies:
            affected.update(dict.fromkeys((*self.nearby.near[body], *self.nearby.aware[body])))
            self.nearby.jumped(body)
            affected.update(dict.fromkeys((*self.nearby.near[body], *self.nearby.aware[body])))
        self._told_anew(bodies)
        self.strategy.jumped(affected)
        self._turn_over({body: self.world.field.bodies.turn_rate[body] for body in bodies})

    def watch(self, watching: Watching, port: Port[Noticed]) -> None:
        """Begin a watch, in the place of one of the same equipment."""
        self.unwatch(Unwatch(watching.robot, watching.question.sensor))
        forecast = watching.question.forecast(self.world)
        if forecast.reach > self.nearby.reach:
            self._told_anew(self.nearby.widen(forecast.reach))
        elif not self.nearby.near[watching.robot - 1]:
            self.nearby.rebuild(watching.robot - 1)
        self._watches += 1
        self._happened.told += self.strategy.add(Watched(watching, forecast, port, self._watches))

    def unwatch(self, unwatch: Unwatch) -> None:
        """End a watch, if there is one."""
        for watched in self.strategy.of(unwatch.robot - 1):
            if watched.watching.question.sensor == unwatch.sensor:
                self.strategy.remove(watched)

    def go_on(self) -> None:
        """Do what is due now."""
        now = self.world.field.now
        if self.nearby.next_time() <= now or self.strategy.next_time() <= now:
            expired = self.nearby.expired(now)
            for body in expired:
                self.nearby.rebuild(body)
            self._told_anew(expired)
        rates = self.world.field.bodies.turn_rate
        due = self.contacts.due(now)
        if due:
            self._turn_over({body: rates[body] for body in due})
        self._happened.told += self.strategy.look()

    def take(self) -> Happened:
        """What has happened since it was asked last."""
        happened, self._happened = self._happened, Happened()
        return happened

    def _turn_over(self, rates: dict[int, float]) -> None:
        """Put bodies on the arcs that they want and may have, with these turn rates (rad/s)."""
        field, contacts, nearby = self.world.field, self.contacts, self.nearby
        bodies = field.bodies
        changed: list[int] = []
        relisted: dict[int, None] = {}
        for body, rate in rates.items():
            held = contacts.wanted[body] != 0.0 and contacts.blocked(body)
            speed = 0.0 if held else contacts.wanted[body]
            if held != contacts.held[body]:
                contacts.held[body] = held
                self._happened.stopped.append(Stopped(body + 1, held))
            if speed != bodies.speed[body] or rate != bodies.turn_rate[body]:
                was_moving = body in bodies.moving
                field.go(body, speed, rate)
                changed.append(body)
                relisted.update(dict.fromkeys(nearby.changed(body, was_moving=was_moving)))
        self._happened.moved += changed
        if relisted:
            self.strategy.relisted(relisted)
        if changed:
            self.strategy.changed(changed)
        self._plan_contacts((*rates, *relisted), changed)

    def _plan_contacts(self, bodies: Iterable[int], changed: Iterable[int]) -> None:
        """When these bodies touch something next; those that are held by one that moves otherwise may get free."""
        contacts = self.contacts
        planned = dict.fromkeys(bodies)
        for body in changed:
            planned.update(dict.fromkeys(other for other in self.nearby.aware[body] if contacts.held[other]))
        contacts.plan(planned)

    def _told_anew(self, bodies: list[int]) -> None:
        """The lists of neighbours of these bodies were made anew."""
        if bodies:
            self.strategy.relisted(bodies)
            self.contacts.plan(bodies)


def check_twist(twist: Twist, robots: int) -> None:
    """Refuse a velocity that no body can have.

    Raises:
        ModelError: there is no such robot, or a number is not finite
    """
    if not 1 <= twist.robot <= robots:
        raise ModelError(f"there is no robot {twist.robot} that could drive: there are {robots}")
    if abs(twist.speed) > FASTEST or abs(twist.turn_rate) > FASTEST:
        raise ModelError(
            f"robot {twist.robot} is told to drive {twist!r}: no body is faster than {FASTEST:g} m/s and "
            f"{FASTEST:g} rad/s"
        )
    if not isfinite(twist.speed + twist.turn_rate):
        raise ModelError(f"robot {twist.robot} is told to drive {twist!r}: its decision model must send finite speeds")
