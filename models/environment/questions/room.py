"""Whether there is room for a motion."""

from __future__ import annotations

from math import cos, inf, sin

from msgspec import Struct

from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.shapes import hit_circle
from devs_robotics.models.environment.world import World


class Room(Struct, frozen=True):
    """The answer to a `Probe`, or to a `ProbeAside`.

    Attributes:
        way: free distance (m) until the body touches something; infinite if that is further than was asked
        duration: how long a virtual motor takes for the motion, even if something stops it (s)
    """

    robot: int
    way: float
    duration: float


class Probe(Question, frozen=True):
    """A question before a motion: is there room for it?

    Attributes:
        turn: about the centre, first (rad)
        distance: along the new heading, then (m, negative: backward)
        clearance: beyond its end, which has to be free too (m)
    """

    turn: float
    distance: float
    clearance: float = 0.0

    def answer(self, world: World) -> Room:
        """The free distance after the turn, and how long the whole motion takes."""
        sign = 1.0 if self.distance > 0.0 else -1.0
        way = world.field.free_distance(self.robot - 1, sign, abs(self.distance) + self.clearance, self.turn)
        pace = world.pace_of(self.robot)
        return Room(self.robot, way, 0.0 if pace is None else pace.duration(self.turn, self.distance))


class ProbeAside(Question, frozen=True):
    """A question before a motion in any direction: how far is it free of walls, obstacles and other robots?

    Half of the way to another robot is free: that one may come the other way, and ask the same. Bodies that are no
    robots do not count: a map of where a robot should be is no help to one that goes between legs.

    Attributes:
        direction: from the heading (rad)
        reach: how far to look (m)
        beside: room that there must be beside the robot, where another one is (m)
    """

    direction: float
    reach: float
    beside: float = 0.0

    def answer(self, world: World) -> Room:
        """The free distance; it takes no time."""
        field, body = world.field, self.robot - 1
        x, y, heading = field.pose(body)
        ux, uy, radius = cos(heading + self.direction), sin(heading + self.direction), field.radius[body]
        nearest = field.free_of_walls(x, y, ux, uy, radius)
        for obstacle in field.obstacles:
            nearest = min(nearest, obstacle.hit(x, y, ux, uy, radius))
        for other in range(world.robots):
            if other != body and other not in field.bodies.gone and other not in field.bodies.carrier:
                there_x, there_y, _ = field.pose(other)
                wide = field.radius[other] + radius + self.beside
                nearest = min(nearest, hit_circle(there_x - x, there_y - y, ux, uy, wide) / 2.0)
        return Room(self.robot, nearest if nearest <= self.reach else inf, 0.0)
