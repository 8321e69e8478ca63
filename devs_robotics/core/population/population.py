"""The array twin of a decision model, as its author writes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from xdevs import PHASE_ACTIVE, PHASE_PASSIVE

from devs_robotics.core.errors import ModelError
from devs_robotics.core.model import Atomic
from devs_robotics.core.model_node import TIME_ROUNDING
from devs_robotics.core.population.declarations import Declared
from devs_robotics.core.population.exact import is_on_raster
from devs_robotics.core.population.rows import Places, Rows, fields_of
from devs_robotics.core.ports import type_name
from devs_robotics.core.robots.activity import Actuator, Sensor, exchanges_of

_TWIN = "_twin_in_arrays"
"""Attribute of a class of models, and not of classes derived from it: its population."""


class Population:
    """Many robots' decision models of one class in arrays; a subclass says by ``of=`` which class that is.

    A class of models has one twin, whatever is tried beside it: a class derived from the twin, without ``of=``, can be
    held against the models by `prove_twin`, and takes part in no run.

    It has the model's five functions. Each takes `who`, the robots concerned, by their places in the arrays, ascending,
    and touches these alone. Its ports have the model's names: ``self.motor.ask.send(who, ...)`` puts a message of each
    into one, and ``for who, said in self.motor.answer.each(who)`` goes through what has come.

    Args:
        members: the ordinary models, as they are before they are initialised, from which columns take their values
        robots: their numbers, ascending

    Attributes:
        of: the class of the ordinary models
        robots: the robots' numbers, by their places
        now: simulated time (s); where events are made ahead of time, that of each of the robots concerned
        sigma: time from the last transition of each to its next internal one (s)
        last, next: when these were, and will be (s)
    """

    of: ClassVar[type[Atomic]]
    _declarations: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, of: type[Atomic] | None = None, **options: Any) -> None:
        super().__init_subclass__(**options)
        if of is not None:
            cls.of = of
            _become_twin(cls, of)
        declared = (name for base in cls.__mro__ for name, value in vars(base).items() if isinstance(value, Declared))
        cls._declarations = tuple(dict.fromkeys(declared))

    def __init__(self, members: Sequence[Atomic], robots: Sequence[int]) -> None:
        if not hasattr(type(self), "of"):
            raise ModelError(
                f"{type(self).__name__} is the twin of no model: write its class with (Population, of=...)"
            )
        count = len(members)
        self.robots = np.array(robots, np.int64)
        self._dense = count > 0 and bool(self.robots[-1] - self.robots[0] == count - 1)
        self.now: Any = 0.0
        self.ahead = False
        """Whether events are made ahead of time, each at its own."""
        self.off_raster = False
        """Whether times may come that are not on the raster, so that what is left of one need not add up to it."""
        self._going_on: list[Places] = []
        self.sigma = np.full(count, np.inf)
        self.last = np.zeros(count)
        self.next = np.full(count, np.inf)
        self._phase = np.zeros(count, np.int16)
        self._phases = {PHASE_PASSIVE: 0}
        self.outgoing: dict[str, Outgoing] = {}
        self.incoming: dict[str, Incoming] = {}
        for name in self._declarations:
            setattr(self, name, getattr(type(self), name).made(members))
        if count:
            self._take_ports(members[0])

    def __getattr__(self, name: str) -> Any:
        """Ports, by the names that they have in the model."""
        raise AttributeError(
            f"{type(self).__name__} has no {name!r}: declare it, as {name} = Column(float), if it is an attribute of "
            "the model"
        )

    def initialize(self, who: Places) -> None:
        """Set the initial state."""

    def lambdaf(self, who: Places) -> None:
        """Output function of robots whose time advance has passed."""

    def deltint(self, who: Places) -> None:
        """Internal transition function; by default they then wait for ever."""
        self.passivate(who)

    def deltext(self, who: Places, e: NDArray[np.float64]) -> None:
        """External transition function of robots that hear something, `e` (s) after the last transition of each."""
        self.continuef(who, e)

    def deltcon(self, who: Places) -> None:
        """Confluent transition function; by default the internal one first, and then the external one."""
        self.deltint(who)
        self.deltext(who, np.zeros(len(who)))

    def hold_in(self, who: Places, phase: str, sigma: float | NDArray[np.float64]) -> None:
        """Let robots be in a phase for some time (s) of the raster, the same for all or one for each.

        Raises:
            ModelError: a time is not on the raster, negative or no number
        """
        if not is_on_raster(sigma):
            raise ModelError(
                f"{type(self).__name__} holds robots in {phase!r} for a time that is not on the raster of 2^-30 s: "
                "give exact.tick(time), in the twin and in the model"
            )
        self._phase[who] = self._phases.setdefault(phase, len(self._phases))
        self.sigma[who] = sigma

    def activate(self, who: Places, phase: str = PHASE_ACTIVE) -> None:
        """Make the next internal events due at once."""
        self.hold_in(who, phase, 0.0)

    def passivate(self, who: Places, phase: str = PHASE_PASSIVE) -> None:
        """Let robots wait for ever."""
        self.hold_in(who, phase, np.inf)

    def continuef(self, who: Places, e: NDArray[np.float64]) -> None:
        """Leave the next internal events as they are, `e` (s) after the last transition of each."""
        self.sigma[who] -= e
        if self.off_raster:
            self._going_on.append(who)

    def in_phase(self, who: Places, *phases: str) -> NDArray[np.bool_]:
        """Which of these robots are in one of some phases."""
        at, (first, *others) = self._phase[who], phases
        found: NDArray[np.bool_] = at == self._phases.get(first, -1)
        for phase in others:
            found |= at == self._phases.get(phase, -1)
        return found

    def plan(self, who: Places, *, heard: bool = False) -> None:
        """Plan the next internal events of robots that have made a transition now.

        Args:
            who: the robots
            heard: whether it was an external transition, after which events that were left keep their times

        Raises:
            ModelError: a time advance is negative or no number
        """
        sigma = self.sigma[who]
        if not (sigma >= 0.0).all():
            place = int(who[~(sigma >= 0.0)][0])
            raise ModelError(
                f"the time advance of robot {self.robots[place]} in {type(self).__name__} is {self.sigma[place]}: it "
                "must not be negative"
            )
        left = [(some, self.next[some]) for some in self._going_on] if heard else []
        self._going_on.clear()
        self.last[who] = self.now
        self.next[who] = self.now + sigma
        for some, due in left:
            self._keep(some, due)

    def _keep(self, who: Places, due: NDArray[np.float64]) -> None:
        """Events that were left are at the times (s) at which they were, as the kernel has it for ordinary models."""
        with np.errstate(invalid="ignore"):
            kept = np.abs(self.next[who] - due) <= TIME_ROUNDING * due
        some, due = who[kept], due[kept]
        self.next[some] = due
        self.sigma[some] = due - self.last[some]

    def places_of(self, robots: NDArray[np.int64]) -> Places:
        """The places of robots of this population, by their numbers."""
        return robots - self.robots[0] if self._dense else np.searchsorted(self.robots, robots)

    def _take_ports(self, model: Atomic) -> None:
        """Have the model's ports, by their names."""
        conversations = exchanges_of(model, Sensor, Actuator)
        paired = {id(port) for each in conversations.values() for port in (each.ask, each.answer)}
        for port in model.out_ports:
            self.outgoing[port.name] = Outgoing(self, port.name, port.p_type)
        for port in model.in_ports:
            self.incoming[port.name] = Incoming(self, port.name, port.p_type)
        for name, exchange in conversations.items():
            ask, answer = self.outgoing.get(exchange.ask.name), self.incoming.get(exchange.answer.name)
            setattr(self, name, Conversation(ask, answer))
        for port in (*model.in_ports, *model.out_ports):
            if id(port) not in paired:
                setattr(self, port.name, self.outgoing.get(port.name) or self.incoming.get(port.name))


class Outgoing:
    """An output port of all robots."""

    def __init__(self, population: Population, name: str, kind: Any) -> None:
        self.kind = kind
        self.name = name
        self.sent: list[Rows] = []
        self._population = population

    def send(self, who: Places, *what: Any) -> None:
        """Put a message of each of these robots into the port.

        Args:
            who: the robots, by their places
            what: an array for each field of the message, in their order; or one message, or plain value, for all

        Raises:
            ModelError: there are more or fewer arrays than fields, or an array is of another length
        """
        if not len(who):
            return
        robots, fields = self._population.robots[who], fields_of(self.kind)
        if len(what) == 1 and not isinstance(what[0], np.ndarray):
            if isinstance(self.kind, type) and not isinstance(what[0], self.kind):
                raise ModelError(f"{self._title} carries {type_name(self.kind)}, not {what[0]!r}")
            self._put(who, Rows.of_one(self.kind, robots, what[0]))
            return
        if len(what) != len(fields):
            raise ModelError(f"{self._title} sends a column for each of {', '.join(fields)}, not {len(what)} columns")
        columns = [np.broadcast_to(column, len(who)) if np.ndim(column) == 0 else column for column in what]
        if any(len(column) != len(who) for column in columns):
            raise ModelError(f"{self._title} sends rows of {len(who)} robots, and a column has another length")
        self._put(who, Rows.of_columns(self.kind, robots, columns))

    def _put(self, who: Places, rows: Rows) -> None:
        population = self._population
        self.sent.append(replace(rows, at=population.next[who]) if population.ahead else rows)

    @property
    def _title(self) -> str:
        return f"{type(self._population).__name__}.{self.name}"


class Incoming:
    """An input port of all robots, with what has come at this instant."""

    def __init__(self, population: Population, name: str, kind: Any) -> None:
        self.kind = kind
        self.name = name
        self._population = population
        self._rows: list[tuple[Places, Rows]] = []

    def take(self, heard: Sequence[Rows]) -> Places:
        """Take what has come; returns whose it is, by their places."""
        self._rows = []
        if not heard:
            return np.empty(0, np.int64)
        rows = heard[0] if len(heard) == 1 else _together(self.kind, heard)
        places = self._population.places_of(rows.robots)
        another = places[1:] != places[:-1]
        if another.all():
            self._rows = [(places, rows)]
            return places
        first = np.concatenate(([True], another))
        starts = np.flatnonzero(first)
        number = np.arange(len(places)) - np.repeat(starts, np.diff(np.append(starts, len(places))))
        for each in range(int(number.max()) + 1):
            chosen = number == each
            self._rows.append((places[chosen], rows.select(chosen)))
        heads: Places = places[first]
        return heads

    def clear(self) -> None:
        """Take everything out of the port."""
        self._rows = []

    def each(self, who: Places) -> Iterator[tuple[Places, Rows]]:
        """What has come for these robots: first the first message of each, then the second of those that have one."""
        for places, rows in self._rows:
            if places is who or (places.size == who.size and (places == who).all()):
                yield places, rows
                continue
            chosen = np.isin(places, who, assume_unique=True)
            if chosen.all():
                yield places, rows
            elif chosen.any():
                yield places[chosen], rows.select(chosen)

    def has(self, who: Places) -> NDArray[np.bool_]:
        """Which of these robots have something in the port."""
        if not self._rows:
            return np.zeros(len(who), bool)
        return np.isin(who, self._rows[0][0], assume_unique=True)


class Conversation:
    """A sensor or an actuator of all robots: what they ask, and what they are answered."""

    def __init__(self, ask: Outgoing | None, answer: Incoming | None) -> None:
        assert ask is not None
        assert answer is not None
        self.ask = ask
        self.answer = answer


def twin_of(model: type[Atomic]) -> type[Population] | None:
    """The population of a class of models; None where there is none, as for a class that is derived from it."""
    found: type[Population] | None = vars(model).get(_TWIN)
    return found


def _become_twin(twin: type[Population], model: type[Atomic]) -> None:
    """Let a class be the twin of a class of models; one that is written again, in a notebook, takes its own place.

    Raises:
        ModelError: another class is the twin already
    """
    other = twin_of(model)
    if other is not None and (other.__module__, other.__qualname__) != (twin.__module__, twin.__qualname__):
        raise ModelError(
            f"{twin.__name__} is to be the twin of {model.__name__}, and {other.__module__}.{other.__qualname__} is "
            f"already: derive it from that, and leave out of=, to try it by prove_twin; give it the same name to "
            f"replace that; or write it for a class derived from {model.__name__}"
        )
    setattr(model, _TWIN, twin)


def _together(kind: Any, heard: Sequence[Rows]) -> Rows:
    robots = [number for rows in heard for number in rows.robots.tolist()]
    return Rows.of_messages(kind, robots, [message for rows in heard for message in rows.messages])
