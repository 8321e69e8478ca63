"""The strategies by their names."""

from __future__ import annotations

from typing import get_args

from devs_robotics import ModelError
from devs_robotics.models.environment.nearby import Nearby
from devs_robotics.models.environment.sensing.polling import PollingStrategy
from devs_robotics.models.environment.sensing.predict import PredictStrategy
from devs_robotics.models.environment.sensing.strategy import Strategy
from devs_robotics.models.environment.sensing.watch import StrategyName
from devs_robotics.models.environment.world import World

CROWD = 70
"""Number of robots, on `SPACIOUS` each, from which on arrays are faster than single robots."""

SPACIOUS = 0.16
"""Area per robot to which `CROWD` belongs (m2); where there is more, robots see each other less often."""


def strategy_of(name: StrategyName, world: World, nearby: Nearby) -> Strategy:
    """A strategy for the watches of a world.

    Raises:
        ModelError: there is none of this name
    """
    if name == "auto":
        name = chosen(world)
    if name == "batch":
        from devs_robotics.models.environment.sensing.batch import BatchStrategy  # its libraries are slow to load

        return BatchStrategy(world, nearby)
    if name not in get_args(StrategyName):
        raise ModelError(f"there is no sensing.strategy {name!r}: take one of {', '.join(get_args(StrategyName))}")
    return PollingStrategy(world, nearby) if name == "polling" else PredictStrategy(world, nearby)


def chosen(world: World) -> StrategyName:
    """The strategy that is most likely the faster one, by how many robots there are on how much room."""
    field = world.field
    robots = len(field.x)
    spacious = field.width * field.height / (robots * SPACIOUS) if robots else 1.0
    return "batch" if robots > CROWD * spacious else "predict"
