"""A free place in a field, by chance."""

from __future__ import annotations

from collections.abc import Callable
from math import pi

from devs_robotics import ModelError, Stream
from devs_robotics.models.environment import Field, Pose

TRIES = 10_000
"""Number of places that are tried for one thing before it is said that there is no room for it."""


def free_pose(field: Field, stream: Stream, edge: float, allowed: Callable[[float, float], bool], whose: str) -> Pose:
    """A pose that keeps its distance to walls and obstacles.

    Args:
        field: in which
        stream: of random numbers
        edge: least distance (m)
        allowed: says of a place (m) whether it may be one
        whose: it is, for people

    Raises:
        ModelError: there is not enough room
    """
    width, height = field.width - 2.0 * edge, field.height - 2.0 * edge
    if width > 0.0 and height > 0.0:
        for _ in range(TRIES):
            x, y = (edge + side * (stream.uniform() + 1.0) / 2.0 for side in (width, height))
            heading = pi * stream.uniform()
            if allowed(x, y) and all(shape.distance(x, y) >= edge for shape in field.obstacles):
                return x, y, heading
    raise ModelError(
        f"there is no room for {whose} in a field of {field.width:g} m x {field.height:g} m: make field.width and "
        "field.height larger, or take fewer"
    )
