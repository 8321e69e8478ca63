"""Level 5: the after-action review of a recorded run."""

from __future__ import annotations

from pathlib import Path

from devs_robotics.experimental_frames.conformance.records import Conformance
from devs_robotics.experimental_frames.convoy.conformance.review import review
from devs_robotics.scenarios.convoy.conformance.protocol_roles import protocol_roles
from devs_robotics.scenarios.convoy.settings import ConvoyScenario


def final(scenario: ConvoyScenario, trace: Path) -> Conformance:
    """The review of a recorded run of a scenario.

    Raises:
        DevsRoboticsError: the file is no trace, or does not tell of all that the review needs
    """
    return review(trace, protocol_roles(scenario), f"{trace}, {scenario.convoy.robots} robots")
