"""What tests of runs that are watched share."""

from __future__ import annotations

import pytest


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fast run is looked at every few steps, so that short ones are looked at often."""
    monkeypatch.setattr("devs_robotics.core.realtime.run.BATCH", 20)
