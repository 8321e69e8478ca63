"""What a convoy's run comes to, beside its metrics: whether its formation was coherent, and its row in a sweep."""

from __future__ import annotations

from devs_robotics.experimental_frames.coherence import Coherence, sight_margin
from devs_robotics.experimental_frames.convoy.coherence import coherence_of
from devs_robotics.experimental_frames.convoy.metrics import Measures
from devs_robotics.experimental_frames.frame import Result
from devs_robotics.experimental_frames.sweep import columns_of
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome


def formation_coherence(outcome: ConvoyOutcome) -> Coherence:
    """Whether the formation was coherent."""
    scenario = outcome.scenario
    margin = sight_margin(scenario.infrared.range, scenario.convoy.distance, scenario.robot.radius)
    return coherence_of(outcome.formation, outcome.robots_lost, margin, outcome.metrics.transient_rounds)


def measures(outcome: ConvoyOutcome) -> Measures:
    """What the run is measured by."""
    return Measures(
        outcome.metrics,
        len(outcome.robots_lost),
        lambda: formation_coherence(outcome).verdict,
        outcome.end_s,
        outcome.transitions,
        outcome.cpu_s,
    )


def columns(outcome: ConvoyOutcome) -> dict[str, Result]:
    """The run's row of a sweep's table: its metrics by column."""
    return columns_of(measures(outcome), outcome.frames)
