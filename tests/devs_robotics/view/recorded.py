"""Which runs the tests of views record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from devs_robotics.scenarios.running.means import Means
from devs_robotics.view.replay import Replay

RUNS: dict[str, tuple[list[str], Means]] = {
    "forage": (["run.duration=40"], Means()),
    "battery": (["run.duration=100"], Means()),
    "meet": (["run.duration=20"], Means()),
    "line_following": (["run.duration=10"], Means()),
    "logistics": (["run.duration=20"], Means()),
    "convoy_in_the_loop": (["run.rounds=5"], Means(stage="loop", lab="inside")),
}

Recorded = Callable[[str, str], tuple[Path, Replay]]
"""Takes the name of a run and the ending of the file."""
