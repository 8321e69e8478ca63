"""What light sensors read of the lamps of a lab (Stolfi and Danoy, eq. (2))."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, sin

from devs_robotics.core.robots.epuck2.light import DARKEST, GAIN, REACH
from devs_robotics.hil.lab.arena import Arena, RoundBody
from devs_robotics.hil.lab.plan import LabLamp


def light(
    lamps: Sequence[LabLamp], arena: Arena, body: RoundBody, bearing: float, place: tuple[float, float] | None = None
) -> int:
    """What a sensor reads: the less, the more light it gets from the lamps on its side that nothing hides from it.

    Args:
        lamps: of the lab
        arena: with what may hide them
        body: that has the sensor
        bearing: whereto the sensor looks, from the front (rad)
        place: where it is in the body's frame, ahead and to the left (m); None for the body's edge
    """
    ahead, left = (body.radius * cos(bearing), body.radius * sin(bearing)) if place is None else place
    c, s, direction = cos(body.heading), sin(body.heading), body.heading + bearing
    x, y = body.x + c * ahead - s * left, body.y + s * ahead + c * left
    brightness = 0.0
    for lamp in lamps:
        dx, dy = lamp.x - x, lamp.y - y
        distance = hypot(dx, dy, lamp.height)
        if distance > REACH or dx * cos(direction) + dy * sin(direction) < 0.0:
            continue
        if arena.is_open(body, (x, y), (lamp.x, lamp.y)):
            brightness += (GAIN * lamp.intensity / distance) ** 2 if distance else 1.0
    return round(DARKEST * max(0.0, 1.0 - brightness))
