"""Radio with a range and channels: entries into the range, and exits, are foreseen from the robots' motions."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from math import hypot, inf
from typing import Any, NamedTuple

from msgspec import Struct

from devs_robotics import Atomic, Exchange, In, ModelError, Port
from devs_robotics.core.noise_by_tick import key, uniform
from devs_robotics.core.ports import add_port
from devs_robotics.models.environment.crossing import first_apart, first_near
from devs_robotics.models.environment.messages import TrajectoryChange
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Pose, Trajectory

FAR = 0.5
"""Two robots that cannot be at the border of the range for so long (s) are left alone until they can."""

AHEAD = 30.0
"""So far ahead (s) entries and exits are foreseen."""

SOON = 1e-3
"""Least time between two looks at a pair (s)."""


class Transmit(Struct, frozen=True):
    """A command to a transceiver: be on a channel, and send there what it says, if it says something.

    Attributes:
        channel: on which it sends and hears from now on
        text, numbers, others: what it sends; what they mean is the robots' own affair; nothing, without a text
        period: of sending it again and again (s), until the next command with a period, or on another channel; 0: once
    """

    channel: int = 0
    text: str = ""
    numbers: tuple[float, ...] = ()
    others: tuple[float, ...] = ()
    period: float = 0.0


class Reception(Struct, frozen=True):
    """What a transceiver has heard.

    Attributes:
        sender: number of the robot that sent it
        text, numbers, others: that it sent
    """

    sender: int
    text: str
    numbers: tuple[float, ...] = ()
    others: tuple[float, ...] = ()


class Saying(NamedTuple):
    """What a robot sends: on which channel, and how often (s; 0: once)."""

    channel: int
    period: float
    reception: Reception


Pair = tuple[int, int]
"""Numbers of two robots, the lower one first."""


class Air(Atomic):
    """Carries what transceivers send to those in range that are on the same channel.

    =========  ==========================  ============================  =========================================
    phase      time advance                output                        next phase
    =========  ==========================  ============================  =========================================
    carrying   until the next entry, exit  what is heard now             carrying
               or reception
    =========  ==========================  ============================  =========================================

    Who is in range of whom is known at every instant, and nobody asks for it: entries and exits are roots in closed
    form, and pairs that are far apart are left alone. What is sent again and again goes out to a robot that comes into
    range at once, and then once a period as long as it is there: to hearers this is the same as sending at all times,
    up to one period. Whether one hears what another sends is a number of (sender, how many before to the same hearer,
    hearer), so that neither the order nor other robots matter. Obstacles stop nothing.

    Ports:
        trajectory_change: how robots move, after each change
        and two per robot, which `offer` makes

    Args:
        poses: where the robots stand at first, robot 1 first
        seed: of the run
        reach: how far a robot is heard, from centre to centre (m)
        latency: time from sending to hearing (s)
        loss: share of what is sent that a robot in range does not hear, from 0 to 1
        queue: how much can be under way to one hearer; what is more drops the oldest

    Attributes:
        sent, heard, lost, dropped: how much was sent, counted once per robot in range, and what became of it

    Raises:
        ModelError: reach, latency or queue are less than they can be, or the loss is no share
    """

    trajectory_change = In(TrajectoryChange)

    def __init__(
        self,
        name: str,
        poses: Sequence[Pose],
        seed: int,
        reach: float,
        latency: float = 0.0,
        loss: float = 0.0,
        queue: int = 100,
    ) -> None:
        super().__init__(name)
        if not (reach > 0.0 and latency >= 0.0 and 0.0 <= loss <= 1.0 and queue >= 1):
            raise ModelError(
                f"{name!r}: reach must be above 0, latency at least 0, loss from 0 to 1, queue at least 1; not "
                f"{reach:g}, {latency:g}, {loss:g}, {queue}"
            )
        self.reach, self.latency, self.loss, self.queue, self.seed = reach, latency, loss, queue, seed
        self.sent = self.heard = self.lost = self.dropped = 0
        self.near: dict[int, set[int]] = {robot: set() for robot in range(1, len(poses) + 1)}
        """Who is in range, by robot."""
        self._moves: dict[int, Trajectory] = {k: Arc(0.0, *pose) for k, pose in enumerate(poses, 1)}
        self._channel = dict.fromkeys(self.near, 0)
        self._repeats: dict[int, Saying] = {}
        self._close: dict[int, set[int]] = {robot: set() for robot in self.near}
        """Pairs that may be at the border soon: a change of either's motion counts."""
        self._looks: dict[Pair, float] = {}
        self._calls: dict[Pair, float] = {}
        """When a pair is looked at, and when it hears what is repeated (s)."""
        self._events: list[tuple[float, int, Pair]] = []
        self._under_way: deque[tuple[float, int, int, Reception]] = deque()
        """When, who hears, on which channel, and what."""
        self._waiting: defaultdict[int, int] = defaultdict(int)
        self._counts: defaultdict[Pair, int] = defaultdict(int)
        self._keys: dict[Pair, int] = {}
        self._fastest = 0.0
        self._now = 0.0
        self._ports: dict[int, tuple[Port[Transmit], Port[Reception]]] = {}

    def initialize(self) -> None:
        """See who is in range."""
        for robot in self.near:
            for other in range(robot + 1, len(self.near) + 1):
                self._look((robot, other))
        self._wait()

    def offer(self, robot: int, question: object, answer: object) -> Exchange[Any, Any] | None:
        """The two ports on which a robot sends and hears; None for other questions, and a second time."""
        if (question, answer) != (Transmit, Reception) or robot in self._ports or robot not in self.near:
            return None
        sends: Port[Transmit] = Port(Transmit, f"sends{robot}")
        hears: Port[Reception] = Port(Reception, f"hears{robot}")
        add_port(self, sends, "in")
        add_port(self, hears, "out")
        self._ports[robot] = sends, hears
        return Exchange(sends, hears)

    def deltext(self, e: float) -> None:
        """Take motions, and then what is sent, each in the order of the robots' numbers."""
        self._now += e
        moved = {change.robot: change.trajectory for change in self.trajectory_change.values}
        if moved:
            self._move(moved)
        for robot, (sends, _) in self._ports.items():
            if sends:
                for command in sends.values:
                    self._take(robot, command)
        self._wait()

    def lambdaf(self) -> None:
        """Let all hear what comes to them now."""
        now = self._now + self.sigma
        for time, robot, channel, reception in self._under_way:
            if time > now:
                break
            if self._channel[robot] == channel:
                self._ports[robot][1].add(reception)

    def deltint(self) -> None:
        """Look at pairs that may be at the border, and repeat what is repeated."""
        self._now += self.sigma
        now = self._now
        while self._under_way and self._under_way[0][0] <= now:
            _, robot, channel, _ = self._under_way.popleft()
            self._waiting[robot] -= 1
            self.heard += self._channel[robot] == channel
        while self._events and self._events[0][0] <= now:
            time, kind, pair = heappop(self._events)
            if kind == 0 and self._looks.get(pair) == time:
                self._look(pair)
            elif kind == 1 and self._calls.get(pair) == time:
                self._call(pair)
        self._wait()

    # who is in range

    def _move(self, moved: dict[int, Trajectory]) -> None:
        self._moves.update(moved)
        fastest = max(trajectory.fastest for trajectory in moved.values())
        if fastest > self._fastest:
            self._fastest = fastest
            pairs = {(one, other) for one in self.near for other in self.near if one < other}
        else:
            pairs = {_pair(robot, other) for robot in moved for other in self._close[robot]}
        for pair in sorted(pairs):
            self._look(pair)

    def _look(self, pair: Pair) -> None:
        """Whether a pair is in range now, and when to look again."""
        one, other = pair
        a, b, now = self._moves[one], self._moves[other], self._now
        (ax, ay, _), (bx, by, _) = a.pose(now), b.pose(now)
        gap = hypot(bx - ax, by - ay) - self.reach
        was = other in self.near[one]
        time = inf
        if abs(gap) > 2.0 * self._fastest * FAR:
            near = gap <= 0.0
            self._close[one].discard(other)
            self._close[other].discard(one)
            if self._fastest:
                time = now + abs(gap) / (2.0 * self._fastest)
        else:
            self._close[one].add(other)
            self._close[other].add(one)
            near = was if abs(gap) <= 1e-9 else gap < 0.0
            time = self._crossing(near, a, b)
            if time <= now:  # at the border, and over it now
                near = not near
                time = max(now + SOON, self._crossing(near, a, b))
            if time == inf and not (_rests(a) and _rests(b)):
                time = now + AHEAD
        self._looks[pair] = time
        if time < inf:
            heappush(self._events, (time, 0, pair))
        if near != was:
            for robot, partner in (pair, pair[::-1]):
                (self.near[robot].add if near else self.near[robot].discard)(partner)
            self._connect(pair)

    def _crossing(self, near: bool, a: Trajectory, b: Trajectory) -> float:
        return (first_apart if near else first_near)(a, b, self.reach, self._now, self._now + AHEAD)

    # what is sent

    def _take(self, robot: int, command: Transmit) -> None:
        if command.channel != self._channel[robot]:
            self._channel[robot] = command.channel
            self._repeats.pop(robot, None)
            for other in sorted(self.near[robot]):
                self._calls.pop(_pair(robot, other), None)
        if command.text:
            reception = Reception(robot, command.text, command.numbers, command.others)
            said = Saying(command.channel, command.period, reception)
            if command.period:
                self._repeats[robot] = said
            else:
                for other in sorted(self.near[robot]):
                    self._carry(robot, other, said)
        if command.period:
            for other in sorted(self.near[robot]):
                if _pair(robot, other) not in self._calls:
                    self._connect(_pair(robot, other))

    def _connect(self, pair: Pair) -> None:
        """A pair may hear each other from now on, or not any more: what is repeated is said at once."""
        one, other = pair
        if other in self.near[one] and self._channel[one] == self._channel[other]:
            self._call(pair)
        else:
            self._calls.pop(pair, None)

    def _call(self, pair: Pair) -> None:
        """Each says to the other what it repeats; and when they do it again."""
        periods = []
        for sender, hearer in (pair, pair[::-1]):
            said = self._repeats.get(sender)
            if said is not None:
                periods.append(said.period)
                self._carry(sender, hearer, said)
        if periods:
            self._calls[pair] = time = self._now + min(periods)
            heappush(self._events, (time, 1, pair))

    def _carry(self, sender: int, hearer: int, said: Saying) -> None:
        self.sent += 1
        if self._is_lost(sender, hearer):
            self.lost += 1
            return
        if self._waiting[hearer] >= self.queue:
            oldest = next(each for each in self._under_way if each[1] == hearer)
            self._under_way.remove(oldest)
            self.dropped += 1
        else:
            self._waiting[hearer] += 1
        self._under_way.append((self._now + self.latency, hearer, said.channel, said.reception))

    def _is_lost(self, sender: int, hearer: int) -> bool:
        if not self.loss:
            return False
        way = sender, hearer
        number, self._counts[way] = self._counts[way], self._counts[way] + 1
        if way not in self._keys:
            self._keys[way] = key(self.seed, sender, f"loss of {self.name}", hearer)
        return (uniform(self._keys[way], number) + 1.0) / 2.0 < self.loss

    def _wait(self) -> None:
        events = self._events
        while events and (self._looks, self._calls)[events[0][1]].get(events[0][2]) != events[0][0]:
            heappop(events)
        due = min(events[0][0] if events else inf, self._under_way[0][0] if self._under_way else inf)
        self.hold_in("carrying", max(0.0, due - self._now))

    def pairs_on(self, channel: int) -> Iterator[Pair]:
        """The pairs of robots that are on a channel, near or not."""
        there = [robot for robot, where in self._channel.items() if where == channel]
        yield from ((one, other) for one in there for other in there if one < other)


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def _rests(trajectory: Trajectory) -> bool:
    return not trajectory.fastest
