"""How far it is to the nearest thing along beams: ray casts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.world import World

if TYPE_CHECKING:
    from devs_robotics.models.environment.sensing.beams import BeamsOutlook


class Distances(Struct, frozen=True):
    """The exact answer to a `Cast`: distance from the edge of the body (m), infinite where nothing is in reach."""

    robot: int
    values: tuple[float, ...]


class Cast(Question, frozen=True):
    """A range sensor's question, answered by a ray cast per beam: how far is the nearest thing?

    Attributes:
        bearings: one per beam, from the robot's heading (rad)
        reach: how far the beams go, from the edge of the body (m)
    """

    bearings: tuple[float, ...]
    reach: float

    def answer(self, world: World) -> Distances:
        """One ray cast per beam."""
        body, cast = self.robot - 1, world.field.cast
        return Distances(self.robot, tuple([cast(body, bearing, self.reach) for bearing in self.bearings]))

    def outlook(self, world: World) -> BeamsOutlook:
        """When the first beam will see something."""
        from devs_robotics.models.environment.sensing.beams import BeamsOutlook  # which is of casts itself

        return BeamsOutlook(self, world)
