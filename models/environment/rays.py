"""What a ray meets first: exactly, among things of the realities that are asked for, and which thing that is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import inf, sqrt

from msgspec import Struct

from devs_robotics.core.robots.outside import BOTH, Reality
from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.shapes import Circle, Point, Polygon, Shape
from devs_robotics.models.environment.traits import Traits

FEW = 100
"""So many bodies, or obstacles, are looked at one by one; of more, those in the cells along the ray."""

STRETCH = 1.0
"""Part of a ray for which bodies are looked up at once (m)."""


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
    nearest, which, body = field.free_of_walls(x, y, ux, uy, 0.0), -1, -1
    traits = field.obstacle_traits
    for number in _obstacles(field, x, y, ux, uy, min(reach, nearest)):
        if traits[number].reality in sees:
            distance = ray_to_shape(field.obstacles[number], x, y, ux, uy)
            if distance < nearest:
                nearest, which = distance, number
    others, moving, radii = field.bodies.traits, field.bodies.moving, field.radius
    for stretch, bodies in _bodies(field, x, y, ux, uy, min(reach, nearest)):
        for other in bodies:
            if other == but or others[other].reality not in sees:
                continue
            if other in moving:
                other_x, other_y, _ = field.bodies.pose(other, field.now)
            else:
                other_x, other_y = field.x[other], field.y[other]
            distance = ray_to_circle(other_x - x, other_y - y, ux, uy, radii[other])
            if distance < nearest or (distance == nearest and 0 <= other < body):
                nearest, body = distance, other
        if nearest <= stretch:
            break
    if nearest > reach:
        return NOTHING
    if body >= 0:
        return Hit(nearest, others[body], body)
    return Hit(nearest, traits[which] if which >= 0 else None)


def _obstacles(field: Field, x: float, y: float, ux: float, uy: float, reach: float) -> Sequence[int]:
    """Numbers of the obstacles that a ray may meet, ascending."""
    if len(field.obstacles) <= FEW:
        return range(len(field.obstacles))
    half = 0.5 * reach
    return field.obstacle_numbers_near(x + half * ux, y + half * uy, half)


def _bodies(
    field: Field, x: float, y: float, ux: float, uy: float, reach: float
) -> Iterator[tuple[float, Iterable[int]]]:
    """Bodies that a ray may meet, stretch by stretch: up to which distance (m), and the bodies until then."""
    bodies = field.bodies
    if len(bodies) - len(bodies.gone) <= FEW:
        gone = bodies.gone
        yield reach, [body for body in range(len(bodies)) if body not in gone] if gone else range(len(bodies))
        return
    begin = 0.0
    while begin < reach:
        end = min(reach, begin + STRETCH)
        middle = 0.5 * (begin + end)
        yield end, field.near(x + middle * ux, y + middle * uy, 0.5 * (end - begin) + field.largest)
        begin = end


def ray_to_shape(shape: Shape, x: float, y: float, ux: float, uy: float) -> float:
    """Distance along a ray to a solid shape (m): 0 where it begins in it."""
    if isinstance(shape, Circle):
        return ray_to_circle(shape.x - x, shape.y - y, ux, uy, shape.radius)
    if isinstance(shape, Polygon):
        return ray_to_polygon(shape.corners, x, y, ux, uy)
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


def ray_to_polygon(corners: Sequence[Point], x: float, y: float, ux: float, uy: float) -> float:
    """Distance along a ray to a solid polygon (m): 0 where it begins in it."""
    nearest, inside = inf, False
    ax, ay = corners[-1]
    for bx, by in corners:
        ex, ey, dx, dy = bx - ax, by - ay, ax - x, ay - y
        if (ay > y) != (by > y) and dx - dy / ey * ex > 0.0:
            inside = not inside
        across = ux * ey - uy * ex
        if across != 0.0 and 0.0 <= (dx * uy - dy * ux) / across <= 1.0:
            distance = (dx * ey - dy * ex) / across
            if 0.0 <= distance < nearest:
                nearest = distance
        ax, ay = bx, by
    return 0.0 if inside else nearest
