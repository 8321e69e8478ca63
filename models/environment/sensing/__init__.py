"""Watches of sensors: what is told, how long a reading holds, and the ways to look."""

from devs_robotics.models.environment.sensing.outlook import Outlook
from devs_robotics.models.environment.sensing.strategies import StrategyName, strategy_of
from devs_robotics.models.environment.sensing.strategy import Strategy
from devs_robotics.models.environment.sensing.watch import Noticed, Unwatch, Watched, Watching

__all__ = [
    "Noticed",
    "Outlook",
    "Strategy",
    "StrategyName",
    "Unwatch",
    "Watched",
    "Watching",
    "strategy_of",
]
