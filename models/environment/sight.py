"""Whether one point can be seen from another."""

from __future__ import annotations

from collections.abc import Collection
from math import hypot

from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.shapes import point_to_segment

GRAZED = 1e-9
"""A body that a line of sight enters less than this does not hide anything (m)."""


def in_sight(field: Field, x: float, y: float, to_x: float, to_y: float, but: Collection[int] = ()) -> bool:
    """Whether no body and no obstacle is on the line between two points now. Walls round the field hide nothing in it.

    Args:
        field: of the bodies
        x, y, to_x, to_y: the two points (m)
        but: bodies that hide nothing, by number from 0
    """
    half = 0.5 * hypot(to_x - x, to_y - y)
    middle = 0.5 * (x + to_x), 0.5 * (y + to_y)
    pose, now, radii = field.bodies.pose, field.now, field.radius
    for body in field.near(*middle, half + field.largest):
        if body not in but:
            body_x, body_y, _ = pose(body, now)
            if point_to_segment(body_x, body_y, x, y, to_x, to_y) < radii[body] - GRAZED:
                return False
    return all(shape.distance_from_segment(x, y, to_x, to_y) > 0.0 for shape in field.obstacles_near(*middle, half))
