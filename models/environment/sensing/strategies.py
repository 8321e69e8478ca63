"""The strategies by their names."""

from __future__ import annotations

from typing import Literal

from devs_robotics.models.environment.nearby import Nearby
from devs_robotics.models.environment.sensing.batch import Batch
from devs_robotics.models.environment.sensing.polling import Polling
from devs_robotics.models.environment.sensing.predict import Predict
from devs_robotics.models.environment.sensing.strategy import Strategy
from devs_robotics.models.environment.world import World

StrategyName = Literal["auto", "predict", "batch", "polling"]

STRATEGIES: dict[str, type[Strategy]] = {"predict": Predict, "batch": Batch, "polling": Polling}
"""By the names that ``sensing.strategy`` takes."""


def strategy_of(name: StrategyName, world: World, nearby: Nearby) -> Strategy:
    """A strategy for the watches of a world."""
    return STRATEGIES["predict" if name == "auto" else name](world, nearby)
