"""The strategies by their names."""

from __future__ import annotations

from typing import get_args

from devs_robotics import ModelError
from devs_robotics.models.environment.sensing.judging import first_choice
from devs_robotics.models.environment.sensing.polling import PollingStrategy
from devs_robotics.models.environment.sensing.predict import PredictStrategy
from devs_robotics.models.environment.sensing.strategy import Strategy
from devs_robotics.models.environment.sensing.watch import StrategyName
from devs_robotics.models.environment.world import World


def strategy_of(name: StrategyName, world: World) -> Strategy:
    """A strategy for the watches of a world.

    Raises:
        ModelError: there is none of this name
    """
    if name == "auto":
        name = first_choice(world)
    if name == "batch":
        from devs_robotics.models.environment.sensing.batch import BatchStrategy  # its libraries are slow to load

        return BatchStrategy(world)
    if name not in get_args(StrategyName):
        raise ModelError(f"there is no sensing.strategy {name!r}: take one of {', '.join(get_args(StrategyName))}")
    return PollingStrategy(world) if name == "polling" else PredictStrategy(world)
