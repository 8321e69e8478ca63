"""The LEDs of an e-puck2: eight in a ring, one ahead, and one that lights the body (Stolfi and Danoy, Table 2)."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Literal, TypeAlias

from msgspec import Struct

from devs_robotics.core.robots.epuck2.body import HEIGHT, RADIUS

BRIGHTEST = 100
"""Largest value of a colour of an RGB LED on the wire; a larger one leaves that LED as it is."""

Kind: TypeAlias = Literal["red", "rgb", "green"]


class Led(Struct, frozen=True):
    """One LED.

    Attributes:
        number: 1 to 10, as on the robot
        kind: of what colour it can be
        bearing: where it sits, counter-clockwise from the front (rad, 0 to 2 pi); None for the body's
        place: in the robot's frame: ahead, to the left of its middle, and above the floor (m)
    """

    number: int
    kind: Kind
    bearing: float | None
    place: tuple[float, float, float]


_RING_HEIGHT, _FRONT_HEIGHT = 0.041, 0.0285


def _on_the_edge(number: int, kind: Kind, clockwise: float, height: float) -> Led:
    bearing = radians((360.0 - clockwise) % 360.0)
    x, y = round(RADIUS * cos(bearing), 9), round(RADIUS * sin(bearing), 9)  # what is at the back is not a bit aside
    return Led(number, kind, bearing, (x, y, height))


LEDS = (
    *(
        _on_the_edge(number, "red" if number % 2 else "rgb", 45.0 * (number - 1), _RING_HEIGHT)
        for number in range(1, 9)
    ),
    _on_the_edge(9, "red", 0.0, _FRONT_HEIGHT),
    Led(10, "green", None, (0.0, 0.0, 0.5 * HEIGHT)),
)
"""All of them; the ring's angles run clockwise, so that LED3 is on the right. Heights as in Webots."""

RED, RGB = (1, 3, 5, 7), (2, 4, 6, 8)
"""Numbers of the ring's, in the order in which the wire has them."""

FRONT, BODY = 9, 10
"""Numbers of the others."""
