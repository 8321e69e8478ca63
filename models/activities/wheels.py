"""Two driven wheels in the environment model."""

from __future__ import annotations

from math import isfinite

from devs_robotics import ModelError, Obstructed, Sensor, Service, Wheels
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.messages import Stopped, Twist


class VirtualWheels(VirtualActivity):
    """A differential drive: constant speeds of the wheels are one arc, a straight line, or a rotation in place.

    Its states are those of a `VirtualActivity`.

    Ports:
        wheels: how fast the wheels are to roll, and whether something stands in the way, whenever that changes
        world: a velocity in the environment, and whether it stops the body

    Args:
        axle: distance between the wheels (m)
        fastest: largest speed of a wheel (m/s); a command beyond it is cut to it
    """

    wheels = Service(Wheels, Obstructed)
    world = Sensor(Twist, Stopped)

    def __init__(self, name: str, axle: float, fastest: float) -> None:
        super().__init__(name)
        self.axle = axle
        self.fastest = fastest

    def ask(self, question: Wheels) -> Twist:
        """The velocity of the body's centre, and of its heading."""
        if not isfinite(question.left + question.right):
            raise ModelError(
                f"robot {self.robot} is told to drive {question!r}: its decision model must send finite speeds"
            )
        left, right = (max(-self.fastest, min(self.fastest, speed)) for speed in (question.left, question.right))
        return Twist(self.robot, (left + right) / 2.0, (right - left) / self.axle)

    def answer(self, answer: Stopped) -> Obstructed:
        """Whether it is held."""
        return Obstructed(answer.stopped)
