"""Smoothing: a path is cut short by chords that are free (Pansuriya 2023, Algorithm 4). Pure functions; metres."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist
from typing import NamedTuple

from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.path import Waypoints, between, lengths_to

GAIN = 1e-3
"""A chord that saves less than this is none (m)."""


class Chord(NamedTuple):
    """A straight way from a point of a path to another one.

    Attributes:
        saves: by how much it is shorter than the path (m)
        to: index of the other point
        size: of the chord (m)
    """

    saves: float
    to: int
    size: float


def chords(path: Sequence[Point], at: int, direction: int, vision: float) -> list[Chord]:
    """The chords from a point of a path to others ahead that save something, the one that saves most first.

    Args:
        at: index of the point
        direction: 1 towards the destination, -1 towards the source
        vision: how far the other points may be (m)
    """
    found, place, way = [], path[at], 0.0
    before, end = place, len(path) if direction > 0 else -1
    for to in range(at + direction, end, direction):
        there = path[to]
        way += dist(before, there)
        before = there
        size = dist(place, there)
        if size <= vision and way - size > GAIN:
            found.append(Chord(way - size, to, size))
    found.sort(reverse=True)
    return found


def cut_short(path: Waypoints, one: int, other: int, spacing: float) -> Waypoints:
    """A path with what lies between two of its points replaced by points on their chord.

    Args:
        one, other: indices of the points, in any order
        spacing: largest distance of the new points (m)
    """
    first, last = sorted((one, other))
    return path[: first + 1] + between(path[first], path[last], spacing) + path[last:]


def saving(path: Sequence[Point], one: int, other: int) -> float:
    """What the chord of two points of a path saves (m)."""
    to = lengths_to(path)
    return abs(to[other] - to[one]) - dist(path[one], path[other])
