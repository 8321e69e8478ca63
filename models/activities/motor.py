"""Motors: what a decision model drives."""

from __future__ import annotations

from math import inf

from devs_robotics import Activity, Actuator, Drive, Driven, Service
from models.environment.messages import Motion, Moved


class VirtualMotor(Activity):
    """A motor in the environment model; the paper's motor abstractActivity.

    Two services, one above the other (a suppressor node of the subsumption architecture): while a command through
    `override` runs, those through `drive` are dropped, and one under way is given up and never reported as done.

    Args:
        robot: number of the robot in the environment
    """

    drive = Service(Drive, Driven)
    override = Service(Drive, Driven)
    world = Actuator(Motion, Moved)

    def __init__(self, name: str, robot: int) -> None:
        super().__init__(name)
        self.robot = robot
        self._overriding = False
        self._command: Drive | None = None
        self._report: Driven | None = None
        self._pending = 0

    def deltext(self, e: float) -> None:
        """Take a command, or the environment's word that one has ended."""
        for moved in self.world.answer.values:
            self._pending -= 1
            if self._pending == 0:
                self._report = Driven(moved.turn, moved.distance, moved.blocked)
        for command in self.override.ask.values:
            self._overriding = True
            self._command, self._report = command, None
        if not self._overriding:
            for command in self.drive.ask.values:
                self._command, self._report = command, None
        self.sigma = inf if self._command is None and self._report is None else 0.0

    def lambdaf(self) -> None:
        """Pass the command on, or report its end to the one who gave it."""
        command, report = self._command, self._report
        if command is not None:
            self.world.ask.add(Motion(self.robot, command.turn, command.distance))
        elif report is not None:
            (self.override if self._overriding else self.drive).answer.add(report)

    def deltint(self) -> None:
        """Wait for the environment, or for the next command."""
        if self._command is not None:
            self._command = None
            self._pending += 1
        else:
            self._report = None
            self._overriding = False
        self.sigma = inf
