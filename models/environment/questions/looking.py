"""What is ahead along rays, among things of some realities: how far it is, and of which colour, from one ray each."""

from __future__ import annotations

from math import cos, sin

from msgspec import Struct

from devs_robotics.core.robots.colours import rgb
from devs_robotics.core.robots.outside import BOTH, Realities, Reality, Sighting
from devs_robotics.models.environment.cones import Cone, nearest_in_cone
from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.rays import Hit, first_hit
from devs_robotics.models.environment.world import World

SEEN_BY: dict[Reality, Realities] = {"real": ("virtual",), "virtual": BOTH}
"""What a robot is shown that does not say what it wants to see: a real one has sensors of its own for what is real."""

FARTHEST = 12.0
"""How far rays go (m), where a question does not say."""


class Seen(Struct, frozen=True):
    """The answer to a `Look`, one sighting for each ray."""

    robot: int
    sightings: tuple[Sighting, ...]


class Look(Question, frozen=True, omit_defaults=True):
    """What do I see along these rays? They begin in the middle of the body, which they pass.

    Attributes:
        bearings: one for each ray, from the robot's heading (rad)
        sees: things of these realities; None: what such a robot is shown by default
        reach: how far the rays go, from the middle of the body (m)
        half_angle: 0 for rays; else each is a cone, and meets the nearest thing in it (rad)
    """

    bearings: tuple[float, ...] = (0.0,)
    sees: Realities | None = None
    reach: float = FARTHEST
    half_angle: float = 0.0

    def answer(self, world: World) -> Seen:
        """One ray cast for each bearing, or one look into a cone."""
        body, field = self.robot - 1, world.field
        x, y, heading = field.pose(body)
        sees = SEEN_BY[field.bodies.traits[body].reality] if self.sees is None else self.sees
        hits = []
        for bearing in self.bearings:
            direction = heading + bearing
            if self.half_angle:
                hits.append(nearest_in_cone(field, Cone(x, y, direction, self.half_angle), self.reach, sees, body))
            else:
                hits.append(first_hit(field, x, y, cos(direction), sin(direction), self.reach, sees, body))
        return Seen(self.robot, tuple([sighting(hit) for hit in hits]))


def sighting(hit: Hit) -> Sighting:
    """What a robot is told of what a ray meets."""
    return Sighting(hit.distance, None if hit.traits is None else rgb(hit.traits.colour))
