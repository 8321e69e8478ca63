"""Chargers: places in the world where the batteries of robots at rest are charged."""

from __future__ import annotations

from math import hypot, inf

from devs_robotics import ModelError
from devs_robotics.models.batteries.messages import Recharge
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.things import Thing
from devs_robotics.models.environment.world import World


class Charger(Thing, frozen=True):
    """A disc on the floor; a robot whose middle is in it while its wheels are at rest is charged.

    Attributes:
        x, y: its middle (m)
        radius: (m)
        rate: at which the charge of a battery rises there (1/s)

    Raises:
        ModelError: the radius or the rate is none
    """

    x: float
    y: float
    radius: float
    rate: float

    def __post_init__(self) -> None:
        if not (0.0 < self.radius < inf and 0.0 < self.rate < inf):
            raise ModelError(
                f"a charger has a radius above 0 m and a rate above 0 1/s, not {self.radius!r} and {self.rate!r}"
            )


class AskCharger(Question, frozen=True):
    """Is there a charger where the robot is?"""

    def answer(self, world: World) -> Recharge | None:
        """The fastest that is there; nothing where there is none."""
        x, y, _ = world.pose(self.robot)
        rates = [each.rate for each in world.things.of(Charger) if hypot(each.x - x, each.y - y) <= each.radius]
        return Recharge(max(rates)) if rates else None
