"""Whether somebody else is at a carrier, or where the way out of it ends, by what a robot sees that stands there.

Two robots that dock with one carrier from sides next to each other come together between its legs, and those hide each
from the other on the way. So a robot looks before it docks, from where it sees who stands beside the carrier, or has
just set out. Who is across is behind legs then, and seen on the way, as it is straight ahead.

Who comes out from between legs looks only straight ahead. So it looks before it sets out whether anything stands beside
the end of its way, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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

BESIDE_END = RADIUS + 0.045
"""What is so near to the end of a way out stands in it (m)."""

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

    def is_somebody(others: Sequence[float], sensor: int, off: float) -> bool:
        further_off = others[(sensor + (1 if off > 0.0 else -1)) % SENSORS]
        return _between(others[sensor], off, distance) < NEAR and further_off > others[sensor] + BODY

    return not _are_seen(is_somebody, looks, direction, distance, shape)


def is_end_free(
    looks: Sequence[Sequence[float]], direction: float, distance: float, middle: float, shape: CarrierShape
) -> bool:
    """Whether nothing stands beside the end of the way of a robot that is between the legs of a carrier.

    Args:
        looks, shape: as for `is_alone`
        direction, distance: to the end of the way, along one of the carrier's axes, from the heading (rad, m)
        middle: how far in that direction the middle of the carrier is; behind: negative (m)
    """

    def is_there(others: Sequence[float], sensor: int, off: float) -> bool:
        return _between(others[sensor], off, distance) < BESIDE_END

    return not _are_seen(is_there, looks, direction, middle, shape)


def _are_seen(
    is_seen: Callable[[Sequence[float], int, float], bool],
    looks: Sequence[Sequence[float]],
    direction: float,
    middle: float,
    shape: CarrierShape,
) -> bool:
    """Whether enough of the last readings of a sensor say something, without the legs of a carrier that is known."""
    legs = [(atan2(y, x), hypot(x, y)) for x, y in shape.legs_from(middle, 0.0, 0.0)]
    last = [list(_others(values, direction, legs, shape.leg_radius)) for values in looks[-LOOKS:]]
    offs = [remainder(sensor * tau / SENSORS - direction, tau) for sensor in range(SENSORS)]
    return any(sum(is_seen(others, sensor, off) for others in last) >= MOST_OF_LOOKS for sensor, off in enumerate(offs))


def _between(way: float, off: float, distance: float) -> float:
    """From what is seen so far away, and so much aside (m, rad), to what is straight ahead at a distance (m)."""
    if way == inf:
        return inf
    return sqrt(max(0.0, way * way + distance * distance - 2.0 * way * distance * cos(off)))


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
