"""The accelerometer and the gyroscope of an e-puck2 in the environment model."""

from __future__ import annotations

from math import cos, sin

from msgspec import Struct

from devs_robotics import Inertial, Sense, Sensor, Service
from devs_robotics.core.robots.epuck2.sensing.inertial import accelerometer, gyroscope
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.world import World


class Velocity(Struct, frozen=True):
    """The answer to `Going`.

    Attributes:
        speed: along the heading (m/s, negative: backward)
        turn_rate: of the heading (rad/s)
    """

    robot: int
    speed: float
    turn_rate: float


class Going(Question, frozen=True):
    """How does the robot move now?"""

    def answer(self, world: World) -> Velocity:
        """By the arc that it is on; one that something holds does not go."""
        bodies = world.field.bodies
        body = self.robot - 1
        if body in world.followed:
            vx, vy, turn_rate = world.followed.velocity(body, world.field.now)
            heading = world.field.pose(body)[2]
            return Velocity(self.robot, vx * cos(heading) + vy * sin(heading), turn_rate)
        return Velocity(self.robot, bodies.speed[body], bodies.turn_rate[body])


class VirtualInertial(VirtualActivity):
    """What is felt on an arc: the push to its centre, and the turn; nothing of the jumps between arcs.

    Its states are those of a `VirtualActivity`.

    Ports:
        inertial: a question, and what is felt
        world: how the robot moves
    """

    inertial = Service(Sense, Inertial)
    world = Sensor(Going, Velocity)

    def ask(self, question: Sense) -> Going:
        """How it moves."""
        return Going(self.robot)

    def answer(self, answer: Velocity) -> Inertial:
        """On an even floor."""
        return Inertial(accelerometer(answer.speed, answer.turn_rate), gyroscope(answer.turn_rate))
