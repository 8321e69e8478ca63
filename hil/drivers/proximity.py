"""The e-puck's proximity sensors: from what they read to a distance."""

from __future__ import annotations

from math import inf, sqrt

BRIGHTEST = 4095
"""Reading of a sensor that touches something."""

DARKEST = 20
"""Less is noise."""

HALF_LENGTH = 0.0105
"""Constant of the reflectance curve (m): at this distance a quarter of the light comes back."""


def distance(reading: int) -> float:
    """Of what a sensor sees, from the body's edge (m); infinite if it sees nothing.

    The inverse of 4095 (a / (a + distance))², with a = `HALF_LENGTH`, which is for white things; dark ones look further
    away than they are.
    """
    return HALF_LENGTH * (sqrt(BRIGHTEST / min(reading, BRIGHTEST)) - 1.0) if reading >= DARKEST else inf
