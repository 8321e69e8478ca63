"""What an e-puck says of itself, and what its sensors see in that."""

from __future__ import annotations

from math import inf

from msgspec import Struct

from devs_robotics.core.robots.epuck2.light import DARKEST
from devs_robotics.core.robots.epuck2.responses import BRIGHTEST, Response
from devs_robotics.core.robots.epuck2.time_of_flight import FARTHEST_MM
from devs_robotics.hil.protocols.proximity import distance

HIGHEST = max(BRIGHTEST, DARKEST)
"""Largest reading of proximity or ambient light."""

FRONT = (0, 7, 1, 6)
"""Numbers of the proximity sensors that serve as whiskers."""

AHEAD_REACH = 0.001 * FARTHEST_MM
"""Distance above which the time of flight sensor is taken to see nothing (m)."""


class EpuckReading(Struct, frozen=True):
    """What an e-puck says of itself.

    Attributes:
        left, right: step counters, 16 bits with a sign
        proximity: readings of P0 to P7
        ahead: time of flight (m from the sensor's face); None if it has no such sensor
        light: what the sensors P0 to P7 read of ambient light; none where that was not asked for, as of the next two
        ground: readings of the ground sensors: left, centre and right
        battery: voltage of the battery, raw
    """

    left: int
    right: int
    proximity: tuple[int, ...]
    ahead: float | None
    light: tuple[int, ...] = ()
    ground: tuple[int, ...] = ()
    battery: int | None = None

    def seen_ahead(self, response: Response) -> float:
        """How far away something is straight ahead (m), infinite for nothing; see `seen`."""
        if self.ahead is None:
            return self.seen(FRONT[:2], response)
        return self.ahead if self.ahead < AHEAD_REACH else inf

    def seen(self, sensors: tuple[int, ...], response: Response) -> float:
        """How far away the nearest thing is that some of its proximity sensors see (m), infinite for nothing.

        Args:
            sensors: their numbers
            response: what they read of a thing
        """
        return min(distance(self.proximity[sensor], response) for sensor in sensors)
