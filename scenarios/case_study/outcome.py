"""What came of a run of a case study, beside what is told of every run."""

from __future__ import annotations

from devs_robotics.experimental_frames.frame import Columns, Metric
from devs_robotics.experimental_frames.frame.run_metrics import RUN_METRICS, RunMeasures
from devs_robotics.experimental_frames.instruments.tracks import Tracks
from devs_robotics.scenarios.running.outcome import Outcome
from devs_robotics.scenarios.settings.schema import Scenario

APPROACHES = ("smallest_distance_m", "collisions")
"""Metrics that there are only where `frame.approaches` is true."""


class CaseOutcome(Outcome[Scenario], frozen=True, kw_only=True):
    """What came of a run.

    Attributes:
        tables: the series of the frame's parts, by their names
        tracks: where the robots went; without a row where that was not kept
    """

    tables: dict[str, Columns]
    tracks: Tracks


def run_measures(outcome: CaseOutcome) -> RunMeasures:
    """What every run is measured by."""
    return RunMeasures(outcome.end_s, outcome.transitions, outcome.cpu_s, outcome.approaches)


def run_metrics(scenario: Scenario) -> list[Metric]:
    """What every run of such a scenario is measured by."""
    return [each for each in RUN_METRICS if scenario.frame.approaches or each.name not in APPROACHES]
