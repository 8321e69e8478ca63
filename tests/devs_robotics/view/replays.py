"""Replays for tests."""

from __future__ import annotations

import numpy as np

from devs_robotics.view.replay import MarkChange, Replay
from devs_robotics.view.scene import Mark, Scene, SceneBody
from devs_robotics.view.timeline import WIDTH, TimelineWriter


def small_replay(title: str = "Two robots", name: str = "robot 1") -> Replay:
    """Two robots, of which the second moves once, at 1 s."""
    writer = TimelineWriter([(1.0, 1.0, 0.0), (2.0, 1.0, 0.0)])
    rows = np.zeros((1, WIDTH))
    rows[0, :5] = 1.0, 1.0, 2.5, 1.0, 0.5
    writer.write(rows, 2.0)
    bodies = (SceneBody(0, 1, name), SceneBody(1, 2, "robot 2"))
    return Replay(
        scene=Scene(title=title, width=4.0, height=2.0, bodies=bodies),
        timeline=writer.timeline(),
        marks=(MarkChange(0.5, "goal", Mark(text="here")),),
        series={"share (%)": ((0.0, 1.0), (0.0, 50.0))},
    )
