"""A population whose robots have further models in arrays, each robot's coupled with each other, as one model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from devs_robotics.core.errors import ModelError
from devs_robotics.core.model import Atomic
from devs_robotics.core.population.population import Population
from devs_robotics.core.population.population_model import NOBODY, ROUNDS, MemberHearing, PopulationModel, of_robot
from devs_robotics.core.population.rows import Places, Rows
from devs_robotics.core.ports import Port, add_port

Bags = dict[str, list[Rows]]
"""By the name of an input port of a model: what has come."""


class Inside(Struct, frozen=True):
    """A coupling of each robot's decision model and its equipment: a port of one, by its name, with one of the other.

    Attributes:
        part: name of the equipment
        ask, hear: the decision model's output, and the input of the equipment that it leads to
        answer, told: the equipment's output, and the input of the decision model that it leads to
    """

    part: str
    ask: str
    hear: str
    answer: str
    told: str


class JointModel(PopulationModel):
    """Runs a population of decision models, and populations of their robots' equipment, as one model.

    A robot's models, coupled with each other, are again one model (closure under coupling), and so are those of all
    robots. In one step of the kernel it does with each robot what the kernel would do with its ordinary models in that
    step: all outputs, then all transitions. Between two points of a grid it makes the steps of each robot ahead of
    time, in rounds, each at its robot's own time.

    Ports of equipment that are not coupled inside are ports of this model, called ``motor_world_ask`` and so on.

    Args:
        population: of the decision models
        members: the ordinary decision models
        equipment: by name: of the same robots
        inside: how each robot's decision model is coupled with these
    """

    def __init__(
        self,
        name: str,
        population: Population,
        members: Sequence[Atomic],
        equipment: Mapping[str, Population],
        inside: Sequence[Inside],
    ) -> None:
        super().__init__(name, population, members)
        self.equipment = dict(equipment)
        self._parts = [population, *equipment.values()]
        number = {title: place for place, title in enumerate(equipment, 1)}
        self._inside: dict[tuple[int, str], list[tuple[int, str]]] = {}
        """By a model and its output: the inputs of others that it leads to."""
        for each in inside:
            other = number[each.part]
            self._inside.setdefault((0, each.ask), []).append((other, each.hear))
            self._inside.setdefault((other, each.answer), []).append((0, each.told))
        heard = {end for ends in self._inside.values() for end in ends}
        self._outputs: dict[tuple[int, str], Port[Rows]] = {}
        self._inputs: dict[tuple[int, str], Port[Rows]] = {}
        for place, (title, part) in enumerate({"": population, **equipment}.items()):
            part.off_raster = True  # motions last as long as they do
            for port in part.outgoing:
                if (place, port) not in self._inside or not place:
                    self._outputs[place, port] = self._port(f"{title}_{port}" if title else port, "out")
            for port in part.incoming:
                if (place, port) not in heard:
                    self._inputs[place, port] = self._port(f"{title}_{port}" if title else port, "in")
        self._heard: dict[tuple[str, int], Port[Any]] = {}
        self._times: NDArray[np.float64] = np.empty(0)
        """When the next event of each robot is (s)."""
        self._imminent: list[Places] = []
        """Of each model: the robots whose outputs it has made in this step."""
        self._mail: list[Bags] = [{} for _ in self._parts]
        """Of each model: what it has been sent inside in this step."""

    def _port(self, name: str, direction: str) -> Port[Rows]:
        """A port of this name; those of decision models are there already."""
        ports = self.output if direction == "out" else self.input
        found = ports.get(name)
        if isinstance(found, Port):
            return found
        port: Port[Rows] = Port(Rows, name)
        add_port(self, port, direction)
        return port

    def heard(self, port: str, robot: int = 0) -> Port[Any]:
        """A port on which what decision models hear from their equipment is sent one by one; it is made once.

        Args:
            port: name of the decision model's input port
            robot: number of the one whose messages are sent; 0: those of all
        """
        if (port, robot) not in self._heard:
            made: Port[Any] = Port(self.population.incoming[port].kind, f"{port}_of_{robot or 'each'}")
            add_port(self, made, "out")
            self._heard[port, robot] = made
        return self._heard[port, robot]

    def initialize(self) -> None:
        """Set the initial state of all."""
        everybody = np.arange(len(self.population.robots))
        for part in self.equipment.values():
            part.initialize(everybody)
            part.plan(everybody)
        self._times = np.full(len(everybody), np.inf)
        self._imminent = [NOBODY] * len(self._parts)
        super().initialize()
        self._plan(everybody)
        self._wait()

    def lambdaf(self) -> None:
        """Output functions of those that are due; or all events up to the next point of the grid."""
        self.population.now += self.sigma
        if self._is_ahead:
            self._go_ahead()
        else:
            self._fire(self._due(), own=False)

    def _go_ahead(self) -> None:
        end = self.population.now
        for part in self._parts:
            part.ahead = True
        for _ in range(ROUNDS):
            due = self._due(end)
            if not due.size:
                break
            self._fire(due, own=True)
            self._move([{} for _ in self._parts], own=True)
        else:
            raise ModelError(f"{self.name} makes over {ROUNDS:,} events of a robot before {end:.9g} s: they never end")
        for part in self._parts:
            part.ahead = False
        self.population.now = end

    def deltint(self) -> None:
        """Internal transitions of those that are due."""
        self._step([{} for _ in self._parts])

    def deltext(self, e: float) -> None:
        """External transitions of those that hear something."""
        self._go_to(e)
        self._step(self._bags())

    def deltcon(self) -> None:
        """Transitions of those that are due, or hear something, or both."""
        self._step(self._bags())

    @property
    def _first(self) -> float:
        return float(self._times.min()) if len(self._times) else np.inf

    def _due(self, until: float | None = None) -> Places:
        due: Places = (self._times <= (self.population.now if until is None else until)).nonzero()[0]
        return due

    def _bags(self) -> list[Bags]:
        """What has come from outside."""
        bags: list[Bags] = [{} for _ in self._parts]
        for (place, name), port in self._inputs.items():
            if port:
                bags[place][name] = list(port.values)
        return bags

    def _step(self, bags: list[Bags]) -> None:
        now = self.population.now
        self._move(bags, own=False)
        self.population.now = now
        self._wait()

    def _fire(self, due: Places, *, own: bool) -> None:
        """The output functions of all models that are due, each robot's at its own time, or all now."""
        now, times = self.population.now, self._times[due]
        for place, part in enumerate(self._parts):
            at = part.next[due] == times if own else part.next[due] <= now
            some = due[at]
            self._imminent[place] = some
            if not some.size:
                continue
            part.now = times[at] if own else now
            if not place:
                self._count(some)
            part.lambdaf(some)
            for name, port in part.outgoing.items():
                for rows in port.sent:
                    self._deliver(place, name, rows)
                port.sent.clear()

    def _deliver(self, place: int, name: str, rows: Rows) -> None:
        """What a model has sent, inside and outside."""
        for other, port in self._inside.get((place, name), ()):
            self._mail[other].setdefault(port, []).append(rows)
            for (heard, robot), singly in self._heard.items():
                if heard == port and not other:
                    for message in rows.messages if robot == 0 else of_robot(rows, robot):
                        singly.add(message)
        outside = self._outputs.get((place, name))
        if outside is not None:
            outside.add(rows)
        if not place:
            self._tell_singly(name, rows)

    def _move(self, bags: list[Bags], *, own: bool) -> None:
        """The transitions of all models that were due, or hear something."""
        now, touched = self.population.now, list[Places]()
        for place, part in enumerate(self._parts):
            mail, due = {**bags[place], **self._mail[place]}, self._imminent[place]
            hearing = self._hear_by(part, mail)
            if self.kept and not place and hearing.size:
                self._note(mail, due, now, own=own)
            both = NOBODY
            if due.size and hearing.size:
                both = np.intersect1d(due, hearing, assume_unique=True)
                due = np.setdiff1d(due, both, assume_unique=True)
                hearing = np.setdiff1d(hearing, both, assume_unique=True)
            for who, change in ((both, part.deltcon), (due, part.deltint), (hearing, None)):
                if not who.size:
                    continue
                part.now = self._times[who] if own else now
                if change is None:
                    part.deltext(who, part.now - part.last[who])
                else:
                    change(who)
                part.plan(who, heard=change is None)
                touched.append(who)
            for incoming in part.incoming.values():
                incoming.clear()
            if any(port.sent for port in part.outgoing.values()):
                raise ModelError(f"{type(part).__name__} sends outside of lambdaf: send there only")
            self._imminent[place] = NOBODY
        for waiting in self._mail:
            waiting.clear()
        for who in touched:
            self._plan(who)

    def _hear_by(self, part: Population, mail: Bags) -> Places:
        """Whose messages have come to a model."""
        heard = [places for name, rows in mail.items() if (places := part.incoming[name].take(rows)).size]
        return heard[0] if len(heard) == 1 else self._any_of(heard)

    def _plan(self, who: Places) -> None:
        """When the next event of each of these robots is, of whichever of its models."""
        times = self._parts[0].next[who]
        for part in self._parts[1:]:
            times = np.minimum(times, part.next[who])
        self._times[who] = times

    def _note(self, mail: Bags, due: Places, now: float, *, own: bool) -> None:
        """Keep what robots hear that are watched."""
        robots = self.population.robots
        for robot, kept in self.kept.items():
            bag = [
                (name, message) for name, heard in mail.items() for rows in heard for message in of_robot(rows, robot)
            ]
            if bag:
                time = float(self._times[np.searchsorted(robots, robot)]) if own else now
                kept.heard.append(MemberHearing(time, kept.fired, self._has(robots[due], robot), bag))
