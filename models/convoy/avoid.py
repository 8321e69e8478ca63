"""Avoid: keeps clear of anything, over whatever the robot is about."""

from __future__ import annotations

from math import inf

from devs_robotics import Actuator, Atomic, Drive, Driven, Out, Sense, Sensor, Touch
from devs_robotics.models.convoy.messages import Inhibit, Release


class Avoid(Atomic):
    """The upper layer of the subsumption architecture (Hu & Zeigler, section 4.1).

    When the whiskers touch something it takes the motor over, backs off, and hands the motor back.

    ===========  ============  ========================  =======================================
    phase        time advance  output                    next phase
    ===========  ============  ========================  =======================================
    passive      ∞                                       take over, when the whiskers touch
    take over    0             inhibit, motor            backing off
    backing off  ∞                                       hand back, when the motor has ended
    hand back    0             release                   passive
    ===========  ============  ========================  =======================================

    Ports:
        whiskers: what the contact sensors report; it never asks them
        motor: one command, backward, and the report of its end
        inhibit: the layer below loses the motor
        release: the layer below gets the motor back, and hears how the robot has moved

    Args:
        back_off: distance driven backward after a touch (m)
    """

    whiskers = Sensor(Sense, Touch)
    motor = Actuator(Drive, Driven)
    inhibit = Out(Inhibit)
    release = Out(Release)

    def __init__(self, name: str, back_off: float) -> None:
        super().__init__(name)
        self.back_off = back_off
        self._result = Release(0.0, 0.0)

    def deltext(self, e: float) -> None:
        """Back off when touched; hand back when done."""
        for touch in self.whiskers.answer.values:
            if touch.touching and self.phase == "passive":
                self.activate("take over")
        for done in self.motor.answer.values:
            if self.phase == "backing off":
                self._result = Release(done.turn, done.distance)
                self.activate("hand back")

    def lambdaf(self) -> None:
        """Take over, or hand back."""
        if self.phase == "take over":
            self.inhibit.add(Inhibit())
            self.motor.ask.add(Drive(distance=-self.back_off))
        else:
            self.release.add(self._result)

    def deltint(self) -> None:
        """Wait for the motor, or for the next touch."""
        self.phase = "backing off" if self.phase == "take over" else "passive"
        self.sigma = inf
