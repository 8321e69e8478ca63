"""The back robot, which a study follows: its position error in the environment model and, as a tracking system sees it,
in the physical world (Hu & Zeigler, section 4.3)."""

from __future__ import annotations

from math import cos, hypot, nan, sin
from typing import Any

from msgspec import Struct
from xdevs.models import Atomic, Port

from devs_robotics import Fix
from devs_robotics.core.observe import Observer
from devs_robotics.core.ports import port_path
from devs_robotics.experimental_frames.convoy import Formation
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.experimental_frames.frame.metric import metric
from devs_robotics.experimental_frames.study.records import Series
from devs_robotics.models.convoy import RoundDone


class BackRobot(Struct, frozen=True):
    """What the robot is measured by that a study follows: the last one with real infrared in the stage `loop`.

    Args:
        back: round and position error (m) in the environment model
        physical: the same in the physical world; in a stage in which it is not real, that is the model
        transient_rounds: at the beginning, left out of means
    """

    back: Series
    physical: Series
    transient_rounds: int

    @metric("position error of the back robot, at its completed rounds", unit="cm")
    def back_robot_error_m(self) -> float:
        """On average; NaN if the run was too short."""
        return _mean(self.back, self.transient_rounds)

    @metric("the same where it stands, seen from outside if it is real", unit="cm")
    def back_robot_physical_error_m(self) -> float:
        """On average; NaN if the run was too short."""
        return _mean(self.physical, self.transient_rounds)


def errors_by_round(formation: Formation, robot: int) -> Series:
    """Round and position error (m) of a robot at the end of each round that it has completed."""
    return tuple((row.round, row.error_m) for row in formation.rows if row.robot == robot)


class PhysicalErrors(Observer):
    """Measures how far a real robot stands from its desired position behind its front robot, which is real too.

    Both stand still for a moment when the back robot completes a round: the front robot's place is that of its last fix
    before, and the back robot's own that of its next fix.

    Args:
        back: number of the back robot
        spacing: desired distance between neighbours (m)

    Attributes:
        errors: round and position error (m, equation 4) of each round for which there are fixes
    """

    def __init__(self, back: int, spacing: float) -> None:
        self.back = back
        self.spacing = spacing
        self.errors: list[tuple[int, float]] = []
        self._front: Fix | None = None
        self._waiting: tuple[int, Fix] | None = None

    def watched(self, experiment: CaseExperiment) -> tuple[str, str]:
        """What it is to be attached to, where there is a tracking system."""
        assert experiment.tracker is not None
        back = experiment.system.robots[self.back - 1]
        return port_path(experiment.tracker.fix), port_path(back.convoy.round_done)

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Take a fix, or hear that the back robot has completed a round."""
        for value in values:
            if isinstance(value, RoundDone) and self._front is not None:
                self._waiting = value.round, self._front
            elif isinstance(value, Fix):
                self._see(value)

    def _see(self, fix: Fix) -> None:
        if fix.robot == self.back - 1:
            self._front = fix
        elif fix.robot == self.back and self._waiting is not None:
            number, front = self._waiting
            self._waiting = None
            x = front.x - self.spacing * cos(front.heading)
            y = front.y - self.spacing * sin(front.heading)
            self.errors.append((number, hypot(fix.x - x, fix.y - y)))


def _mean(errors: Series, transient_rounds: int) -> float:
    """Of the rounds after the transient."""
    kept = [error for number, error in errors if number > transient_rounds]
    return sum(kept) / len(kept) if kept else nan
