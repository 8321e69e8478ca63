"""The observer that keeps a timeline of a run: each pose change, with the arc that a body is on from then on."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from math import nan, remainder, tau
from typing import Any

import numpy as np
from xdevs.models import Atomic, Port

from devs_robotics.core.observe import Observer
from devs_robotics.core.robots.messages import Fix
from devs_robotics.models.environment import Join, Leave, Pose
from devs_robotics.models.environment.motion.trajectory import Trajectory
from devs_robotics.models.environment.space_manager import SpaceManager
from devs_robotics.models.environment.traits import Traits
from devs_robotics.view.joining import joined_body
from devs_robotics.view.scene import SceneBody
from devs_robotics.view.timeline import WIDTH, Columns, Timeline, TimelineWriter

KEPT = 20_000
"""Number of changes that are kept in memory before they are deflated together."""

SAMPLE = 0.1
"""Time between two poses of a body that follows a trajectory that is no arc (s)."""

ON_PATH = nan, nan
"""Speed and turn rate in the changes of such a body: it goes straight to its next change."""


class PoseRecorder(Observer):
    """Keeps where everybody is; it watches the environment's pose changes, and the fixes of a tracking system.

    Args:
        poses: where the robots stand at first, robot 1 first
        seen: slots of real robots as a tracking system sees them, by number of the robot
        tell: is told of the changes of each step, with its time (s)
        tell_joined: is told who has joined, and when (s), before the first change of that body

    Attributes:
        begin: poses at first, slot 0 first; not a number for who is not seen yet
        newcomers: who has joined so far, in the order of their slots
    """

    def __init__(
        self,
        poses: Sequence[Pose],
        seen: Mapping[int, int] | None = None,
        tell: Callable[[float, Columns], None] | None = None,
        tell_joined: Callable[[float, SceneBody], None] | None = None,
    ) -> None:
        self._tell = tell
        self._tell_joined = tell_joined
        self.newcomers: list[SceneBody] = []
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
        self._paths: dict[int, Trajectory] = {}
        """On what these were at the last look."""
        self._looked = 0.0
        """When that was (s)."""
        self._space: SpaceManager | None = None
        self._end = 0.0

    def started(self, time: float, models: Sequence[Atomic]) -> None:
        """Know the environment."""
        self._space = next((model for model in models if isinstance(model, SpaceManager)), None)

    def received(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Keep who joins and who leaves, from when they do."""
        before = len(self._new)
        self._sample(time)
        joining = (change for change in values if isinstance(change, Join))
        for change in sorted(joining, key=lambda join: join.robot):
            if change.robot - 1 == self._robots + len(self.newcomers):
                self._join(time, change.radius, change.traits)
                slot, heading = self._slot(change.robot - 1), remainder(change.heading, tau)
                self._new.extend((time, slot, change.x, change.y, heading, 0.0, 0.0))
        for change in values:
            if isinstance(change, Leave):
                self._leave(time, change.robot - 1)
        self._hand_on(time, before)

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Keep the new poses."""
        new = self._new
        before = len(new)
        self._sample(time)
        if isinstance(model, SpaceManager):
            bodies = model.field.bodies
            if len(bodies) > model.world.robots or bodies.gone:
                self._see_others(model, time)
            for change in values:
                body = change.robot - 1
                speed, turn_rate = ON_PATH if body in bodies.paths else model.speeds(body)
                new.extend((time, body, change.x, change.y, change.heading, speed, turn_rate))
        else:
            for fix in values:
                slot = self._seen.get(fix.robot) if isinstance(fix, Fix) else None
                if slot is not None:
                    new.extend((time, slot, fix.x, fix.y, fix.heading, 0.0, 0.0))
        self._hand_on(time, before)
        if len(new) >= KEPT * WIDTH:
            self._write(time)

    def ended(self, time: float) -> None:
        """Keep the last changes."""
        self._end = max(self._end, time)

    def finish(self, time: float) -> None:
        """The run is over at a time (s): keep where bodies on trajectories are then."""
        before = len(self._new)
        self._sample(time)
        for body in self._paths:
            self._new.extend((time, self._slot(body), *self._paths[body].pose(time), 0.0, 0.0))
        self._hand_on(time, before)

    def _hand_on(self, time: float, before: int) -> None:
        """Tell of the changes that are new."""
        if self._tell is not None and len(self._new) > before:
            self._tell(time, np.array(self._new[before:]).reshape(-1, WIDTH))

    def timeline(self, end: float) -> Timeline:
        """All that was seen, up to the end of the run (s)."""
        self._write(max(end, self._end))
        return self._writer.timeline()

    def _see_others(self, space: SpaceManager, time: float) -> None:
        """Keep who has left, and where bodies are whose poses the environment does not tell: those that have joined."""
        bodies = space.field.bodies
        for body in bodies.gone:
            self._leave(time, body)
        for body in range(self._robots + len(self.newcomers), len(bodies)):
            self._join(time, bodies.radius[body], bodies.traits[body])
        for body in range(space.world.robots, len(bodies)):
            row = bodies.row(body)
            if row is not self._rows.get(body) and body not in self._gone:
                self._rows[body] = row
                speed, turn_rate = ON_PATH if body in bodies.paths else row[4:6]
                self._new.extend((time, self._slot(body), *bodies.pose(body, time), speed, turn_rate))

    def _join(self, time: float, radius: float, traits: Traits) -> None:
        """The next body is there."""
        body = self._robots + len(self.newcomers)
        self.newcomers.append(joined_body(body, self._slot(body), radius, traits))
        if self._tell_joined is not None:
            self._tell_joined(time, self.newcomers[-1])

    def _leave(self, time: float, body: int) -> None:
        """A body is there no longer."""
        if body not in self._gone:
            self._gone.add(body)
            self._new.extend((time, self._slot(body), nan, nan, nan, 0.0, 0.0))

    def _slot(self, body: int) -> int:
        """Bodies that have joined come after real robots as they are seen."""
        return body if body < self._robots else body + len(self._seen)

    def _sample(self, time: float) -> None:
        """Keep the poses, up to now, of the bodies that follow trajectories."""
        if self._space is None or not (self._paths or self._space.field.bodies.paths):
            return
        bodies, before = self._space.field.bodies, self._paths
        begins = min((bodies.start[body] for body in bodies.paths), default=time)
        at = max(self._sampled + SAMPLE, self._looked if before else begins)
        while at < time:
            for body in {**before, **bodies.paths}:
                begun = bodies.start[body] <= at
                path = bodies.paths.get(body) if begun else before.get(body)
                if path is not None:
                    self._new.extend((at, self._slot(body), *path.pose(at), *ON_PATH))
            self._sampled = at
            at += SAMPLE
        self._paths, self._looked = dict(bodies.paths), time

    def _write(self, end: float) -> None:
        self._writer.write(np.frombuffer(self._new, dtype=np.float64).reshape(-1, WIDTH), end)
        self._new = array("d")
