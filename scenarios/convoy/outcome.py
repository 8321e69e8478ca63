"""What came of a convoy's run, beside what is told of every run."""

from __future__ import annotations

from devs_robotics.experimental_frames.convoy import Formation, Metrics
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.convoy.settings import ConvoyScenario


class ConvoyOutcome(CaseOutcome, frozen=True, kw_only=True):
    """What came of a convoy's run.

    Attributes:
        robots_lost: why, by robot
        metrics: what the frame measured
        formation: the measurements themselves
    """

    scenario: ConvoyScenario
    robots_lost: dict[int, str]
    metrics: Metrics
    formation: Formation
