"""LEDs that shine all the time."""

from __future__ import annotations

from devs_robotics import Actuator, Atomic
from devs_robotics.core.robots.epuck2.messages import LedState


class Shines(Atomic):
    """A decision model that lets LEDs shine, and does nothing else.

    =========  ============  ==========  =========
    phase      time advance  output      next phase
    =========  ============  ==========  =========
    beginning  0             leds: all   shining
    shining    ∞
    =========  ============  ==========  =========

    Ports:
        leds: which are to shine

    Args:
        state: of the LEDs
    """

    leds = Actuator(LedState, LedState)

    def __init__(self, name: str, state: LedState) -> None:
        super().__init__(name)
        self.state = state

    def initialize(self) -> None:
        """Shine."""
        self.activate("beginning")

    def lambdaf(self) -> None:
        """Which ones."""
        self.leds.ask.add(self.state)

    def deltint(self) -> None:
        """That is all."""
        self.passivate("shining")

    def deltext(self, e: float) -> None:
        """What shines is known."""
        self.continuef(e)
