"""Watches of sensors: what is told, and how long a reading holds; `strategies` has the ways to look."""

from devs_robotics.models.environment.sensing.outlook import Outlook
from devs_robotics.models.environment.sensing.watch import (
    Noticed,
    SensingChoice,
    StrategyName,
    Unwatch,
    Watched,
    Watching,
)

__all__ = ["Noticed", "Outlook", "SensingChoice", "StrategyName", "Unwatch", "Watched", "Watching"]
