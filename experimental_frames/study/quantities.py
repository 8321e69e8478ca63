"""What a study compares: one number per run."""

from __future__ import annotations

from math import nan

from msgspec import Struct

from devs_robotics.experimental_frames.convoy import Formation, Metrics
from devs_robotics.experimental_frames.study.records import Errors


class Quantity(Struct, frozen=True):
    """Something that is measured in each run, in SI units, and how it is shown.

    Attributes:
        key: name of the number, with its unit
        label: for people
        unit: in which it is shown; empty for a plain number
        scale: from SI to that unit
        digits: after the point
    """

    key: str
    label: str
    unit: str = ""
    scale: float = 1.0
    digits: int = 1

    def text(self, value: float, *, sign: bool = False) -> str:
        """A value with its digits, without its unit."""
        if self.vanishes(value):
            value, sign = 0.0, False
        return f"{self.scale * value:{'+' if sign else ''},.{self.digits}f}".replace("-", "−")

    def vanishes(self, value: float) -> bool:
        """Whether nothing of a value is seen in the digits that are shown."""
        return round(abs(self.scale * value), self.digits) == 0.0


POSITION_ERROR = Quantity("position_error_m", "position error E of the convoy, at every pose change", "cm", 100.0)
BACK_ERROR = Quantity("back_robot_error_m", "position error of the back robot, at its completed rounds", "cm", 100.0)
PHYSICAL_ERROR = Quantity(
    "back_robot_physical_error_m", "the same where it stands, seen from outside if it is real", "cm", 100.0
)

QUANTITIES = (
    POSITION_ERROR,
    Quantity("position_error_at_rounds_m", "position error E of the convoy, at completed rounds", "cm", 100.0),
    BACK_ERROR,
    PHYSICAL_ERROR,
    Quantity("largest_error_m", "largest position error of one robot, at a completed round", "cm", 100.0),
    Quantity("speed_m_per_s", "convoy speed", "cm/s", 100.0, 2),
    Quantity("adjustments_per_round", "adjustments per follower and round", digits=2),
)


def measured(metrics: Metrics, back: Errors, physical: Errors) -> dict[str, float]:
    """The quantities of one run, by key; NaN where it was too short for one.

    Args:
        metrics: of the convoy
        back: round and position error (m) of the back robot in the environment model
        physical: the same in the physical world; in a stage in which it is not real, that is the model
    """
    return {
        "position_error_m": metrics.error_at_pose_changes.mean_over_all,
        "position_error_at_rounds_m": metrics.error_at_completed_rounds.mean_over_all,
        "back_robot_error_m": _mean(back, metrics.transient_rounds),
        "back_robot_physical_error_m": _mean(physical, metrics.transient_rounds),
        "largest_error_m": metrics.largest_error_m,
        "speed_m_per_s": metrics.convoy_speed_m_per_s,
        "adjustments_per_round": metrics.adjustments_per_round,
    }


def errors_by_round(formation: Formation, robot: int) -> Errors:
    """Round and position error (m) of a robot at the end of each round that it has completed."""
    return tuple((row.round, row.error_m) for row in formation.rows if row.robot == robot)


def _mean(errors: Errors, transient_rounds: int) -> float:
    """Of the rounds after the transient."""
    kept = [error for number, error in errors if number > transient_rounds]
    return sum(kept) / len(kept) if kept else nan
