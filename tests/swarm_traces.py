"""What the robots of a swarm say, told in one form whether they are models or in arrays."""

from __future__ import annotations

from typing import Any

from xdevs.models import Atomic, Port

from devs_robotics import Simulator
from devs_robotics.core.observe import Observer
from tests.benchmarks.swarms import swarm

Said = list[tuple[float, int, str, Any]]
"""Time (s), robot, port, message; by time and robot."""


class _Listener(Observer):
    """Notes what ordinary decision models say."""

    def __init__(self) -> None:
        self.said: Said = []

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        assert model.parent is not None
        robot = int(model.parent.name.removeprefix("robot"))
        self.said += [(time, robot, port.name, value) for value in values]


def said(behaviour: str, count: int, until: float, population: Any, **options: Any) -> Said:
    """What robots say in a run up to a point of the grid (s)."""
    system, root = swarm(behaviour, count, population, **options)
    found: Said = []
    teams = system.in_arrays
    for team in teams:
        team.population.keep(team.numbers)
    with Simulator(root) as simulator:
        listener = _Listener()
        if system.models:
            simulator.attach(
                listener, *(f"root/system/{robot.name}/{robot.decisions[0].name}" for robot in system.models)
            )
        simulator.run(until)
        found += listener.said
    for team in teams:
        for robot, kept in team.population.kept.items():
            found += [(each.time, robot, each.port, each.value) for each in kept.said]
    return sorted(found, key=lambda each: (each[0], each[1]))
