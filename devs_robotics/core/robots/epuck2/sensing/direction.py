"""In which direction the sensors of a ring see most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, sin

Vector = tuple[float, float]
"""Ahead, and to the left."""


def directions(bearings: Iterable[float]) -> tuple[Vector, ...]:
    """Unit vectors of sensors that look so (rad)."""
    return tuple((cos(bearing), sin(bearing)) for bearing in bearings)


def vector_sum(values: Sequence[float], directions: Sequence[Vector]) -> Vector:
    """The sum of what sensors read, each in its direction; it points to where most is seen."""
    x = y = 0.0
    for index, value in enumerate(values):
        if value:
            ahead, left = directions[index]
            x += value * ahead
            y += value * left
    return x, y
