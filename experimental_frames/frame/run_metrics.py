"""What every run is measured by, whatever its case study."""

from __future__ import annotations

from math import nan

from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import metric, metrics_of
from devs_robotics.experimental_frames.instruments.approach import Approached, Approaches

smallest_distance = metric("smallest distance between bodies", unit="cm", better="more", signed=True)
collision_count = metric("collisions", digits=0, better="less", rare=True, even_rejected=True)
simulated_time = metric("simulated time", unit="s", even_rejected=True)
transition_count = metric("transitions of all models", digits=0, even_rejected=True)
processor_time = metric("processor time", unit="s", digits=2, better="less", even_rejected=True)


class RunMeasures(Struct, frozen=True):
    """The declared metrics of any run.

    Args:
        end_s: simulated time at the end (s)
        model_transitions: of all models
        processor_s: processor time of the simulation (s)
        approaches: how near bodies came to each other, if that was measured
    """

    end_s: float
    model_transitions: int
    processor_s: float
    approaches: Approaches | Approached | None = None

    @smallest_distance
    def smallest_distance_m(self) -> float:
        """Edge to edge, on all ways of two robots; NaN if it was not measured."""
        return nan if self.approaches is None else self.approaches.between_robots

    @collision_count
    def collisions(self) -> float:
        """With other robots, walls and obstacles; NaN if they were not counted."""
        return nan if self.approaches is None else self.approaches.collisions

    @simulated_time
    def simulated_s(self) -> float:
        """At the end of the run."""
        return self.end_s

    @transition_count
    def transitions(self) -> int:
        """A confluent one is one."""
        return self.model_transitions

    @processor_time
    def cpu_s(self) -> float:
        """Of the simulation, its frame included."""
        return self.processor_s


RUN_METRICS = metrics_of(RunMeasures)
"""In the order of a sweep's table, where the results of frames' parts (``frames.NAME.KEY``) come after them."""
