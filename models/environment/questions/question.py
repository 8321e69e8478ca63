"""What can be asked of the world: a question is a class that says how it is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from devs_robotics.models.environment.world import World

if TYPE_CHECKING:
    from devs_robotics.models.environment.sensing.outlook import Outlook


class Asking(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What questions and actions have in common: the name of the equipment that they come from."""

    sensor: str = ""


class Question(Asking, frozen=True, omit_defaults=True):
    """A question of a robot's sensor to the world.

    A sensor of one's own is one subclass with a method `answer`, in any file: nothing in the environment has to know
    it. Where watches of it are to be predicted, it says as well how long an answer holds: see `sensing.outlook`.

    Attributes:
        robot: number of the robot that asks
        sensor: name of the equipment that asks, where a robot has several that are answered alike
    """

    robot: int

    def answer(self, world: World) -> Any:
        """What the robot is told; None: nothing."""
        raise NotImplementedError(f"{type(self).__name__} needs a method answer(self, world)")

    def outlook(self, world: World) -> Outlook:
        """How long an answer holds; by default nothing is known of it, and watches ask at every point."""
        from devs_robotics.models.environment.sensing.outlook import Outlook  # which is of questions itself

        return Outlook(self, world)
