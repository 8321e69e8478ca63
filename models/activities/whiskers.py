"""Virtual whiskers."""

from __future__ import annotations

from math import inf

from devs_robotics import Sensor, Touch, Whiskers
from devs_robotics.models.environment.questions import Contact, Feel


class VirtualWhiskers(Whiskers):
    """Whiskers in the environment model.

    Its phase says nothing; it waits, and passes on at once what has come:

    ========  ============  ========================  =====================================
    state     time advance  output                    next state
    ========  ============  ========================  =====================================
    waiting   ∞                                       asked, or answered
    asked     0             world: the question       waiting
    answered  0             touch: the contact        waiting
    ========  ============  ========================  =====================================

    Ports:
        touch: a question, and the contact; each change is reported unasked too
        world: a question to the environment model, and the answer, which comes unasked too when it changes

    Args:
        robot: number of the robot in the environment
    """

    world = Sensor(Feel, Contact)

    def __init__(self, name: str, robot: int) -> None:
        super().__init__(name)
        self._question = Feel(robot)
        self._asked = False
        self._touch: Touch | None = None

    def deltext(self, e: float) -> None:
        """Ask the environment, or take what it says."""
        if self.touch.ask:
            self._asked = True
        for felt in self.world.answer.values:
            self._touch = Touch(felt.touching)
        self.sigma = 0.0 if self._asked or self._touch is not None else inf

    def lambdaf(self) -> None:
        """Pass the question on, or the contact back."""
        if self._asked:
            self.world.ask.add(self._question)
        if self._touch is not None:
            self.touch.answer.add(self._touch)

    def deltint(self) -> None:
        """Wait."""
        self._asked = False
        self._touch = None
        self.sigma = inf
