"""Lamps: what light sensors and cameras see."""

from __future__ import annotations

from devs_robotics.models.environment.things import Thing


class Lamp(Thing, frozen=True):
    """A lamp that shines to all sides.

    Attributes:
        x, y: where it is (m)
        intensity: of its light; 1 for the published curve of an e-puck2's light sensors
        height: above the sensors and cameras (m)
        colour: red, green and blue, from 0 to 1
    """

    x: float
    y: float
    intensity: float = 1.0
    height: float = 0.0
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
