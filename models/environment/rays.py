"""What a ray meets first: exactly, among things of the realities that are asked for, and which thing that is."""

from __future__ import annotations

from collections.abc import Collection
from math import inf, sqrt

from msgspec import Struct

from devs_robotics.core.robots.outside import BOTH, Reality
from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.shapes import Circle, Shape
from devs_robotics.models.environment.traits import Traits


class Hit(Struct, frozen=True):
    """What a ray meets first.

    Attributes:
        distance: from where it begins (m); infinite where it meets nothing
        traits: of what is there; None of a wall round the field, and where nothing is
        body: number of the body, from 0; -1 where it is none
    """

    distance: float
    traits: Traits | None = None
    body: int = -1


NOTHING = Hit(inf)


def first_hit(
    field: Field,
    x: float,
    y: float,
    ux: float,
    uy: float,
    reach: float,
    sees: Collection[Reality] = BOTH,
    but: int = -1,
) -> Hit:
    """What a ray from (x, y) along the unit vector (ux, uy) meets first now; what it begins in is met at once.

    Walls round the field have no reality, and are seen always. Of things at one distance obstacles come before bodies,
    and smaller numbers before larger ones.

    Args:
        field: of the bodies
        x, y, ux, uy: where the ray begins and where it goes
        reach: how far (m)
        sees: things of these realities
        but: a body that is not looked for, by its number from 0
    """
    found = Hit(field.free_of_walls(x, y, ux, uy, 0.0))
    half = 0.5 * min(reach, found.distance)
    middle = x + half * ux, y + half * uy
    for number in field.obstacle_numbers_near(*middle, half):
        traits = field.obstacle_traits[number]
        if traits.reality in sees:
            distance = ray_to_shape(field.obstacles[number], x, y, ux, uy)
            if distance < found.distance:
                found = Hit(distance, traits)
    pose, now, radii, traits_of = field.bodies.pose, field.now, field.radius, field.bodies.traits
    for body in sorted(field.near(*middle, half + field.largest)):
        if body != but and traits_of[body].reality in sees:
            body_x, body_y, _ = pose(body, now)
            distance = ray_to_circle(body_x - x, body_y - y, ux, uy, radii[body])
            if distance < found.distance:
                found = Hit(distance, traits_of[body], body)
    return found if found.distance <= reach else NOTHING


def ray_to_shape(shape: Shape, x: float, y: float, ux: float, uy: float) -> float:
    """Distance along a ray to a solid shape (m): 0 where it begins in it."""
    if isinstance(shape, Circle):
        return ray_to_circle(shape.x - x, shape.y - y, ux, uy, shape.radius)
    return 0.0 if shape.distance(x, y) == 0.0 else shape.hit(x, y, ux, uy, 0.0)


def ray_to_circle(dx: float, dy: float, ux: float, uy: float, radius: float) -> float:
    """Distance along a ray to a solid circle that is centred (dx, dy) from its begin (m): 0 where it begins in it."""
    if dx * dx + dy * dy <= radius * radius:
        return 0.0
    along = dx * ux + dy * uy
    aside = abs(dx * uy - dy * ux)
    if along <= 0.0 or aside > radius:
        return inf
    return max(0.0, along - sqrt((radius - aside) * (radius + aside)))
