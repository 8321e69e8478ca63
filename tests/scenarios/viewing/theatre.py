"""A run that is watched, and its view, in one thread and on a clock of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from devs_robotics import Simulator
from devs_robotics.core.observe import JsonLines
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.stages import Stage
from devs_robotics.scenarios.viewing.live import ViewedRun
from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.messages import Want
from devs_robotics.view.server.viewers import Viewer
from devs_robotics.view.shared import SharedBlock
from devs_robotics.view.states import ViewState, unpacked
from tests.scenarios.case_runs import outcome_of

EVERYTHING = Want(rate=60.0, events=True, metrics=True)


def order(theatre: Theatre, do: str, value: Any) -> None:
    """Somebody wants the run to do something."""
    theatre.hub.order(do, value)


class Theatre:
    """A run and its view in one thread, on a clock of their own: each look at it takes 0.1 s.

    Args:
        viewers: how many look from the beginning
        plan: what is done after so many looks
    """

    def __init__(self, viewers: int = 0, plan: dict[int, Callable[[Theatre], Any]] | None = None) -> None:
        self.block = SharedBlock.create()
        self.now = 0.0
        self.looks = 0
        self.each = 0.1
        self.duration = 40
        self.replay = True
        """Whether what is needed to draw the run again is kept."""
        self.outcome: AnyOutcome
        self.notes: list[str] = []
        self.record: Path | None = None
        """File of a recording, if there is to be one."""
        self.heard_by: list[list[Any]] = []
        """What each viewer was told, in order."""
        self.plan = plan or {}
        self.hub = LiveHub(self.block, control=True, monotonic=lambda: self.now)
        self.watching = ViewedRun(self.block, None, lambda seconds: self.look(), lambda: self.now)
        self.viewers: list[Viewer] = []
        for _ in range(viewers):
            self.come()

    def come(self) -> None:
        """Somebody comes to look."""
        viewer = Viewer()
        self.viewers.append(viewer)
        self.heard_by.append([])
        self.hub.join(viewer)
        self.hub.want(viewer, EVERYTHING)

    def look(self) -> None:
        """Time passes, and all look."""
        self.now += self.each
        self.looks += 1
        if self.looks in self.plan:
            self.plan[self.looks](self)
        self.hub.tick()
        for number, viewer in enumerate(self.viewers):
            while (waiting := viewer.flow.next(self.now)) is not None:
                data = waiting.data
                told = json.loads(data) if isinstance(data, str) else unpacked(data)
                if isinstance(told, ViewState):
                    viewer.flow.answered(told.number)
                self.heard_by[number].append(told)

    @property
    def heard(self) -> list[Any]:
        """What the first viewer was told, in order."""
        return self.heard_by[0] if self.heard_by else []

    def told(self, kind: str) -> list[Any]:
        """Messages of a kind."""
        return [each for each in self.heard if isinstance(each, dict) and each["type"] == kind]

    @property
    def states(self) -> list[ViewState]:
        """The states that the first viewer got."""
        return [each for each in self.heard if isinstance(each, ViewState)]

    def play(
        self, folder: Path, *settings: str, case: str = "wander", stage: Stage = "fast", lab: Any = "process"
    ) -> tuple[bytes, bytes]:
        """Run; returns its trace and its poses as bytes."""
        path = folder / f"trace{len(list(folder.iterdir()))}.jsonl"

        def report(experiment: Any, simulator: Simulator) -> None:
            self.look()

        traced = () if lab == "process" else ("environment", "wander", "motor")  # sessions of stand-ins are random
        hooks = Hooks(
            report=report,
            observers=[(JsonLines(path), traced)],
            view=self.watching,
            replay=self.replay,
            record=None if self.record is None else JsonLines(self.record),
            tell=self.notes.append,
        )
        self.outcome = outcome_of(case, f"run.duration={self.duration}", *settings, stage=stage, lab=lab, hooks=hooks)
        self.look()
        self.block.remove()
        replay = self.outcome.replay
        return path.read_bytes(), b"" if replay is None else b"".join(replay.timeline.chunks)
