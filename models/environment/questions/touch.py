"""Whether whiskers touch something."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.world import World


class Contact(Struct, frozen=True):
    """Whether a robot's whiskers touch something; sent when asked, and whenever it changes."""

    robot: int
    touching: bool


class Feel(Question, frozen=True):
    """A whisker's question: does it touch anything now?"""

    def answer(self, world: World) -> Contact:
        """As of the last motion."""
        return Contact(self.robot, world.touching[self.robot - 1])
