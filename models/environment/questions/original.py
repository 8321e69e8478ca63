"""The rules by which the published server of Pera-Swarm sensed, for comparison only: they are wrong in known ways.

Realities are not asked for. Walls are seen up to 6 cm beyond their ends, and also behind a robot; boxes never;
cylinders and robots in cones whose angles do not fit their sizes, and which break off at 180 degrees. Distances of
walls are those to their middle lines, and those of robots 3 cm less than to their middles. Colours are those of
obstacles, whatever stands before them. `Look` is the exact ray.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan, atan2, cos, degrees, hypot, inf, pi, radians, remainder, sin, tau

from devs_robotics.core.robots.colours import Rgb, rgb
from devs_robotics.core.robots.outside import Sighting
from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.questions.looking import Seen
from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.shapes import Circle, Polygon, Segment
from devs_robotics.models.environment.world import World

WALL_DEPTH = 0.02
"""A rectangle that is so thick is a wall (m)."""

BEYOND = 0.06
"""How much longer a wall is taken to be, at either end (m)."""


class LookAsPublished(Question, frozen=True, omit_defaults=True):
    """What would the published server have told?

    Attributes:
        bearings: one for each ray, from the robot's heading (rad)
        colour_reach: how far an obstacle may be whose colour is told (m)
    """

    bearings: tuple[float, ...] = (0.0,)
    colour_reach: float = 0.30

    def answer(self, world: World) -> Seen:
        """For each ray the nearest obstacle or robot, and the colour of the nearest obstacle."""
        field, body = world.field, self.robot - 1
        x, y, heading = field.pose(body)
        sightings = []
        for bearing in self.bearings:
            direction = heading + bearing  # which goes on past a half turn
            distance, colour = min(_obstacles(field, x, y, direction), key=lambda each: each[0], default=(inf, None))
            robot = min(_robots(field, x, y, direction), default=inf)
            shown = colour if 0.0 < distance <= self.colour_reach else None
            sightings.append(Sighting(min(distance, robot), shown))
        return Seen(self.robot, tuple(sightings))


def _obstacles(field: Field, x: float, y: float, direction: float) -> Iterator[tuple[float, Rgb | None]]:
    for shape, traits in zip(field.obstacles, field.obstacle_traits, strict=True):
        distance = inf
        if isinstance(shape, Circle):
            distance = _cylinder(shape, x, y, direction)
        elif isinstance(shape, Polygon) and (line := middle_line(shape)) is not None:
            distance = _wall(line, x, y, direction)
        if distance < inf:
            yield round(distance, 4), rgb(traits.colour)


def _robots(field: Field, x: float, y: float, direction: float) -> Iterator[float]:
    for other in range(len(field.x)):
        other_x, other_y, _ = field.pose(other)
        distance = hypot(other_x - x, other_y - y)
        if distance > 0.01:  # by which it leaves itself out, and no body that has left: no number is more than this
            off = abs(direction - atan2(other_y - y, other_x - x))
            if off < atan(0.08 / distance) + radians(5.0):
                yield round(distance, 4) - 0.03


def _cylinder(circle: Circle, x: float, y: float, direction: float) -> float:
    dx, dy = circle.x - x, circle.y - y
    distance = hypot(dx, dy)
    widest = atan((circle.radius + 0.05) / 2.0 / distance) if distance else 0.5 * pi
    return max(0.0, distance - circle.radius) if abs(direction - atan2(dy, dx)) <= widest else inf


def _wall(line: Segment, x: float, y: float, direction: float) -> float:
    length = hypot(line.bx - line.ax, line.by - line.ay)
    tx, ty = (line.bx - line.ax) / length, (line.by - line.ay) / length
    first = _off(line.ax - BEYOND * tx - x, line.ay - BEYOND * ty - y, direction)
    second = _off(line.bx + BEYOND * tx - x, line.by + BEYOND * ty - y, direction)
    if min(abs(first), abs(second)) > 90.0 or first * second > 0.0:
        return inf
    closing = cos(direction) * ty - sin(direction) * tx
    if closing == 0.0:  # where the published equations divide by zero
        return inf
    return abs(((line.ax - x) * ty - (line.ay - y) * tx) / closing)


def _off(dx: float, dy: float, direction: float) -> float:
    """Angle between a direction and where a point is (deg)."""
    return degrees(remainder(atan2(dy, dx) - direction, tau))


def middle_line(shape: Polygon) -> Segment | None:
    """The middle line of a wall; None of what is none."""
    sides = shape.sides()
    if len(sides) != 4:
        return None
    lengths = [hypot(side.bx - side.ax, side.by - side.ay) for side in sides]
    short = 0 if lengths[0] < lengths[1] else 1
    if abs(lengths[short] - WALL_DEPTH) > 1e-9:
        return None
    ends = sides[short], sides[short + 2]
    (ax, ay), (bx, by) = ((0.5 * (each.ax + each.bx), 0.5 * (each.ay + each.by)) for each in ends)
    return Segment(ax, ay, bx, by)
