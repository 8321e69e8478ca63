"""Runs on the wall clock that somebody watches and pauses, with generous bounds."""

from __future__ import annotations

import time
from typing import Any

import pytest

from devs_robotics import Simulator
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.stages import Stage
from devs_robotics.scenarios.viewing.live import ViewedRun
from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.messages import Want
from devs_robotics.view.server.viewers import Viewer
from devs_robotics.view.shared import SharedBlock
from devs_robotics.view.states import STOPPED, THERE, unpacked
from tests.scenarios.case_runs import outcome_of

PAUSE = 1.0
"""Real time of a pause (s)."""

STAGES: list[Stage] = ["realtime", "loop"]


@pytest.mark.wall_clock
@pytest.mark.parametrize("stage", STAGES)
def test_a_pause_counts_for_nothing_and_afterwards_all_goes_on(stage: Stage) -> None:
    """In the stage loop the robots are told to stop, and then make what is left of their moves."""
    block = SharedBlock.create()
    hub, viewer = LiveHub(block, control=True), Viewer()
    hub.join(viewer)
    hub.want(viewer, Want(rate=30.0))
    paused: list[tuple[float, float]] = []
    stopped: list[int] = []

    def look(experiment: Any = None, simulator: Simulator | None = None) -> None:
        hub.tick()
        if hub.run.state == "paused" and hub.latest is not None:
            stopped.append(int(((unpacked(hub.latest).bits & STOPPED) > 0).sum()))
        if hub.run.time > 1.0 and not paused:
            hub.order("pause")
            paused.append((time.monotonic(), hub.run.time))
        elif len(paused) == 1 and time.monotonic() > paused[0][0] + PAUSE:
            paused.append((time.monotonic(), hub.run.time))
            hub.order("resume")

    def sleep(seconds: float) -> None:
        time.sleep(seconds)
        look()

    view = ViewedRun(block, sleep=sleep)
    outcome = outcome_of("wander", "run.duration=3", stage=stage, hooks=Hooks(report=look, view=view))
    block.remove()
    (_, before), (_, after) = paused
    assert after - before < 0.5 * PAUSE
    assert outcome.wall_s >= outcome.end_s + 0.9 * PAUSE
    assert outcome.lateness is not None
    assert outcome.lateness.p50 < 0.2 * PAUSE
    assert outcome.held_up_s < PAUSE
    if stage == "loop":
        assert max(stopped) == 2  # the counterpart, and the robot as it is seen
        assert unpacked(hub.latest or b"").bits[1] & THERE
    else:
        assert max(stopped) == 0
