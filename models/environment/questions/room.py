"""Whether there is room for a motion."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.world import World


class Room(Struct, frozen=True):
    """The answer to a `Probe`.

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
