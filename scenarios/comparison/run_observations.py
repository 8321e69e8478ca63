"""What a study sees of a run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from devs_robotics.core.observe import Observer
from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.study.records import Series
from devs_robotics.scenarios.running.means import Watched

if TYPE_CHECKING:
    from devs_robotics.scenarios.case import AnyCase

Observers = list[tuple[Observer, Watched]]
"""Each with what it watches."""


class RunObservations(Struct, frozen=True):
    """What was seen of a run.

    Attributes:
        values: of the metrics that are compared, by name, in SI units; NaN where it was too short for one
        followed: what was measured of the robot that is followed, in the environment model
        followed_outside: the same in the physical world, where a tracking system saw it
    """

    values: dict[str, float]
    followed: Series = ()
    followed_outside: Series = ()


class RunWatch(ABC):
    """Sees one run of a study. A case that follows a robot has a watch of its own."""

    def observers(self) -> Observers:
        """To be attached to the run."""
        return []

    @abstractmethod
    def seen(self, outcome: Any) -> RunObservations:
        """What was seen, once the run is over.

        Args:
            outcome: of the run, of the case's own class
        """


class MetricsWatch(RunWatch):
    """Sees of a run what its metrics are.

    Args:
        case: of the run
        metrics: that are compared
    """

    def __init__(self, case: AnyCase, metrics: Sequence[Metric]) -> None:
        self._case = case
        self._names = [metric.name for metric in metrics]

    def seen(self, outcome: Any) -> RunObservations:
        """The values of the metrics."""
        columns = self._case.columns(outcome)
        return RunObservations({name: float(columns[name]) for name in self._names if name in columns})
