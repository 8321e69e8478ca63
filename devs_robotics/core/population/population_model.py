"""A population as one atomic model of the kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from math import inf
from typing import Any, Protocol

import numpy as np
from msgspec import Struct
from xdevs.models import Port as XdevsPort

from devs_robotics.core.errors import ModelError
from devs_robotics.core.model import Atomic
from devs_robotics.core.population.exact import LATEST, PER_SECOND, is_on_raster, tick
from devs_robotics.core.population.population import Population
from devs_robotics.core.population.rows import Places, Rows
from devs_robotics.core.ports import Port, add_port
from devs_robotics.core.streams import Stream
from devs_robotics.core.wiring import destinations

NOBODY: Places = np.empty(0, np.int64)

TICK = 1.0 / PER_SECOND
"""Between two points of the raster of times (s)."""

ROUNDS = 100_000
"""Number of events of one robot within a period of a grid above which they are refused as an endless chain."""


class LookGrid(Protocol):
    """Points in time between which nothing is told to the robots."""

    def after(self, now: float) -> float:
        """The first point after a time (s)."""
        ...


class MemberMessage(Struct, frozen=True):
    """What one robot has said.

    Attributes:
        time: when (s)
        port: of its model
        value: the message
    """

    time: float
    port: str
    value: Any


class MemberHearing(Struct, frozen=True):
    """What one robot has heard in one step.

    Attributes:
        time: when (s)
        fired: how many of its internal events had come until then, that of this step included
        confluent: whether one of them was in this step
        bag: ports of its model, and what came through them
    """

    time: float
    fired: int
    confluent: bool
    bag: list[tuple[str, Any]]


class Kept(Struct):
    """What one robot of a population has heard and said.

    Attributes:
        member: its ordinary model, as it was before the run
        heard, said: in their order
        fired: how many internal events it has had
    """

    member: Atomic
    heard: list[MemberHearing]
    said: list[MemberMessage]
    fired: int = 0


class PopulationModel(Atomic):
    """Runs a population: all robots whose events are due at an instant make them in one event.

    In one step of the kernel it does with each robot what the kernel would do with its ordinary model in that step, so
    that the steps of all are the same. Its ports have the names of the model's ports, and carry `Rows`.

    Where all that it says leads to a grid, on which nothing can be told between two points, or to models that may hear
    it late (`late_until`), it makes the events between two points ahead of time, right before the second: in rounds,
    each robot's first event, then the second of those that have one, each at its own time, which the rows say. This is
    a conservative parallel simulation whose lookahead is the grid's period. A run must then end on a point of the grid,
    or when a model that may hear late wants to have heard all.

    Args:
        population: the robots
        members: their ordinary models

    Attributes:
        grid: points in time between which nothing is told; None: anything may come at any time
        members: the ordinary models; none of them once the run has begun
    """

    def __init__(self, name: str, population: Population, members: Sequence[Atomic] = ()) -> None:
        super().__init__(name)
        self.population = population
        self.kept: dict[int, Kept] = {}
        """By robot's number: what is kept of those that are watched."""
        self.grid: LookGrid | None = None
        self._late_until = 0.0
        """Up to when all that hear of events may hear of them late (s)."""
        self._is_ahead = False
        self.members: Sequence[Atomic] = members
        self._singly: dict[tuple[str, int], Port[Any]] = {}
        for port in population.outgoing:
            add_port(self, Port(Rows, port), "out")
        for port in population.incoming:
            add_port(self, Port(Rows, port), "in")

    def keep(self, robots: Iterable[int]) -> None:
        """Keep what these robots hear and say, by their numbers; before the run begins.

        Raises:
            ModelError: there is no such robot, or the run has begun
        """
        numbers = self.population.robots
        for robot in robots:
            place = int(np.searchsorted(numbers, robot))
            if place >= len(self.members) or numbers[place] != robot:
                raise ModelError(f"{self.name} has no robot {robot} of which something could be kept")
            member = self.members[place]
            for name, value in vars(member).items():
                if isinstance(value, Stream):  # the population draws from it, too
                    setattr(member, name, deepcopy(value))
            self.kept[robot] = Kept(member, [], [])

    def singly(self, port: str, robot: int = 0) -> Port[Any]:
        """A port on which the messages of an output port are sent one by one; it is made once.

        Args:
            port: name of the model's output port
            robot: number of the one whose messages are sent; 0: those of all
        """
        if port not in self.population.outgoing:
            raise ModelError(f"{self.name} has no output {port!r}: it has {', '.join(self.population.outgoing)}")
        if (port, robot) not in self._singly:
            made: Port[Any] = Port(self.population.outgoing[port].kind, f"{port}_of_{robot or 'each'}")
            add_port(self, made, "out")
            self._singly[port, robot] = made
        return self._singly[port, robot]

    def singles(self) -> Iterator[tuple[Port[Any], int]]:
        """The ports that `singly` has made, and of which robot each is; 0: of all."""
        return ((port, robot) for (_, robot), port in self._singly.items())

    def initialize(self) -> None:
        """Set the initial state of all."""
        population = self.population
        self.members = ()
        self._late_until = 0.0 if self.grid is None else late_until(self.out_ports)
        everybody = np.arange(len(population.robots))
        population.initialize(everybody)
        population.plan(everybody)
        self._wait()

    def lambdaf(self) -> None:
        """Output functions of those that are due; or all events up to the next point of the grid."""
        population = self.population
        population.now += self.sigma
        if self._is_ahead:
            self._go_ahead()
            return
        due = self._due()
        if due.size:
            self._count(due)
            population.lambdaf(due)
            self._send()

    def _send(self) -> None:
        for name, port in self.population.outgoing.items():
            for rows in port.sent:
                self.output[name].add(rows)
                self._tell_singly(name, rows)
            port.sent.clear()

    def _count(self, due: Places) -> None:
        for robot, kept in self.kept.items():
            kept.fired += self._has(self.population.robots[due], robot)

    def _go_ahead(self) -> None:
        """Make all events up to now that are still to come, in rounds, each at its own time."""
        population, end = self.population, self.population.now
        population.ahead = True
        for _ in range(ROUNDS):
            due = self._due(end)
            if not due.size:
                break
            population.now = population.next[due]
            self._count(due)
            population.lambdaf(due)
            self._send()
            population.deltint(due)
            self._check_silence()
            population.plan(due)
        else:
            raise ModelError(f"{self.name} makes over {ROUNDS:,} events of a robot before {end:.9g} s: they never end")
        population.ahead, population.now = False, end

    def deltint(self) -> None:
        """Internal transitions of those that are due."""
        self._transit(self._due(), NOBODY)

    def deltext(self, e: float) -> None:
        """External transitions of those that hear something."""
        self._go_to(e)
        self._transit(NOBODY, self._hear())

    def _go_to(self, e: float) -> None:
        """Let time pass (s) until something is heard.

        Raises:
            ModelError: events were to be made ahead of it
        """
        population = self.population
        population.off_raster = population.off_raster or not is_on_raster(e)
        population.now += e
        if self._is_ahead and self._first < population.now:
            raise ModelError(
                f"{self.name} hears something at {self.population.now:.9g} s, which is no point of the grid: couple it "
                'with nothing but its equipment, or take run.population = "models"'
            )

    @property
    def _first(self) -> float:
        """When the next event of any robot is due (s)."""
        return float(self.population.next.min()) if len(self.population.next) else inf

    def deltcon(self) -> None:
        """Transitions of those that are due, or hear something, or both."""
        self._transit(self._due(), self._hear())

    def _due(self, until: float | None = None) -> Places:
        due: Places = (self.population.next <= (self.population.now if until is None else until)).nonzero()[0]
        return due

    def _hear(self) -> Places:
        """Take what has come; returns whose it is."""
        population, bags = self.population, dict[str, list[Rows]]()
        heard: list[Places] = []
        for name, incoming in population.incoming.items():
            bags[name] = list(self.input[name].values)
            places = incoming.take(bags[name])
            if places.size:
                heard.append(places)
        if self.kept:
            self._keep_heard(bags)
        return heard[0] if len(heard) == 1 else self._any_of(heard)

    def _any_of(self, several: list[Places]) -> Places:
        """The robots that are in some of several arrays."""
        if not several:
            return NOBODY
        marked = np.zeros(len(self.population.robots), bool)
        for places in several:
            marked[places] = True
        found: Places = marked.nonzero()[0]
        return found

    def _transit(self, due: Places, hearing: Places) -> None:
        population = self.population
        if due.size and hearing.size:
            both = np.intersect1d(due, hearing, assume_unique=True)
            if both.size:
                population.deltcon(both)
                population.plan(both)
                due = np.setdiff1d(due, both, assume_unique=True)
                hearing = np.setdiff1d(hearing, both, assume_unique=True)
        if due.size:
            population.deltint(due)
            population.plan(due)
        if hearing.size:
            population.deltext(hearing, population.now - population.last[hearing])
            population.plan(hearing, heard=True)
        for incoming in population.incoming.values():
            incoming.clear()
        self._check_silence()
        self._wait()

    def _check_silence(self) -> None:
        if any(port.sent for port in self.population.outgoing.values()):
            raise ModelError(f"{type(self.population).__name__} sends outside of lambdaf: send there only")

    def _wait(self) -> None:
        population, due = self.population, self._first
        if LATEST < due < inf:
            raise ModelError(f"{self.name} plans an event at {due:.9g} s, where the raster of times ends: run shorter")
        self._is_ahead = False
        if self.grid is not None and population.now < due < self._late_until:
            point = min(self.grid.after(population.now), tick(self._late_until))
            if due < point and population.now < point - TICK:
                self._is_ahead, due = True, point - TICK
        self.phase = "waiting"
        self.sigma = exactly_until(due, population.now) - population.now

    def _tell_singly(self, name: str, rows: Rows) -> None:
        for robot, kept in self.kept.items():
            for time, each in _timed(rows, robot, self.population.now):
                kept.said.append(MemberMessage(time, name, each))
        for (port, robot), singly in self._singly.items():
            if port == name:
                for message in rows.messages if robot == 0 else of_robot(rows, robot):
                    singly.add(message)

    def _keep_heard(self, bags: dict[str, list[Rows]]) -> None:
        due = self.population.robots[self._due()]
        for robot, kept in self.kept.items():
            bag = [
                (name, message) for name, heard in bags.items() for rows in heard for message in of_robot(rows, robot)
            ]
            if bag:
                kept.heard.append(MemberHearing(self.population.now, kept.fired, self._has(due, robot), bag))

    def _has(self, robots: Places, robot: int) -> bool:
        place = int(np.searchsorted(robots, robot))
        return place < len(robots) and int(robots[place]) == robot


def exactly_until(due: float, now: float) -> float:
    """Up to when a model may wait (s), so that it knows the time exactly when it goes on, or hears something.

    A model knows only how much time has passed. From a point of the raster on that is exact, and from another time up
    to twice that (Sterbenz), so that it goes on at a point of the raster at the latest before its time has doubled.
    """
    if is_on_raster(now):
        return due
    point = tick(2.0 * now)
    return min(due, point if point > now else 2.0 * now)


def late_until(outputs: Iterable[XdevsPort[Any]]) -> float:
    """Up to when (s) all that hear of what these ports send may hear of it late; 0: never.

    A model may hear late if it has a method ``late_until(port)`` for its input ports: what is sent before the time that
    this returns may come as late as right before the next point of the grid, or that time, whichever is first.
    """
    ends = (end for port in outputs for end in destinations(port))
    return min((_late_until(end) for end in ends), default=inf)


def _late_until(port: XdevsPort[Any]) -> float:
    asked: Callable[[XdevsPort[Any]], float] | None = getattr(port.parent, "late_until", None)
    return 0.0 if asked is None else asked(port)


def _timed(rows: Rows, robot: int, now: Any) -> Iterator[tuple[float, Any]]:
    """The messages of one robot, and when it has sent them."""
    mine = _rows_of(rows, robot)
    times = [now] * len(mine) if mine.at is None else mine.at.tolist()
    return zip(times, mine.messages, strict=True)


def _rows_of(rows: Rows, robot: int) -> Rows:
    first, last = np.searchsorted(rows.robots, (robot, robot + 1)).tolist()
    return rows.select(np.arange(first, last))


def of_robot(rows: Rows, robot: int) -> list[Any]:
    """The messages of one robot."""
    return _rows_of(rows, robot).messages
