"""A run of walks that hear readings by chance."""

from __future__ import annotations

import numpy as np

from devs_robotics import Crossed, Simulator
from devs_robotics.core.population import PopulationModel, Rows, exact
from devs_robotics.core.population.replay import differences
from tests.devs_robotics.core.population.walking import Walk, Walks


def run(robots: int, seconds: float) -> PopulationModel:
    """A population after its run, of which everything was kept."""
    numbers = range(1, robots + 1)
    members = [Walk(f"walk{robot}", robot, 5) for robot in numbers]
    model = PopulationModel("walks", Walks(members, numbers), members)
    model.keep(numbers)
    chance = np.random.default_rng(8)
    with Simulator(model) as simulator:
        for point in range(int(seconds / 0.5)):
            hearing = np.flatnonzero(chance.random(robots) < 0.3) + 1
            readings = np.floor(chance.random((hearing.size, 8)) * 1100.0)
            no, yes = np.full(hearing.size, -1), np.zeros(hearing.size, bool)
            rows = Rows.of_columns(Crossed, hearing, (readings, no, np.zeros(hearing.size), yes))
            simulator.inject(model.input["proximity_answer"], rows, at=exact.tick(0.5 * point))
        simulator.run(seconds)
    return model


def trace(robots: int, seconds: float) -> list[object]:
    """What all of them said."""
    return [(robot, each) for robot, kept in run(robots, seconds).kept.items() for each in kept.said]


def replay(robots: int, seconds: float) -> dict[int, object]:
    """Where a replay of their ordinary models differs."""
    return dict(differences(run(robots, seconds)))
