"""The virtual motor."""

from __future__ import annotations

from collections.abc import Iterator

from devs_robotics import Actuator, Drive, Driven, Motor
from models.environment.messages import Motion, Moved


class VirtualMotor(Motor):
    """A motor in the environment model; the paper's motor abstractActivity.

    Args:
        robot: number of the robot in the environment
    """

    world = Actuator(Motion, Moved)

    def __init__(self, name: str, robot: int) -> None:
        super().__init__(name)
        self.robot = robot

    def send(self, command: Drive) -> None:
        """Begin a motion in the environment."""
        self.world.ask.add(Motion(self.robot, command.turn, command.distance))

    def ended(self) -> Iterator[Driven]:
        """Motions that have ended in the environment."""
        for moved in self.world.answer.values:
            yield Driven(moved.turn, moved.distance, moved.blocked)
