"""The step counters of an e-puck2's wheels in the environment model."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics import Encoders, Sense, Sensor, Service
from devs_robotics.core.robots.epuck2.body import AXLE
from devs_robotics.core.robots.epuck2.sensing.encoders import count
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.world import World


class Travelled(Struct, frozen=True):
    """The answer to `Travel`.

    Attributes:
        gone: along the robot's heading, less what it went backward (m)
        turned: counter-clockwise, less what it turned the other way (rad)
    """

    robot: int
    gone: float
    turned: float


class Travel(Question, frozen=True):
    """How far has the robot gone and turned since the beginning?"""

    def answer(self, world: World) -> Travelled:
        """Exact along arcs; a robot that is held by something goes nowhere."""
        field = world.field
        return Travelled(self.robot, *field.bodies.travel(self.robot - 1, field.now))


class VirtualEncoders(VirtualActivity):
    """Step counters of two wheels, which count what the wheels have rolled over the floor, fractions carried.

    Its states are those of a `VirtualActivity`.

    Ports:
        encoders: a question, and the steps
        world: how far the robot has gone and turned

    Args:
        axle: distance between the wheels (m)
    """

    encoders = Service(Sense, Encoders)
    world = Sensor(Travel, Travelled)

    def __init__(self, name: str, axle: float = AXLE) -> None:
        super().__init__(name)
        self.axle = axle

    def ask(self, question: Sense) -> Travel:
        """How far it has gone."""
        return Travel(self.robot)

    def answer(self, answer: Travelled) -> Encoders:
        """The right wheel goes further in a turn to the left."""
        apart = 0.5 * self.axle * answer.turned
        return Encoders(count(answer.gone - apart), count(answer.gone + apart))
