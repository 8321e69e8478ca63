"""What a study compares: one number per run."""

from __future__ import annotations

from math import nan

from msgspec import Struct

from devs_robotics.experimental_frames.convoy import Formation
from devs_robotics.experimental_frames.convoy.metrics import METRICS, Measures
from devs_robotics.experimental_frames.frame.metric import Metric, Result, measured_by, metric, metrics_of
from devs_robotics.experimental_frames.study.records import Errors


class BackRobot(Struct, frozen=True):
    """What the robot is measured by that a study follows: the last one with real infrared in the stage `loop`.

    Args:
        back: round and position error (m) in the environment model
        physical: the same in the physical world; in a stage in which it is not real, that is the model
        transient_rounds: at the beginning, left out of means
    """

    back: Errors
    physical: Errors
    transient_rounds: int

    @metric("position error of the back robot, at its completed rounds", unit="cm")
    def back_robot_error_m(self) -> float:
        """On average; NaN if the run was too short."""
        return _mean(self.back, self.transient_rounds)

    @metric("the same where it stands, seen from outside if it is real", unit="cm")
    def back_robot_physical_error_m(self) -> float:
        """On average; NaN if the run was too short."""
        return _mean(self.physical, self.transient_rounds)


_BY_NAME = {each.name: each for each in (*METRICS, *metrics_of(BackRobot))}

POSITION_ERROR = _BY_NAME["error_at_pose_changes_m"]
BACK_ERROR = _BY_NAME["back_robot_error_m"]

QUANTITIES: tuple[Metric, ...] = tuple(
    _BY_NAME[name]
    for name in (
        "error_at_pose_changes_m",
        "error_at_completed_rounds_m",
        "back_robot_error_m",
        "back_robot_physical_error_m",
        "largest_error_m",
        "convoy_speed_m_per_s",
        "adjustments_per_round",
    )
)


def measured(measures: Measures, back: Errors, physical: Errors) -> dict[str, float]:
    """The quantities of one run, by name; NaN where it was too short for one.

    Args:
        measures: of the run
        back: round and position error (m) of the back robot in the environment model
        physical: the same in the physical world; in a stage in which it is not real, that is the model
    """
    followed = BackRobot(back, physical, measures.metrics.transient_rounds)
    values: dict[str, Result] = {**measured_by(measures), **measured_by(followed)}
    return {each.name: float(values[each.name]) for each in QUANTITIES}


def errors_by_round(formation: Formation, robot: int) -> Errors:
    """Round and position error (m) of a robot at the end of each round that it has completed."""
    return tuple((row.round, row.error_m) for row in formation.rows if row.robot == robot)


def _mean(errors: Errors, transient_rounds: int) -> float:
    """Of the rounds after the transient."""
    kept = [error for number, error in errors if number > transient_rounds]
    return sum(kept) / len(kept) if kept else nan
