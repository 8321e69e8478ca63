"""What was recorded of a run, as parts of its report."""

from __future__ import annotations

from devs_robotics.models.environment import Pose
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.view.html import replay_section
from devs_robotics.view.posing import Posing


def replay_of(outcome: AnyOutcome) -> str:
    """HTML; empty where nothing was recorded."""
    return "" if outcome.replay is None else replay_section(outcome.replay)


def poses_at_the_end(outcome: AnyOutcome, robots: int) -> list[Pose]:
    """Where the first robots are when the run is over, also those that are on their way then; none if nobody knows."""
    if outcome.replay is None:
        return []
    found = Posing(outcome.replay.scene, outcome.replay.timeline).at(outcome.end_s)[:robots]
    return [(x, y, heading) for x, y, heading in found.tolist()]
