"""The LEDs of an e-puck2 in the environment model: what others' cameras see of a robot."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics import Actuator, Service
from devs_robotics.core.robots.epuck2.messages import LedState
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.actions import Action
from devs_robotics.models.environment.world import World


class Shining(Struct, frozen=True):
    """The answer to `Shine`: what shines now."""

    robot: int
    state: LedState


class Shine(Action, frozen=True):
    """Let these LEDs shine from now on."""

    state: LedState

    def act(self, world: World) -> Shining:
        """The robot has this state of its LEDs, for all who look."""
        world.things.give(self.robot, self.state)
        return Shining(self.robot, self.state)


class VirtualLeds(VirtualActivity):
    """LEDs, which keep their colours until they are told others.

    Its states are those of a `VirtualActivity`.

    Ports:
        leds: which are to shine, and which do then
        world: what others see
    """

    leds = Service(LedState, LedState)
    world = Actuator(Shine, Shining)

    def ask(self, question: LedState) -> Shine:
        """Let them shine."""
        return Shine(self.robot, question)

    def answer(self, answer: Shining) -> LedState:
        """What shines."""
        return answer.state
