"""Keeps what is needed to draw a run again."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from devs_robotics import Simulator
from devs_robotics.core.observe import EventObserver
from devs_robotics.core.ports import component_path
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.setup.setup import Setup
from devs_robotics.scenarios.viewing.listening import models_of
from devs_robotics.scenarios.viewing.scene import scene_of, seen_slots
from devs_robotics.scenarios.viewing.series import series_of
from devs_robotics.scenarios.viewing.talk import Talk
from devs_robotics.view.marks import Marks
from devs_robotics.view.recorder import PoseRecorder
from devs_robotics.view.recording import Notes
from devs_robotics.view.replay import MarkChange, Replay, Series
from devs_robotics.view.scene import Scene, SceneBody
from devs_robotics.view.timeline import Columns

if TYPE_CHECKING:
    from devs_robotics.core.observe import Mcap
    from devs_robotics.scenarios.viewing.bag import BagWriter


class Recording:
    """What a run that goes on is recorded by.

    Args:
        setup: of the run
        model: of the whole experiment
        simulator: of it, before its first step
        trace: file that becomes a recording, if there is to be one
        away: robots whose models run elsewhere
        bag: trace in the encoding of ROS 2, which gets poses and looks for ROS's tools, if there is to be one

    Attributes:
        scene: of the run as it begins
        marks: what its case study declares
    """

    def __init__(
        self,
        setup: Setup[Any],
        model: Experiment,
        simulator: Simulator,
        trace: EventObserver | None = None,
        away: Collection[int] = (),
        bag: Mcap | None = None,
    ) -> None:
        self._model = model
        self.marks = Marks(case_of(setup.scenario).marks(model))
        self._series: dict[str, Series] | None = None
        self.scene = scene_of(setup, model, self.marks.begin)
        seen = seen_slots(setup, model)
        self._file = None if trace is None else Notes(trace, self.scene)
        self._bag = None if bag is None else _bag_writer(bag, self.scene, setup, model, away)
        told = (self._tell_poses, self._tell_joined) if self._file or self._bag else (None, None)
        self._poses = PoseRecorder(setup.poses, seen, *told)
        space = component_path(model.system.environment.space)
        watched = [f"{space}.pose_change"]
        if model.tracker is not None:
            watched.append(f"{component_path(model.tracker.fix.parent)}.{model.tracker.fix.name}")
        if trace is not None and self._file is not None:
            here = (robot for robot in model.system.robots if robot.number not in away and robot.parent is not None)
            robots = map(component_path, here)  # who is in arrays is no model
            talking = sorted({re.sub(r"\d+", "*", path) for path in robots})
            simulator.attach(Talk(trace), *talking, *watched)
            self._file.begin(simulator.time, self._poses.begin)
        if self._bag is not None:
            self._bag.begin(simulator, self._poses.begin)
        if self._file is not None or self._bag is not None:
            self.marks.tell = self._tell_mark
        simulator.attach(self._poses, *watched, f"{space}.body_change")
        if patterns := self.marks.patterns(models_of(model, away)):
            simulator.attach(self.marks, *patterns)

    def finish(self, time: float) -> None:
        """The run is over at a time (s), and what has told of it is still there: keep what it has measured."""
        self.marks.finish(time)
        self._poses.finish(time)
        self._series = series_of(self._model)
        if self._file is not None:
            self._file.finish(time, self._series)
        if self._bag is not None:
            self._bag.finish(time)

    def _tell_poses(self, time: float, rows: Columns) -> None:
        if self._file is not None:
            self._file.poses(time, rows)
        if self._bag is not None:
            self._bag.poses(rows)

    def _tell_joined(self, time: float, body: SceneBody) -> None:
        if self._file is not None:
            self._file.join(time, body)
        if self._bag is not None:
            self._bag.join(time, body)

    def _tell_mark(self, change: MarkChange) -> None:
        if self._file is not None:
            self._file.mark(change)
        if self._bag is not None:
            self._bag.mark(change)

    @property
    def trouble(self) -> str:
        """Why marks are missing; empty where none are."""
        return self.marks.trouble

    def replay(self, end: float) -> Replay:
        """What was recorded up to the end of the run (s)."""
        return Replay(
            scene=replace(self.scene, bodies=(*self.scene.bodies, *self._poses.newcomers)),
            timeline=self._poses.timeline(end),
            marks=tuple(self.marks.changes),
            trouble=self.trouble,
            series=self._series or {},
        )


def _bag_writer(bag: Mcap, scene: Scene, setup: Setup[Any], model: Experiment, away: Collection[int]) -> BagWriter:
    from devs_robotics.scenarios.viewing.bag import BagWriter  # slow to load, and most runs do without

    return BagWriter(bag, scene, setup, model, away)
