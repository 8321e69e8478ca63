"""What a robot does to the world beside moving: an action is a class that says what it changes."""

from __future__ import annotations

from typing import Any

from devs_robotics.models.environment.questions.question import Asking
from devs_robotics.models.environment.world import World


class Action(Asking, frozen=True, omit_defaults=True):
    """A robot's action. One of one's own is one subclass with a method `act`, in any file.

    Actions of an instant come before the questions of that instant, in the order of the robots' numbers. What sensors
    are to find of it goes to `World.things`.

    Attributes:
        robot: number of the robot that acts
        sensor: name of the equipment that does it
    """

    robot: int

    def act(self, world: World) -> Any:
        """Do it; returns what the robot is told, None: nothing."""
        raise NotImplementedError(f"{type(self).__name__} needs a method act(self, world)")
