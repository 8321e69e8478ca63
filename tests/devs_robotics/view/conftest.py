"""Runs that are recorded once for all tests of views."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from devs_robotics.core.observe import trace_file
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.view.replay import Replay
from tests.devs_robotics.view.recorded import RUNS, Recorded


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Makes a run's recording, and gives its path with the replay of the run's outcome; leave the file as it is."""
    folder = tmp_path_factory.mktemp("recordings")

    @cache
    def made(name: str, kind: str) -> tuple[Path, Replay]:
        settings, means = RUNS[name]
        path = folder / f"{name}.{kind}"
        outcome = run(resolve(load(name, settings)), means, Hooks(record=trace_file(path), replay=True))
        assert outcome.replay is not None
        return path, outcome.replay

    return made
