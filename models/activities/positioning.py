"""Positioning: where the robot is, as by satellites and a compass."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics import Sense, Sensor, Service
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.world import World


class OwnPose(Struct, frozen=True):
    """Where the robot is: the centre of its body (m), and its heading (rad)."""

    x: float
    y: float
    heading: float


class FindPose(Question, frozen=True, omit_defaults=True):
    """Where am I?"""

    def answer(self, world: World) -> OwnPose:
        """The pose of the body now."""
        return OwnPose(*world.pose(self.robot))


class VirtualPositioning(VirtualActivity):
    """A receiver of positions in the environment model; it does not err.

    Its states are those of a `VirtualActivity`.

    Ports:
        whereabouts: where the robot is
        world: the same question to the environment model
    """

    whereabouts = Service(Sense, OwnPose)
    world = Sensor(FindPose, OwnPose)

    def ask(self, question: Sense) -> FindPose:
        """What the world is asked."""
        return FindPose(self.robot)
