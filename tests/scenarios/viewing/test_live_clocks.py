"""Runs on the wall clock that somebody watches and pauses, with generous bounds."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from devs_robotics import Simulator
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.setup.laboratory import laboratory_plan
from devs_robotics.scenarios.stages import Stage
from devs_robotics.scenarios.viewing.live import ViewedRun
from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.messages import Want
from devs_robotics.view.server.viewers import Viewer
from devs_robotics.view.shared import SharedBlock
from devs_robotics.view.states import MOVING, STOPPED, THERE, ViewState, unpacked
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


MOTION = 1.0
"""Bound of the time for which robots still move after a pause, on a machine that has other work (s); 0.5 is wanted."""


@pytest.mark.wall_clock
def test_robots_stand_still_soon_after_a_pause_and_make_their_moves_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two stand-ins, of which the laboratory itself tells where they really were."""
    truth = tmp_path / "truth.jsonl"

    def plan(*args: Any) -> Any:
        return replace(laboratory_plan(*args), truth=str(truth))

    monkeypatch.setattr("devs_robotics.scenarios.running.real_robots.laboratory_plan", plan)
    block = SharedBlock.create()
    hub, viewer = LiveHub(block, control=True), Viewer()
    hub.join(viewer)
    hub.want(viewer, Want(rate=30.0))
    ordered: list[float] = []

    def look(experiment: Any = None, simulator: Simulator | None = None) -> None:
        hub.tick()
        if not ordered and hub.latest is not None and hub.run.time > 0.5:
            if (unpacked(hub.latest).bits[:2] & MOVING).all():
                hub.order("pause")
                ordered.append(time.time())
        elif len(ordered) == 1 and time.time() > ordered[0] + 2.0 * PAUSE:
            hub.order("resume")
            ordered.append(time.time())

    def sleep(seconds: float) -> None:
        time.sleep(seconds)
        look()

    view = ViewedRun(block, sleep=sleep)
    settings = ("run.duration=6", "real.1.protocol=json", "real.2.protocol=json")
    outcome = outcome_of("wander", *settings, stage="loop", hooks=Hooks(report=look, view=view))
    block.remove()
    begin, end = ordered
    for robot in (1, 2):
        lines = [line for line in map(json.loads, truth.read_text().splitlines()) if line["robot"] == robot]
        steps = [
            (
                other["unix"],
                hypot(other["x"] - one["x"], other["y"] - one["y"]) + abs(other["heading"] - one["heading"]),
            )
            for one, other in pairwise(lines)
        ]
        moving = [unix for unix, way in steps if begin < unix < end and way > 1e-6]
        assert moving  # it was on its way
        assert max(moving) - begin < MOTION
        assert any(unix > end and way > 1e-6 for unix, way in steps)
    assert outcome.robots[1].played_by == outcome.robots[2].played_by == "a stand-in"


@pytest.mark.wall_clock
def test_who_stops_reading_is_not_noticed_by_the_run() -> None:
    """Its steps are those of the run without him; when he reads again he gets what is new."""
    block = SharedBlock.create()
    hub, lazy = LiveHub(block), Viewer()
    hub.join(lazy)
    hub.want(lazy, Want(rate=60.0, events=True, metrics=True))
    got: list[ViewState] = []
    dropped: list[int] = []

    def read(at: float) -> None:
        """Take what may be sent now; nothing of it is answered."""
        while (waiting := lazy.flow.next(at)) is not None:
            if isinstance(waiting.data, bytes):
                got.append(unpacked(waiting.data))

    def look(experiment: Any = None, simulator: Simulator | None = None) -> None:
        hub.tick()
        read(time.monotonic())
        dropped.append(lazy.flow.dropped)

    settings = ("run.duration=3",)
    watched = outcome_of("wander", *settings, stage="realtime", hooks=Hooks(report=look, view=ViewedRun(block)))
    assert len(got) == 2  # no more were on their way
    assert dropped[-1] > 20
    assert hub.latest is not None
    lazy.flow.answered(got[-1].number)
    read(time.monotonic())
    assert len(got) == 3
    assert got[-1].time == unpacked(hub.latest).time
    assert watched.end_s - got[-1].time < 0.1
    block.remove()
    alone = outcome_of("wander", *settings, stage="realtime")
    assert (watched.steps, watched.transitions) == (alone.steps, alone.transitions)
    assert watched.lateness is not None
    assert watched.lateness.p50 < 0.1
