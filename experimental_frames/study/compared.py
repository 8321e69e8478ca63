"""What a study of a case study compares: plain data, which it keeps in `study.json`."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.sweep import Subject


class Followed(Struct, frozen=True, kw_only=True):
    """A robot that a study follows through all stages, step by step.

    Attributes:
        robot: its number
        called: what it is, as in "back robot"
        metric: name of the metric of it that is told first
        quantity: what is measured of it, as in "position error"
        unit: of that, for people
        scale: from the number in SI units to the number in `unit`
        step: what is counted, as in "round"
        caption: what is measured at each step, as in "Distance of robot 3 from its place whenever it completed a round"
    """

    robot: int
    called: str
    metric: str
    quantity: str
    unit: str = ""
    scale: float = 1.0
    step: str = "step"
    caption: str = ""

    @property
    def label(self) -> str:
        """Quantity and unit, for an axis."""
        return f"{self.quantity} ({self.unit})" if self.unit else self.quantity


class Compared(Struct, frozen=True, kw_only=True):
    """What a study compares from stage to stage.

    Attributes:
        metrics: numbers that a run is measured by, in the order in which they are told
        measure: name of the metric that is told first, and of each run; empty if there is none
        caption: what is averaged in it, as in "The share of cells that some robot has been in"
        team: what the robots are together, for people
        followed: the robot that is followed, if one is
        milestone: name of the port through which a decision model tells that it has completed a round, if what robots
            decide depends on no time, so that decisions are held against each other value by value; empty if it does
    """

    metrics: tuple[Metric, ...]
    measure: str = ""
    caption: str = ""
    team: str = "team"
    followed: Followed | None = None
    milestone: str = ""

    def metric(self, name: str) -> Metric:
        """One of the metrics, by its name."""
        return next(metric for metric in self.metrics if metric.name == name)


def everything(subject: Subject) -> Compared:
    """All metrics of a case that are numbers, compared; the main ones first.

    Args:
        subject: what there is to know of the case
    """
    main = subject.main_metrics
    return Compared(
        metrics=tuple(dict.fromkeys(metric for metric in (*main, *subject.metrics) if not metric.words)),
        measure=subject.measure.name if subject.measure is not None else "",
        team=subject.team,
    )
