"""The observer that keeps a timeline of a run: each pose change, with the arc that a body is on from then on."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import inf, nan
from typing import Any

import numpy as np
from xdevs.models import Atomic, Port

from devs_robotics.core.observe import Observer
from devs_robotics.core.robots.messages import Fix
from devs_robotics.models.environment import Pose
from devs_robotics.models.environment.space_manager import SpaceManager
from devs_robotics.view.timeline import (
    DURATION,
    HEADING,
    SLOT,
    SPEED,
    TIME,
    TURN_RATE,
    WIDTH,
    Columns,
    Timeline,
    TimelineWriter,
    X,
    Y,
)

KEPT = 20_000
"""Number of changes that are kept in memory before they are deflated together."""

SAMPLE = 0.1
"""Time between two poses of a body that follows a trajectory that is no arc (s)."""

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
"""One number per change."""

_FIELDS = 7
"""Numbers per change in the buffer: those of a row but for the duration."""


class PoseRecorder(Observer):
    """Keeps where everybody is; it watches the environment's pose changes, and the fixes of a tracking system.

    Args:
        poses: where the robots stand at first, robot 1 first
        paces: of the robots' motors, in the same order: speed (m/s) and turn rate (rad/s); a change of pose has taken
            the time that such a motor takes for it
        seen: slots of real robots as a tracking system sees them, by number of the robot
    """

    def __init__(
        self,
        poses: Sequence[Pose],
        paces: Sequence[tuple[float, float]],
        seen: Mapping[int, int] | None = None,
    ) -> None:
        self._seen = dict(seen or {})
        nowhere = [(nan, nan, nan)] * len(self._seen)
        self._writer = TimelineWriter([*poses, *nowhere])
        self._paces = np.array([*paces, *([(inf, inf)] * len(self._seen))], dtype=np.float64).reshape(-1, 2)
        self._new = array("d")
        self._last = np.full(len(self._paces), -inf)
        """When each slot has changed last (s)."""
        self._poses = np.array([*poses, *nowhere], dtype=np.float64).reshape(-1, 3)
        self._moving = np.zeros(len(self._paces), dtype=bool)
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
        if isinstance(model, SpaceManager):
            bodies = model.field.bodies
            if bodies.paths:
                self._sample(model, time)
            if len(bodies) > model.world.robots or bodies.gone:
                self._see_others(model, time)
            for change in values:
                _, _, _, _, speed, turn_rate, _, _ = bodies.row(change.robot - 1)
                if change.robot - 1 in bodies.paths:
                    speed = turn_rate = 0.0
                new.extend((time, change.robot - 1, change.x, change.y, change.heading, speed, turn_rate))
        else:
            for fix in values:
                slot = self._seen.get(fix.robot) if isinstance(fix, Fix) else None
                if slot is not None:
                    new.extend((time, slot, fix.x, fix.y, fix.heading, 0.0, 0.0))
        if len(new) >= KEPT * _FIELDS:
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
        rows = np.zeros((len(self._new) // _FIELDS, WIDTH))
        rows[:, :DURATION] = np.frombuffer(self._new, dtype=np.float64).reshape(-1, _FIELDS)
        self._new = array("d")
        self._grow(rows)
        rows[:, DURATION] = self._durations(rows)
        self._writer.write(rows, end)

    def _grow(self, rows: Columns) -> None:
        """Make room for bodies that have joined."""
        more = 1 + int(rows[:, SLOT].max()) - len(self._last) if len(rows) else 0
        if more > 0:
            self._last = np.append(self._last, np.full(more, -inf))
            self._moving = np.append(self._moving, np.zeros(more, dtype=bool))
            self._poses = np.vstack([self._poses, np.full((more, 3), nan)])
            self._paces = np.vstack([self._paces, np.full((more, 2), inf)])

    def _durations(self, rows: Columns) -> Numbers:
        """How long the motions took that ended with the changes, at the robots' paces; 0 after arcs."""
        slots = rows[:, SLOT].astype(np.int64)
        order = np.argsort(slots, kind="stable")
        before, since, moving = self._poses[slots], self._last[slots], self._moving[slots]
        same = np.flatnonzero(slots[order[1:]] == slots[order[:-1]])
        later, earlier = order[1:][same], order[:-1][same]
        before[later], since[later] = rows[earlier, X : HEADING + 1], rows[earlier, TIME]
        moving[later] = rows[earlier, SPEED : TURN_RATE + 1].any(axis=1)
        self._poses[slots], self._last[slots] = rows[:, X : HEADING + 1], rows[:, TIME]
        self._moving[slots] = rows[:, SPEED : TURN_RATE + 1].any(axis=1)
        turned = np.abs(np.remainder(rows[:, HEADING] - before[:, 2] + np.pi, 2 * np.pi) - np.pi)
        gone = np.hypot(rows[:, X] - before[:, 0], rows[:, Y] - before[:, 1])
        took = turned / self._paces[slots, 1] + gone / self._paces[slots, 0]
        took[moving | ~np.isfinite(took)] = 0.0
        since_change = rows[:, TIME] - np.maximum(since, self._writer.begin)
        shortest: Numbers = np.minimum(took, since_change)
        return shortest
