"""Recordings: traces that hold what is needed to draw a run again.

The head of the trace has the scene. Its notes have the rest, each with a topic:

======  ==============================================================================================================
begin   where everybody stands at first: a list of poses by slot, x, y (m) and heading (rad); empty: nobody is there
poses   changes, each a list: time (s), slot, x, y, heading, and the speed and the turn rate from then on, unless it
        stands; null in place of both: it follows a path, straight to its next change; only time and slot: it is gone
joined  who has joined, as the scene has bodies, before its first change
mark    name of a mark, and what it is from now on; null: it is gone
series  name, times and values: at the end, what was measured over time
======  ==============================================================================================================

Numbers are exact. All else in the trace, what robots said and read for instance, is as in every trace.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec import UNSET
from msgspec.structs import replace

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.observe import Event, EventObserver, JsonLines, Noted, Started, read_trace
from devs_robotics.view.drawable import MarkError, check_change, check_mark, check_scene, check_time
from devs_robotics.view.recorder import KEPT
from devs_robotics.view.replay import MarkChange, Replay, Series
from devs_robotics.view.scene import Mark, Scene, SceneBody
from devs_robotics.view.timeline import SPEED, TIME, TURN_RATE, WIDTH, Columns, TimelineWriter, X

if TYPE_CHECKING:
    from devs_robotics.view.foxglove import Foxglove

Pose = tuple[float, float, float]


class RecordingError(DevsRoboticsError):
    """A file is no recording; the message names it, and says how to make one."""


class Notes:
    """Writes the notes of a recording into a trace.

    An MCAP file gets all in the schemas of others' tools, too.

    Args:
        trace: that is written; it is attached to the simulation after this has been made
        scene: goes into its head
    """

    def __init__(self, trace: EventObserver, scene: Scene) -> None:
        self._trace = trace
        trace.scene = msgspec.to_builtins(scene)
        self._foxglove: Foxglove | None = None
        if not isinstance(trace, JsonLines):
            from devs_robotics.core.observe import Mcap
            from devs_robotics.view.foxglove import Foxglove

            if isinstance(trace, Mcap):
                self._foxglove = Foxglove(trace, scene)

    def begin(self, time: float, poses: Iterable[Pose]) -> None:
        """Where everybody stands at first, slot 0 first."""
        poses = list(poses)
        if self._foxglove is not None:
            self._foxglove.begin(time, poses)
        self._note(time, "begin", [[] if isnan(pose[0]) else list(pose) for pose in poses])

    def poses(self, time: float, rows: Columns) -> None:
        """Changes, as a timeline has them."""
        if self._foxglove is not None:
            self._foxglove.poses(rows)
        self._note(time, "poses", [_plain(row) for row in rows.tolist()])

    def join(self, time: float, body: SceneBody) -> None:
        """Who has joined, at a time (s), before its first change."""
        if self._foxglove is not None:
            self._foxglove.join([body])
        self._note(time, "joined", [msgspec.to_builtins(body)])

    def mark(self, change: MarkChange) -> None:
        """A mark has changed."""
        if self._foxglove is not None:
            self._foxglove.mark(change)
        self._note(change.time, "mark", [change.name, msgspec.to_builtins(change.mark)])

    def finish(self, time: float, series: Mapping[str, Series]) -> None:
        """The run is over at a time (s), and has measured this."""
        if self._foxglove is not None:
            self._foxglove.finish(time)
        for name, (times, values) in series.items():
            self._note(time, "series", [name, list(times), [None if isnan(value) else value for value in values]])

    def _note(self, time: float, topic: str, data: list[Any]) -> None:
        self._trace.see(Noted(time, topic, data))


def _plain(row: list[float]) -> list[float | None]:
    """A change as a note has it."""
    kept: list[float | None] = [row[TIME], int(row[1])]
    if isnan(row[X]):
        return kept
    if isnan(row[SPEED]):
        return [*kept, *row[X:SPEED], None]
    return kept + row[X : WIDTH if row[SPEED] or row[TURN_RATE] else SPEED]


def read(path: str | Path) -> Replay:
    """A recording, ``.jsonl`` or ``.mcap``, to be drawn again; one whose writer was killed, as far as it goes.

    Raises:
        TraceError: the file cannot be read, or is no trace
        RecordingError: it is a trace, and no recording
    """
    events = read_trace(path)
    head = next(events)
    assert isinstance(head, Started)
    if head.scene is UNSET:
        name = Path(path).with_suffix(".mcap").name
        raise RecordingError(
            f"{path} is a trace without a scene, so there is nothing to draw: record the run anew, with devs-robotics "
            f"run SCENARIO --record {name}"
        )
    try:
        scene = msgspec.convert(head.scene, Scene, strict=False)
        check_scene(scene)
        reading = _Reading(scene)
        for event in events:
            reading.take(event)
        return reading.replay()
    except (msgspec.ValidationError, ValueError, IndexError, TypeError, MarkError) as exc:
        raise RecordingError(f"{path} is broken as a recording ({exc}): record the run anew") from exc


class _Reading:
    """What is known of a recording so far."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._writer = TimelineWriter([(nan, nan, nan)] * len(scene.bodies))
        self._new = array("d")
        self._marks: list[MarkChange] = []
        self._joined: list[SceneBody] = []
        self._series: dict[str, Series] = {}
        self._end = 0.0

    def take(self, event: Event) -> None:
        """Take the next event."""
        check_time(event.time)
        self._end = event.time
        if not isinstance(event, Noted):
            return
        if event.topic == "begin":
            given = msgspec.convert(event.data, tuple[tuple[float, ...], ...])
            poses = [(pose[0], pose[1], pose[2]) if pose else (nan, nan, nan) for pose in given]
            self._writer = TimelineWriter(poses, event.time)
        elif event.topic == "poses":
            for given_row in msgspec.convert(event.data, tuple[tuple[float | None, ...], ...]):
                row = _whole(given_row)
                check_time(row[TIME])
                check_change(*row[1:])
                self._new.extend(row)
            if len(self._new) >= KEPT * WIDTH:  # as the recorder did, so that both make the same timeline
                self._write(event.time)
        elif event.topic == "joined":
            (body,) = msgspec.convert(event.data, tuple[SceneBody], strict=False)
            self._joined.append(body)
        elif event.topic == "mark":
            name, mark = msgspec.convert(event.data, tuple[str, Mark | None])
            check_mark(name, mark)
            self._marks.append(MarkChange(event.time, name, mark))
        elif event.topic == "series":
            name, times, values = msgspec.convert(event.data, tuple[str, tuple[float, ...], tuple[float | None, ...]])
            for time in times:
                check_time(time)
            self._series[name] = times, tuple(nan if value is None else value for value in values)

    def replay(self) -> Replay:
        """All of it."""
        scene = replace(self._scene, bodies=(*self._scene.bodies, *self._joined))
        check_scene(scene)
        self._write(self._end)
        return Replay(scene=scene, timeline=self._writer.timeline(), marks=tuple(self._marks), series=self._series)

    def _write(self, end: float) -> None:
        self._writer.write(np.frombuffer(self._new, dtype=np.float64).reshape(-1, WIDTH), end)
        self._new = array("d")


def _whole(row: Sequence[float | None]) -> list[float]:
    """A change as a timeline has it."""
    on_path = len(row) == SPEED + 1 and row[SPEED] is None
    numbers = [each for each in row if each is not None]
    if len(numbers) not in (X, SPEED, WIDTH) or len(numbers) + on_path != len(row):
        raise ValueError(f"a change has {len(row)} numbers")
    found = [*numbers, *[nan] * (SPEED - len(numbers))]
    return [*found, *[nan if on_path else 0.0] * (WIDTH - len(found))]
