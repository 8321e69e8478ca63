"""The replay of a run as a part of its report."""

from __future__ import annotations

from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.view.html import replay_section


def replay_of(outcome: AnyOutcome) -> str:
    """HTML; empty where nothing was recorded."""
    return "" if outcome.replay is None else replay_section(outcome.replay)
