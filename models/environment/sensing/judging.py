"""Which strategy is the faster one: by the density at first, and then by how many sensors have to be looked at."""

from __future__ import annotations

from math import sqrt

from devs_robotics.core.extras import available
from devs_robotics.models.environment.sensing.strategy import Strategy
from devs_robotics.models.environment.sensing.watch import StrategyName
from devs_robotics.models.environment.world import World

ARRAYS = available("scipy")
"""Whether neighbours can be found in arrays: what is sensed is the same either way, and a large crowd slower."""

CROWD = 29.0
"""Number of sensors to be looked at on a point of their raster from which on arrays are faster than single looks."""

MOVING = 0.05
"""What a body that moves costs beside looks, as looks per point: arrays find its neighbours and contacts, too."""

SURE = 1.2
"""How far from `CROWD` their number has to be for another strategy to be taken, as a factor."""

AGAIN = 60.0
"""Time after which it is judged again (s)."""

ROBOTS = 95
"""Number of robots, on `SPACIOUS` each, that are most likely such a crowd; more, with the root of the room."""

SPACIOUS = 0.16
"""Area per robot to which `ROBOTS` belongs (m2); where there is more, robots see each other less often."""


def first_choice(world: World) -> StrategyName:
    """The strategy that is most likely the faster one, by how many robots there are on how much room."""
    if not ARRAYS:
        return "predict"
    field = world.field
    robots = len(field.x)
    spacious = field.width * field.height / (robots * SPACIOUS) if robots else 1.0
    return "batch" if robots > ROBOTS * sqrt(spacious) else "predict"


class Judge:
    """Says from time to time which strategy is the faster one.

    Args:
        now: when it begins (s)

    Attributes:
        next: when it is asked next (s)
    """

    def __init__(self, now: float) -> None:
        self.next = now + AGAIN
        self._since = now
        self._needed = 0

    def choice(self, strategy: Strategy, now: float) -> StrategyName:
        """The strategy to go on with."""
        together = [watched for watched in strategy.all() if watched.raster is not None and strategy.in_arrays(watched)]
        rasters = {watched.raster for watched in together if watched.raster is not None}
        points = sum((now - self._since) / raster.period for raster in rasters)
        looks = 0.0
        if points:
            looks = (strategy.needed - self._needed) / points + MOVING * len(strategy.world.field.bodies.moving)
        self._since, self._needed, self.next = now, strategy.needed, now + AGAIN
        return "batch" if ARRAYS and looks > (CROWD / SURE if strategy.name == "batch" else CROWD * SURE) else "predict"
