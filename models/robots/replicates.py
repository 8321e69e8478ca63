"""Systems of several runs as one: their teams are one population, and their fields lie apart in one environment."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np
from msgspec.structs import replace

from devs_robotics import Atomic, Coupled, ModelError, Port, PoseChange, equip
from devs_robotics.core.population import Alike
from devs_robotics.core.population.population_model import late_until
from devs_robotics.core.population.rows import Rows
from devs_robotics.core.ports import add_port
from devs_robotics.core.robots.activity import lead_through
from devs_robotics.models.environment import Environment, Field
from devs_robotics.models.environment.crowd import Crowd
from devs_robotics.models.robots.case_system import CaseSystem
from devs_robotics.models.robots.kinds import RobotKind
from devs_robotics.models.robots.team import TeamModel

POSES = "poses"
"""What is heard of where robots are, beside what they say and are answered."""


class NotTogetherError(ModelError):
    """Replicates that cannot be simulated in one set of arrays."""


class ReplicatedSystem(Coupled):
    """Several systems that are equal but for their seeds, in one set of arrays.

    Robot i of replicate r does what it does in a run of its own: it stands at the same place, has the same random
    numbers, and sees those of its replicate alone.

    Args:
        systems: complete, of one team each, which is in arrays on a grid; they are not simulated themselves

    Raises:
        NotTogetherError: they differ, or have anything else
    """

    def __init__(self, name: str, systems: Sequence[CaseSystem]) -> None:
        super().__init__(name)
        first = systems[0]
        for system in systems:
            _check(system, first)
        teams = [team for system in systems for team in system.teams]
        arrays = [team.arrays for team in teams if team.arrays is not None]
        self.count = len(arrays[0].numbers)
        numbers = range(1, len(systems) * self.count + 1)
        firsts = [team.first for team in teams if team.first is not None]
        self.team = TeamModel("team", firsts[:1], numbers, _members(arrays))
        self.add_component(self.team)
        field = Field(first.field.width, first.field.height, walled=first.field.walled)
        field.add_crowd(Crowd([pose for system in systems for pose in system.poses], first.field.largest))
        body, pace = first.body, first.pace_of(RobotKind())
        replica = np.repeat(np.arange(len(systems)), self.count).tolist()
        self.environment = Environment(
            "environment",
            field,
            pace.speed,
            pace.turn_rate,
            body.whisker_reach,
            strategy="grid",
            grid=first.grid,
            replica=replica,
        )
        self.add_component(self.environment)
        self.team.open_to_the_world()
        grid = self.environment.on_grid
        assert grid is not None
        self.team.meet_grid(grid)
        for each, shared in self.team.shared.items():
            offered = self.environment.offer_rows(numbers, shared.asks, shared.answers, f"{each}_of_team", each)
            equip(self, self.team.worlds[each], offered)
        self._splitter = Splitter("splitter", self.count)
        self.add_component(self._splitter)

    def heard(self, what: str, kind: Any, replicate: int) -> Port[Any]:
        """A port on which the robots of one replicate are heard, one by one.

        Args:
            what: an output of their decision models, a piece of their equipment, which answers them, or `POSES`
            kind: of the messages
            replicate: from 0
        """
        if what not in self._splitter.input:
            source: Any
            if what == POSES:
                source = self.environment.pose_change
            elif what in self.team.shared:
                source = self.team.shared[what].service.answer
            else:
                source = self.team.population.output[what]
            taken: Port[Any] = Port(PoseChange if what == POSES else Rows, what)
            add_port(self._splitter, taken, "in")
            self.add_coupling(lead_through(self, source, "out"), taken)
        return self._splitter.port(what, kind, replicate)


class Splitter(Atomic):
    """Tells each replicate what its own robots say and hear.

    =======  ============  ====================  =======
    state    time advance  output                next
    =======  ============  ====================  =======
    waiting  ∞                                   telling
    telling  0             messages, one by one  waiting
    =======  ============  ====================  =======

    Args:
        count: of robots of each replicate
    """

    def __init__(self, name: str, count: int) -> None:
        super().__init__(name)
        self._count = count
        self._ports: dict[str, dict[int, Port[Any]]] = {}
        self._told: list[tuple[Port[Any], Any]] = []

    def port(self, what: str, kind: Any, replicate: int) -> Port[Any]:
        """The port of one replicate; it is made once."""
        ports = self._ports.setdefault(what, {})
        if replicate not in ports:
            made: Port[Any] = Port(kind, f"{what}_of_{replicate}")
            add_port(self, made, "out")
            ports[replicate] = made
        return ports[replicate]

    def late_until(self, port: Port[Any]) -> float:
        """Up to when it may hear late: as those may that it tells."""
        return late_until(self._ports[port.name].values())

    def deltext(self, e: float) -> None:
        """Find out whose each message is."""
        for what, ports in self._ports.items():
            for come in self.input[what].values:
                if isinstance(come, Rows):
                    self._split(come, ports)
                elif isinstance(come, PoseChange):
                    replicate, place = divmod(come.robot - 1, self._count)
                    if replicate in ports:
                        self._told.append((ports[replicate], replace(come, robot=place + 1)))
        self.sigma = 0.0 if self._told else inf

    def lambdaf(self) -> None:
        """Tell."""
        for port, message in self._told:
            port.add(message)

    def deltint(self) -> None:
        """Wait."""
        self._told.clear()
        self.passivate()

    def _split(self, rows: Rows, ports: dict[int, Port[Any]]) -> None:
        replicates = ((rows.robots - 1) // self._count).tolist()
        for replicate, message in zip(replicates, rows.messages, strict=True):
            if replicate in ports:
                self._told.append((ports[replicate], message))


def _members(teams: Sequence[TeamModel]) -> Sequence[Atomic]:
    """The decision models of all teams, one after the other; one for each team, where it stands for all."""
    members = [team.population.members for team in teams]
    alike = [each for each in members if isinstance(each, Alike)]
    if len(alike) == len(members):
        return Alike.joined(alike)
    return [model for each in members for model in each]


def _size(field: Field) -> tuple[float, float]:
    return field.width, field.height


def _check(system: CaseSystem, first: CaseSystem) -> None:
    """Whether a system has one team in arrays, and nothing else, and is equal to another one."""
    if len(system.teams) != 1 or system.teams[0].arrays is None or system.models or system.environment.on_grid is None:
        raise NotTogetherError("only cases of one team in arrays, on a grid, can have replicates together")
    if set(system.components) != {system.environment, system.teams[0].arrays}:
        raise NotTogetherError("the case has further models in its world: only teams can have replicates together")
    team, other = system.teams[0].arrays, first.teams[0].arrays
    if team.of_kind:
        raise NotTogetherError(
            f"the robots use the {' and the '.join(team.of_kind)} of their kind, and replicates are together where all "
            "equipment is of robots' own"
        )
    radii = {system.radius_of(robot.kind) for _, robot in system.standing()}
    counts, sizes = ({len(each.poses) for each in (system, first)}, {_size(each.field) for each in (system, first)})
    if radii != {first.field.largest} or len(counts) > 1 or len(sizes) > 1:
        raise NotTogetherError("replicates can be together where fields, and numbers and sizes of robots, are the same")
    for name, shared in team.shared.items():
        one, same = next(iter(shared.activities.values())), other is not None and other.shared.get(name)
        if not same or one.alike() is None or next(iter(same.activities.values())).alike() != one.alike():
            raise NotTogetherError(f"the robots' {name} is not the same in all replicates, or cannot be shared")
