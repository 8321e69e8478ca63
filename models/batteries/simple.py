"""Simple discharge: one slope at rest, one in motion (Stolfi & Danoy, Algorithm 1)."""

from __future__ import annotations

from devs_robotics.core.robots.epuck2.battery import AT_REST, MOVING
from devs_robotics.models.batteries.checks import check_falling
from devs_robotics.models.batteries.decline import StraightDecline
from devs_robotics.models.batteries.discharge import Discharge


class SimpleDischarge(Discharge, frozen=True, forbid_unknown_fields=True):
    """The charge falls at one of two rates, by default as published for an e-puck2.

    Attributes:
        at_rest: slope while no wheel turns (1/s)
        moving: slope while one does (1/s)

    Raises:
        ModelError: a slope does not fall
    """

    at_rest: float = AT_REST
    moving: float = MOVING

    def __post_init__(self) -> None:
        check_falling("at rest", self.at_rest)
        check_falling("in motion", self.moving)

    def decline(self, speed: float) -> StraightDecline:
        """The charge over time while the wheels keep a speed (m/s)."""
        slope = self.moving if speed else self.at_rest
        return StraightDecline((0.0, -1.0 / slope), (1.0, 0.0))
