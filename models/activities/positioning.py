"""Positioning: where the robot is, as by satellites and a compass."""

from __future__ import annotations

from devs_robotics import Fix, Sense, Sensor, Service
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.world import World


class FindPose(Question, frozen=True, omit_defaults=True):
    """Where am I?"""

    def answer(self, world: World) -> Fix:
        """The pose of the body now."""
        return Fix(self.robot, *world.pose(self.robot))


class VirtualPositioning(VirtualActivity):
    """A receiver of positions in the environment model; it does not err.

    Its states are those of a `VirtualActivity`.

    Ports:
        whereabouts: where the robot is
        world: the same question to the environment model
    """

    whereabouts = Service(Sense, Fix)
    world = Sensor(FindPose, Fix)

    def ask(self, question: Sense) -> FindPose:
        """What the world is asked."""
        return FindPose(self.robot)
