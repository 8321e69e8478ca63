"""Where bodies are, as somebody sees them who looks at the whole field."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.world import World


class Whereabouts(Struct, frozen=True):
    """The answer to a `Locate`.

    Attributes:
        robot: number of who has asked; 0: no robot
        poses: number, x, y (m) and heading (rad) of each body that is there, in the order of the question
    """

    robot: int
    poses: tuple[tuple[int, float, float, float], ...]


class Locate(Question, frozen=True, omit_defaults=True):
    """Where are these bodies now? Those that have left, or have not yet come, are left out.

    Attributes:
        bodies: their numbers
    """

    bodies: tuple[int, ...] = ()

    def answer(self, world: World) -> Whereabouts:
        """The exact poses."""
        field = world.field
        here = (body for body in self.bodies if body <= len(field.x) and body - 1 not in field.bodies.gone)
        return Whereabouts(self.robot, tuple([(body, *field.pose(body - 1)) for body in here]))
