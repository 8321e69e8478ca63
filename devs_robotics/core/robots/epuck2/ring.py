"""Where an e-puck's eight sensors of proximity and light sit, and whereto they look: rings by name.

The sensors are in the order of the robot's own numbers, PROX0 to PROX7. PROX0 is at the front *right* and the numbers
go on clockwise, so that PROX0 to PROX3 are on the right and PROX4 to PROX7 on the left. ARGoS counts the other way
round: its first sensor is here the last.
"""

from __future__ import annotations

from math import cos, radians, sin
from typing import Literal, TypeAlias

from msgspec import Struct

from devs_robotics.core.robots.epuck2.body import RADIUS

RingName: TypeAlias = Literal["paper", "argos", "webots", "clients"]


class Ring(Struct, frozen=True):
    """Eight sensors, PROX0 to PROX7.

    Attributes:
        bearings: whereto each looks, counter-clockwise from the front (rad, 0 to 2 pi)
        places: where the ray of each begins, in the robot's frame: ahead and to the left of its middle (m)
        radius: distance of all places from the middle (m), if each looks straight away from it; otherwise None
    """

    bearings: tuple[float, ...]
    places: tuple[tuple[float, float], ...]
    radius: float | None


def _round(*clockwise: float) -> Ring:
    """Four sensors on the right, so far from the front (degrees), and their mirror images, all on the body's edge."""
    bearings = _bearings(clockwise)
    return Ring(bearings, tuple((RADIUS * cos(bearing), RADIUS * sin(bearing)) for bearing in bearings), RADIUS)


def _bearings(clockwise: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(radians(angle) for angle in (*(360.0 - angle for angle in clockwise), *reversed(clockwise)))


def _mounted(clockwise: tuple[float, ...], right: tuple[tuple[float, float], ...]) -> Ring:
    """The same, mounted elsewhere: places of the four on the right (m)."""
    return Ring(_bearings(clockwise), (*right, *((x, -y) for x, y in reversed(right))), None)


RINGS: dict[RingName, Ring] = {
    # the e-puck2 of Stolfi and Danoy, Table 3; the default
    "paper": _round(15.0, 50.0, 90.0, 150.0),
    # the first e-puck in ARGoS
    "argos": _round(17.0, 50.0, 90.0, 150.0),
    # the e-puck of Webots (E-puck.proto): mounted a little inside the edge, and looking not quite straight away
    "webots": _mounted((17.2, 45.8, 90.0, 151.4), ((0.03, -0.01), (0.022, -0.025), (0.0, -0.031), (-0.03, -0.015))),
    # what programs that talk to real e-pucks take for granted
    "clients": _round(10.0, 40.0, 90.0, 160.0),
}
"""The rings that there are, by name."""

DEFAULT_RING: RingName = "paper"
"""The ring that models have where none is named."""
