"""The observer that keeps a timeline of a run: each pose change, with the arc that a body is on from then on."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from math import nan
from typing import Any

import numpy as np
from xdevs.models import Atomic, Port

from devs_robotics.core.observe import Observer
from devs_robotics.core.robots.messages import Fix
from devs_robotics.models.environment import Pose
from devs_robotics.models.environment.space_manager import SpaceManager
from devs_robotics.view.timeline import WIDTH, Columns, Timeline, TimelineWriter

KEPT = 20_000
"""Number of changes that are kept in memory before they are deflated together."""

SAMPLE = 0.1
"""Time between two poses of a body that follows a trajectory that is no arc (s)."""


class PoseRecorder(Observer):
    """Keeps where everybody is; it watches the environment's pose changes, and the fixes of a tracking system.

    Args:
        poses: where the robots stand at first, robot 1 first
        seen: slots of real robots as a tracking system sees them, by number of the robot
        tell: is told of the changes of each step, with its time (s)

    Attributes:
        begin: poses at first, slot 0 first; not a number for who is not seen yet
    """

    def __init__(
        self,
        poses: Sequence[Pose],
        seen: Mapping[int, int] | None = None,
        tell: Callable[[float, Columns], None] | None = None,
    ) -> None:
        self._tell = tell
        self._seen = dict(seen or {})
        nowhere = [(nan, nan, nan)] * len(self._seen)
        self.begin = [*poses, *nowhere]
        self._writer = TimelineWriter(self.begin)
        self._new = array("d")
        self._robots = len(poses)
        self._gone: set[int] = set()
        self._rows: dict[int, tuple[float, ...]] = {}
        """What was seen last of each body that has joined."""
        self._sampled = 0.0
        """Up to when bodies on trajectories are sampled (s)."""
        self._end = 0.0

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Keep the new poses."""
        new = self._new
        before = len(new)
        if isinstance(model, SpaceManager):
            bodies = model.field.bodies
            if bodies.paths:
                self._sample(model, time)
            if len(bodies) > model.world.robots or bodies.gone:
                self._see_others(model, time)
            for change in values:
                speed, turn_rate = model.speeds(change.robot - 1)
                if change.robot - 1 in bodies.paths:
                    speed = turn_rate = 0.0
                new.extend((time, change.robot - 1, change.x, change.y, change.heading, speed, turn_rate))
        else:
            for fix in values:
                slot = self._seen.get(fix.robot) if isinstance(fix, Fix) else None
                if slot is not None:
                    new.extend((time, slot, fix.x, fix.y, fix.heading, 0.0, 0.0))
        if self._tell is not None and len(new) > before:
            self._tell(time, np.array(new[before:]).reshape(-1, WIDTH))
        if len(new) >= KEPT * WIDTH:
            self._write(time)

    def ended(self, time: float) -> None:
        """Keep the last changes."""
        self._end = max(self._end, time)

    def timeline(self, end: float) -> Timeline:
        """All that was seen, up to the end of the run (s)."""
        self._write(max(end, self._end))
        return self._writer.timeline()

    def _see_others(self, space: SpaceManager, time: float) -> None:
        """Keep who has left, and where bodies are whose poses the environment does not tell: those that have joined."""
        bodies = space.field.bodies
        for body in bodies.gone:
            if body not in self._gone:
                self._gone.add(body)
                self._new.extend((time, self._slot(body), nan, nan, nan, 0.0, 0.0))
        for body in range(space.world.robots, len(bodies)):
            row = bodies.row(body)
            if row is not self._rows.get(body) and body not in self._gone:
                self._rows[body] = row
                speed, turn_rate = (0.0, 0.0) if body in bodies.paths else row[4:6]
                self._new.extend((time, self._slot(body), *bodies.pose(body, time), speed, turn_rate))

    def _slot(self, body: int) -> int:
        """Bodies that have joined come after real robots as they are seen."""
        return body if body < self._robots else body + len(self._seen)

    def _sample(self, space: SpaceManager, time: float) -> None:
        """Keep the poses, up to now, of the bodies that follow trajectories."""
        bodies = space.field.bodies
        at = max(self._sampled + SAMPLE, min((bodies.start[body] for body in bodies.paths), default=time))
        while at < time:
            for body in bodies.paths:
                if bodies.start[body] <= at:
                    self._new.extend((at, self._slot(body), *bodies.pose(body, at), 0.0, 0.0))
            self._sampled = at
            at += SAMPLE

    def _write(self, end: float) -> None:
        self._writer.write(np.frombuffer(self._new, dtype=np.float64).reshape(-1, WIDTH), end)
        self._new = array("d")
