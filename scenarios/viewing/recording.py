"""Keeps what is needed to draw a run again."""

from __future__ import annotations

from typing import Any

from devs_robotics import Simulator
from devs_robotics.core.ports import component_path
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.scenarios.setup.setup import Setup
from devs_robotics.scenarios.viewing.scene import scene_of, seen_slots
from devs_robotics.view.recorder import PoseRecorder
from devs_robotics.view.replay import Replay


class Recording:
    """What a run that goes on is recorded by.

    Args:
        setup: of the run
        model: of the whole experiment
        simulator: of it, before its first step
    """

    def __init__(self, setup: Setup[Any], model: Experiment, simulator: Simulator) -> None:
        self.scene = scene_of(setup, model)
        self._poses = PoseRecorder(setup.poses, seen_slots(setup, model))
        watched = [f"{component_path(model.system.environment.space)}.pose_change"]
        if model.tracker is not None:
            watched.append(f"{component_path(model.tracker.fix.parent)}.{model.tracker.fix.name}")
        simulator.attach(self._poses, *watched)

    def replay(self, end: float) -> Replay:
        """What was recorded up to the end of the run (s)."""
        return Replay(scene=self.scene, timeline=self._poses.timeline(end))
