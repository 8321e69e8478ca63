"""Bodies in continuous motion, and watches of them: what happens between the messages that robots send."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from heapq import heappop, heappush
from math import inf

from devs_robotics import ModelError, Port
from devs_robotics.models.environment.contacts import LATER, Contacts
from devs_robotics.models.environment.instants import instant_from
from devs_robotics.models.environment.messages import Halted, Twist
from devs_robotics.models.environment.motion.trajectory import Pose, Trajectory
from devs_robotics.models.environment.sensing import Noticed, StrategyName, Unwatch, Watched, Watching
from devs_robotics.models.environment.sensing.judging import Judge
from devs_robotics.models.environment.sensing.strategies import strategy_of
from devs_robotics.models.environment.sensing.strategy import Notices, by_order
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
        self.stopped: list[Halted] = []
        self.told: Notices = []


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
        self.strategy = strategy_of(strategy, world)
        self.nearby = self.strategy.nearby
        self.contacts = Contacts(world.field, self.nearby)
        self._judge = Judge(world.field.now) if strategy == "auto" else None
        self._happened = Happened()
        self._watches = 0
        self._ends: list[tuple[float, int]] = []
        """When trajectories end that bodies follow (s)."""

    def next_time(self) -> float:
        """When something happens next, if nobody says anything (s)."""
        ends = self._ends[0][0] if self._ends else inf
        return min(self.contacts.next_time(), self.strategy.next_time(), self.nearby.next_time(), ends)

    def twist(self, twists: Sequence[Twist]) -> None:
        """Robots want to drive otherwise from now on; the last one of a robot counts.

        Raises:
            ModelError: there is no such robot, or no body can have such a velocity
        """
        for twist in twists:
            _check(twist, len(self.world.field.x))
        bodies = self.world.field.bodies
        wanted = {twist.robot - 1: twist for twist in twists if bodies.moves_itself(twist.robot - 1)}
        for body, twist in wanted.items():
            self.contacts.wanted[body] = twist.speed
        self._turn_over({body: twist.turn_rate for body, twist in wanted.items()}, wanted)

    def follow(self, body: int, trajectory: Trajectory) -> None:
        """A body follows a trajectory from now on, until it ends, or runs into something."""
        self._give_up(body)
        self.world.field.follow(body, trajectory)
        if trajectory.end < inf:
            heappush(self._ends, (max(self.world.field.now, instant_from(trajectory.end)), body))
        self._elsewhere(body)

    def joined(self, body: int, *, larger: bool) -> None:
        """A body has joined, which may be larger than any before."""
        self.strategy.grow()
        self.contacts.grow()
        if larger:
            reaches = [self.strategy.reach(watched) for watched in self.strategy.look_out_anew()]
            self._told_anew(self.nearby.widen(max(reaches, default=0.0)))
            self._told_anew(self.nearby.widen(2.0 * self.world.field.largest))
        self.jumped((body,))

    def carry(self, body: int, carrier: int, place: Pose) -> None:
        """A body is carried by another one from now on, at a place in its frame."""
        self._give_up(body)
        self.world.field.carry(body, carrier, *place)
        self._elsewhere(body)

    def put_down(self, body: int) -> None:
        """A body that was carried rests where it is."""
        self.world.field.put_down(body)
        self._elsewhere(body)

    def leave(self, body: int) -> None:
        """A body leaves, and what it carries."""
        field, nearby = self.world.field, self.nearby
        leaving = field.bodies.with_cargo((body,))
        affected: dict[int, None] = {}
        for each in leaving:
            affected.update(dict.fromkeys((*nearby.near[each], *nearby.hearing(each))))
            for watched in self.strategy.of(each):
                self.strategy.remove(watched)
            self._give_up(each)
        field.leave(body)
        for each in leaving:
            nearby.leave(each)
            affected.pop(each, None)
        self.contacts.plan(leaving)
        self._let_free(leaving, affected)
        self.strategy.jumped((*leaving, *affected))

    def stop(self, body: int) -> None:
        """A body wants to stand still."""
        self.contacts.wanted[body] = 0.0

    def jumped(self, bodies: Iterable[int]) -> None:
        """Bodies are elsewhere now: moved as a whole, or seen by a tracking system."""
        bodies = self.world.field.bodies.with_cargo(bodies)
        nearby = self.nearby
        affected = dict.fromkeys(bodies)
        for body in bodies:
            affected.update(dict.fromkeys((*nearby.near[body], *nearby.hearing(body))))
        self._told_anew(nearby.faster())
        for body in bodies:
            nearby.jumped(body)
            affected.update(dict.fromkeys((*nearby.near[body], *nearby.hearing(body))))
        self._told_anew(bodies)
        self._let_free(bodies, affected)
        self.strategy.jumped(affected)

    def watch(self, watching: Watching, port: Port[Noticed]) -> None:
        """Begin a watch, in the place of one of the same equipment."""
        self.unwatch(Unwatch(watching.robot, watching.question.sensor))
        self._watches += 1
        watched = Watched(watching, watching.question.outlook(self.world), port, self._watches)
        anew = self.nearby.widen(self.strategy.reach(watched))
        self._told_anew(anew)
        if not anew and not self.nearby.near[watched.body]:
            self.nearby.rebuild(watched.body)
        self._happened.told += self.strategy.add(watched)

    def unwatch(self, unwatch: Unwatch) -> None:
        """End a watch, if there is one."""
        for watched in self.strategy.of(unwatch.robot - 1):
            if watched.watching.question.sensor == unwatch.sensor:
                self.strategy.remove(watched)

    def go_on(self) -> None:
        """Do what is due now."""
        now = self.world.field.now
        if self.nearby.next_time() <= now or self.strategy.next_time() <= now:
            self._told_anew(self.nearby.renew(now))
        while self._ends and self._ends[0][0] <= now:
            self._settle(heappop(self._ends)[1])
        due = self.contacts.due(now)
        if due:
            self._look_round(due)
        self._happened.told += self.strategy.look()
        if self._judge is not None and now >= self._judge.next:
            self._go_on_with(self._judge.choice(self.strategy, now))

    def take(self) -> Happened:
        """What has happened since it was asked last."""
        happened, self._happened = self._happened, Happened()
        return happened

    def _go_on_with(self, name: StrategyName) -> None:
        """Look at watches by a strategy from now on, which does not show in what they tell."""
        before = self.strategy
        if before.name == name:
            return
        self.strategy = strategy_of(name, self.world)
        self.strategy.looks, self.strategy.needed = before.looks, before.needed
        self.nearby = self.contacts.nearby = self.strategy.nearby
        self.nearby.faster()
        for watched in sorted(before.all(), key=by_order):
            self.nearby.widen(self.strategy.reach(watched))
            self.strategy.take_over(watched)
        gone = self.world.field.bodies.gone
        self.contacts.plan((body for body in range(len(self.world.field.x)) if body not in gone), unchanged=True)

    def _give_up(self, body: int) -> None:
        """A body does not want to drive any more; it is not held then."""
        self.contacts.wanted[body] = 0.0
        if self.contacts.held[body]:
            self.contacts.held[body] = False
            self._happened.stopped.append(Halted(body + 1, False))

    def _elsewhere(self, body: int) -> None:
        """A body moves otherwise from now on, and perhaps from another place on."""
        self._happened.moved += self.world.field.bodies.with_cargo((body,))
        self.jumped((body,))

    def _let_free(self, jumped: Iterable[int], affected: Iterable[int]) -> None:
        """Bodies are elsewhere now: these look round, and those that they held; others may meet them."""
        contacts, gone = self.contacts, self.world.field.bodies.gone
        jumped = set(jumped)
        turned = [each for each in affected if contacts.held[each] and jumped & contacts.holders[each]]
        self._look_round({*turned, *(jumped - gone.keys())})
        contacts.plan((each for each in affected if each not in jumped), unchanged=True)

    def _look_round(self, affected: Iterable[int]) -> None:
        """Bodies may have come to touch others, or be held by them no longer."""
        rates = self.world.field.bodies.turn_rate
        self._turn_over({body: rates[body] for body in sorted(affected)})

    def _settle(self, body: int) -> None:
        """A body rests from now on, if what it follows is over; it may follow another trajectory by now."""
        bodies, now = self.world.field.bodies, self.world.field.now
        if body in bodies.paths and body not in bodies.carrier and instant_from(bodies.paths[body].end) <= now:
            self._turn_over({body: 0.0}, (body,))

    def _turn_over(self, rates: dict[int, float], told: Container[int] = ()) -> None:
        """Put bodies on the arcs that they want and may have, with these turn rates (rad/s).

        A body that is carried, or has left, has none; one that follows a trajectory goes on doing so, unless it is
        blocked, or among those that are `told` otherwise.
        """
        field, contacts, nearby = self.world.field, self.contacts, self.nearby
        bodies = field.bodies
        changed: list[int] = []
        relisted: dict[int, None] = {}
        for body, wanted_rate in rates.items():
            if body in bodies.carrier or body in bodies.gone:
                continue
            movers = self._movers(body) if body in bodies.paths else None
            rate = wanted_rate
            if movers:
                if body not in told:
                    if not contacts.blocked(body):
                        continue
                    self._happened.stopped.append(Halted(body + 1, True))
                    rate = 0.0
                field.go(body, 0.0, 0.0)
            held = contacts.wanted[body] != 0.0 and contacts.blocked(body)
            speed = 0.0 if held else contacts.wanted[body]
            if held:
                contacts.hold(body)
            if held != contacts.held[body]:
                contacts.held[body] = held
                self._happened.stopped.append(Halted(body + 1, held))
            if movers or speed != bodies.speed[body] or rate != bodies.turn_rate[body]:
                movers = movers or self._movers(body)
                field.go(body, speed, rate)
                changed += movers
                for each, was_moving in movers.items():
                    relisted.update(dict.fromkeys(nearby.changed(each, was_moving=was_moving)))
        self._happened.moved += changed
        if relisted:
            self.strategy.relisted(relisted)
        if changed:
            self.strategy.changed(changed)
        self._plan_contacts((*rates, *relisted), changed)

    def _movers(self, body: int) -> dict[int, bool]:
        """A body and what it carries, and whether each moves."""
        bodies = self.world.field.bodies
        if not bodies.carrier:
            return {body: body in bodies.moving}
        return {each: each in bodies.moving for each in bodies.with_cargo((body,))}

    def _plan_contacts(self, bodies: Iterable[int], changed: Iterable[int]) -> None:
        """When these bodies touch something next; those that are held by one that moves otherwise may get free.

        Who drives looks for those that it meets, moving or not; so others look for one that stands from now on.
        """
        contacts, speeds = self.contacts, self.world.field.bodies.speed
        planned = dict.fromkeys(bodies)
        for body in changed:
            planned.update(dict.fromkeys(other for other in self.nearby.hearing(body) if contacts.held[other]))
        contacts.plan(planned)
        for body in changed:
            if speeds[body] == 0.0:
                contacts.plan((other for other in self.nearby.hearing(body) if other not in planned), unchanged=True)

    def _told_anew(self, bodies: list[int]) -> None:
        """The lists of neighbours of these bodies were made anew."""
        if bodies:
            self.strategy.relisted(bodies)
            self.contacts.plan(self.nearby.touchable(bodies, LATER), unchanged=True)


def _check(twist: Twist, robots: int) -> None:
    """Refuse a velocity that no body can have.

    Raises:
        ModelError: there is no such robot, or a number is not finite
    """
    if 1 <= twist.robot <= robots and abs(twist.speed) <= FASTEST and abs(twist.turn_rate) <= FASTEST:
        return
    if not 1 <= twist.robot <= robots:
        raise ModelError(f"there is no robot {twist.robot} that could drive: there are {robots}")
    if abs(twist.speed) > FASTEST or abs(twist.turn_rate) > FASTEST:
        raise ModelError(
            f"robot {twist.robot} is told to drive {twist!r}: no body is faster than {FASTEST:g} m/s and "
            f"{FASTEST:g} rad/s"
        )
    raise ModelError(f"robot {twist.robot} is told to drive {twist!r}: its decision model must send finite speeds")
