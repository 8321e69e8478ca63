"""Whether somebody else is at a carrier, by what a robot sees that stands before it.

Two robots that dock with one carrier from sides next to each other come together between its legs, and those hide each
from the other on the way. So a robot looks before it docks, from where it sees who stands beside the carrier, or has
just set out. Who is across is behind legs then, and seen on the way, as it is straight ahead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import asin, atan2, cos, hypot, inf, remainder, sqrt, tau

from devs_robotics.models.activities.range_ring import HALF_VIEW, SENSORS
from devs_robotics.models.logistics.layout import RADIUS, CarrierShape

LOOKS, MOST_OF_LOOKS = 12, 3
"""Of so many readings so many say that somebody is there."""

NEAR = 0.6
"""What is so near to the middle of a carrier is at it (m): there is the edge of a robot that stands where docking
begins, also where it is seen half a field of view beside the sensor's axis."""

BODY = 0.02
"""Beside a robot the next sensor, away from the carrier, sees nothing that is not further away by so much (m); a wall
is nearer there."""

NEARER, ASIDE = 0.04, 0.005
"""A leg may be nearer, or further aside, by so much than the robot believes (m): by what it knows of the carrier, and
by its readings."""


def is_alone(looks: Sequence[Sequence[float]], direction: float, distance: float, shape: CarrierShape) -> bool:
    """Whether nobody else is at a carrier before which a robot stands.

    Args:
        looks: successive readings of the sensors, from the robot's edge (m); infinite: nothing is there
        direction, distance: to the middle of the carrier, along one of its axes, from the heading (rad, m)
        shape: of the carrier
    """
    legs = [(atan2(y, x), hypot(x, y)) for x, y in shape.legs_from(distance, 0.0, 0.0)]
    last = [list(_others(values, direction, legs, shape.leg_radius)) for values in looks[-LOOKS:]]
    return not any(
        sum(_is_near(others, sensor, direction, distance) for others in last) >= MOST_OF_LOOKS
        for sensor in range(SENSORS)
    )


def _others(
    values: Sequence[float], direction: float, legs: Sequence[tuple[float, float]], leg_radius: float
) -> Iterator[float]:
    """From the robot's middle, by sensor (m); infinite where nothing but legs is."""
    for sensor, value in enumerate(values):
        axis = sensor * tau / SENSORS - direction
        is_leg = any(
            abs(remainder(towards - axis, tau)) <= HALF_VIEW + asin((leg_radius + ASIDE) / way)
            and value >= way - leg_radius - RADIUS - NEARER  # or more: what is beside it, or multipath
            for towards, way in legs
        )
        yield inf if is_leg else value + RADIUS


def _is_near(others: Sequence[float], sensor: int, direction: float, distance: float) -> bool:
    """Whether a sensor sees somebody at the carrier."""
    way, off = others[sensor], remainder(sensor * tau / SENSORS - direction, tau)
    if way == inf:
        return False
    from_middle = sqrt(max(0.0, way * way + distance * distance - 2.0 * way * distance * cos(off)))
    further_off = others[(sensor + (1 if off > 0.0 else -1)) % SENSORS]
    return from_middle < NEAR and further_off > way + BODY
