"""The e-puck's proximity sensors: from what they read to a distance, by the response that the scenario names."""

from __future__ import annotations

from itertools import pairwise
from math import inf, sqrt

from devs_robotics.core.robots.epuck2.responses import BRIGHTEST, InverseSquare, Points, Quadratic, Response

DARKEST = 20
"""Smallest reading of a proximity sensor that means anything; a smaller one is noise."""


def distance(reading: int, response: Response) -> float:
    """Of what a sensor sees, from the body's edge (m); infinite if it sees nothing.

    The responses are for white things; dark ones look further away than they are.
    """
    if reading < DARKEST:
        return inf
    if isinstance(response, Quadratic):
        return _of_quadratic(reading, response)
    if isinstance(response, InverseSquare):
        found = response.half_length * (sqrt(BRIGHTEST / min(reading, BRIGHTEST)) - 1.0)
        return found if found <= response.reach else inf
    return _of_points(reading, response)


def _of_quadratic(reading: int, response: Quadratic) -> float:
    """The nearer root; there the reading falls with the distance."""
    a, b, c = response.a, response.b, response.c - min(reading, BRIGHTEST) / BRIGHTEST
    return max(0.0, (-b - sqrt(b * b - 4.0 * a * c)) / (2.0 * a))


def _of_points(reading: int, response: Points) -> float:
    """Where the line between two points has this reading."""
    if reading >= response.points[0][1]:
        return response.points[0][0]
    for (near, bright), (far, dark) in pairwise(response.points):
        if reading >= dark:
            return near + (far - near) * (bright - reading) / (bright - dark)
    return inf
