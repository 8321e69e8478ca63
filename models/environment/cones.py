"""What a ranging sensor with a cone meets first: the nearest point of anything in a sector, exactly."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import atan2, cos, hypot, inf, remainder, sin, tau

from devs_robotics.core.robots.outside import BOTH, Reality
from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.rays import FEW, NOTHING, Hit, ray_to_circle, ray_to_polygon
from devs_robotics.models.environment.shapes import Circle, Point, Polygon, Segment, Shape


class Cone:
    """A sector about a direction, from a point.

    Args:
        x, y: where it begins (m)
        direction: of its middle (rad)
        half_angle: between its middle and its edges, more than 0 and less than a half turn (rad)
    """

    def __init__(self, x: float, y: float, direction: float, half_angle: float) -> None:
        self.x, self.y, self.direction, self.half_angle = x, y, direction, half_angle
        self.edges = [(cos(edge), sin(edge)) for edge in (direction - half_angle, direction, direction + half_angle)]
        """Unit vectors along its edges, and along its middle."""

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is in it."""
        return abs(remainder(atan2(y - self.y, x - self.x) - self.direction, tau)) <= self.half_angle

    def to_circle(self, x: float, y: float, radius: float) -> float:
        """Distance of the nearest point of a solid circle in it (m): straight to its middle, or along an edge."""
        distance = hypot(x - self.x, y - self.y) - radius
        if distance <= 0.0:
            return 0.0
        if self.holds(x, y):
            return distance
        return min(ray_to_circle(x - self.x, y - self.y, ux, uy, radius) for ux, uy in self.edges)

    def to_polygon(self, corners: tuple[Point, ...]) -> float:
        """The same of a solid polygon: along an edge, to a corner, or straight to a side."""
        nearest = min(ray_to_polygon(corners, self.x, self.y, ux, uy) for ux, uy in self.edges)
        ax, ay = corners[-1]
        for bx, by in corners:
            nearest = min(nearest, self._to_side(ax, ay, bx, by))
            ax, ay = bx, by
        return nearest

    def to_shape(self, shape: Shape) -> float:
        """The same of an obstacle of any kind."""
        if isinstance(shape, Circle):
            return self.to_circle(shape.x, shape.y, shape.radius)
        if isinstance(shape, Polygon):
            return self.to_polygon(shape.corners)
        if isinstance(shape, Segment):
            along = min(shape.hit(self.x, self.y, ux, uy, 0.0) for ux, uy in self.edges)
            return min(along, self._to_side(shape.ax, shape.ay, shape.bx, shape.by))
        raise TypeError(f"a cone can meet circles, polygons and segments, not {shape!r}")

    def to_walls(self, field: Field) -> float:
        """The same of the walls round a field, from inside it."""
        if not field.walled:
            return inf
        along = min(field.free_of_walls(self.x, self.y, ux, uy, 0.0) for ux, uy in self.edges)
        feet = ((0.0, self.y), (field.width, self.y), (self.x, 0.0), (self.x, field.height))
        return min([along, *(hypot(x - self.x, y - self.y) for x, y in feet if self.holds(x, y))])

    def _to_side(self, ax: float, ay: float, bx: float, by: float) -> float:
        """To the foot on a side, or to its ends, if they are in the cone; where its edges meet it is not looked."""
        nearest = min([hypot(x - self.x, y - self.y) for x, y in ((ax, ay), (bx, by)) if self.holds(x, y)], default=inf)
        ex, ey = bx - ax, by - ay
        share = ((self.x - ax) * ex + (self.y - ay) * ey) / (ex * ex + ey * ey)
        if 0.0 < share < 1.0:
            x, y = ax + share * ex, ay + share * ey
            if self.holds(x, y):
                nearest = min(nearest, hypot(x - self.x, y - self.y))
        return nearest


def nearest_in_cone(field: Field, cone: Cone, reach: float, sees: Collection[Reality] = BOTH, but: int = -1) -> Hit:
    """What a cone meets first now, as `rays.first_hit` says of a ray.

    Args:
        field: of the bodies
        cone: where it is looked
        reach: how far (m)
        sees: things of these realities
        but: a body that is not looked for, by its number from 0
    """
    found = Hit(cone.to_walls(field))
    for number in _obstacles(field, cone, reach):
        traits = field.obstacle_traits[number]
        if traits.reality in sees:
            distance = cone.to_shape(field.obstacles[number])
            if distance < found.distance:
                found = Hit(distance, traits)
    for body in _bodies(field, cone, reach):
        traits = field.bodies.traits[body]
        if body != but and traits.reality in sees:
            x, y, _ = field.pose(body)
            distance = cone.to_circle(x, y, field.radius[body])
            if distance < found.distance:
                found = Hit(distance, traits, body)
    return found if found.distance <= reach else NOTHING


def _obstacles(field: Field, cone: Cone, reach: float) -> Sequence[int]:
    few = len(field.obstacles) <= FEW
    return range(len(field.obstacles)) if few else field.obstacle_numbers_near(cone.x, cone.y, reach)


def _bodies(field: Field, cone: Cone, reach: float) -> list[int]:
    gone = field.bodies.gone
    if len(field.bodies) - len(gone) <= FEW:
        return [body for body in range(len(field.bodies)) if body not in gone]
    return sorted(field.near(cone.x, cone.y, reach + field.largest))
