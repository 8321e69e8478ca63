"""The pictures of a recording for tools of ROS 2, which want poses again and again, and not only where they change."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, remainder, tau
from typing import Any

from msgspec import Struct

from devs_robotics.core.observe import Mcap
from devs_robotics.core.observe.mcap_file import OtherTopic
from devs_robotics.core.observe.mcap_ros2 import offered_qos
from devs_robotics.hil.protocols.ros2.messages import write_transforms
from devs_robotics.hil.protocols.ros2.type_store import type_hash, type_store
from devs_robotics.view import foxglove_schemas as fox
from devs_robotics.view.foxglove import Foxglove
from devs_robotics.view.replay import MarkChange
from devs_robotics.view.ros2.markers import gone, markers_of, write_markers
from devs_robotics.view.ros2.ros_messages import MARKERS
from devs_robotics.view.ros2.ros_pictures import (
    RATE,
    TF,
    Pose,
    RosPictures,
    RosSink,
    RosTopic,
    pose_of,
    seconds,
    topic_of,
    twist,
)
from devs_robotics.view.scene import Scene, SceneBody
from devs_robotics.view.timeline import Columns

STILL = 1.0
"""Time between two poses of who stands (s): tf2 keeps the last ten seconds."""


class Bag:
    """Writes messages of ROS 2 into an MCAP file.

    Args:
        file: that has begun when something is written
    """

    def __init__(self, file: Mcap) -> None:
        self._file = file
        self._topics: set[RosTopic] = set()

    def put(self, topic: RosTopic, time: float, data: bytes, /) -> None:
        """Write a message."""
        if topic not in self._topics:
            self._topics.add(topic)
            self._file.open_topic(_in_a_bag(topic))
        self._file.add_bytes(topic.kind, topic.name, time, data)


def _in_a_bag(topic: RosTopic) -> OtherTopic:
    text, _ = type_store().generate_msgdef(topic.kind, ros_version=2)
    return OtherTopic(
        name=topic.name,
        schema=topic.kind,
        text=text.encode(),
        schema_encoding="ros2msg",
        message_encoding="cdr",
        metadata={
            "offered_qos_profiles": offered_qos(latched=topic.latched, depth=1 if topic.latched else 10),
            "topic_type_hash": type_hash(topic.kind),
        },
    )


class _PoseTrack(Struct):
    """What was told of a body.

    Attributes:
        known: until when its way is known (s)
        pose: at that time
        beat: number of the last beat before it
        told: number of the last beat of which its pose was told
        told_pose: this pose
    """

    known: float
    pose: Pose
    beat: int
    told: int
    told_pose: Pose


class RosRecording(RosPictures):
    """Tells a bag the poses and looks of a run, as a recording does: call `begin`, `poses`, `mark` and `finish`.

    Who moves is told `RATE` times per second, who stands once per second, at times that are multiples of that. A motion
    as a whole is known when it is over, and so its poses come later in the file than others of their time; readers go
    by the times.

    Args:
        sink: takes the messages
        scene: of the run
    """

    def __init__(self, sink: RosSink, scene: Scene) -> None:
        super().__init__(sink, scene)
        self._pictures = Foxglove(self, scene)
        self._tracks: dict[str, _PoseTrack] = {}
        self._counts: dict[str, int] = {}
        """Number of the markers of each thing."""

    def begin(self, time: float, poses: Iterable[Pose]) -> None:
        """What there is, and where who is there stands."""
        self.describe(time, self._scene.bodies)
        self._pictures.begin(time, poses)

    def join(self, time: float, body: SceneBody) -> None:
        """Who has joined, at a time (s), before its first change."""
        self.describe(time, [body])
        self._pictures.join([body])

    def poses(self, rows: Columns) -> None:
        """Changes, as a timeline has them."""
        self._pictures.poses(rows)

    def mark(self, change: MarkChange) -> None:
        """A mark has changed."""
        self._pictures.mark(change)

    def finish(self, time: float) -> None:
        """The run is over."""
        self._pictures.finish(time)
        for name, track in self._tracks.items():
            self._follow(name, time, track.pose)

    def add(self, topic: str, schema_name: str, schema: dict[str, Any], time: float, message: object, /) -> None:
        """Take what others' tools are told."""
        if isinstance(message, fox.FrameTransforms):
            for each in message.transforms:
                self._follow(each.child_frame_id, seconds(each), pose_of(each))
        elif isinstance(message, fox.SceneUpdate):
            self._show(time, message)

    def _show(self, time: float, update: fox.SceneUpdate) -> None:
        markers: list[Any] = []
        topics: dict[str, list[Any]] = {"scene": markers, "marks": []}
        for deletion in update.deletions:
            topics[topic_of(deletion.id)] += gone(deletion.id, self._counts.pop(deletion.id, 0))
            if (track := self._tracks.get(deletion.id)) is not None:
                self._follow(deletion.id, time, track.pose)
                del self._tracks[deletion.id]
        for entity in update.entities:
            new = markers_of(entity, self.names.frame)
            before = self._counts.get(entity.id, 0)
            self._counts[entity.id] = len(new)
            topics[topic_of(entity.id)] += [*gone(entity.id, before)[len(new) :], *new]
        for name, found in topics.items():
            if found:
                topic = RosTopic(self.names.topic(name), MARKERS, latched=True)
                self._sink.put(topic, time, write_markers(found))

    def _follow(self, name: str, time: float, pose: Pose) -> None:
        """A body has gone straight to a pose, or turned there, from where it was known last."""
        last = floor(time * RATE + 1e-6)
        track = self._tracks.get(name)
        if track is None:
            self._tracks[name] = _PoseTrack(time, pose, last, last, pose)
            self._tell(name, max(time, last / RATE), pose, pose)
            return
        begin, start = track.known, track.pose
        step = pose[0] - start[0], pose[1] - start[1], remainder(pose[2] - start[2], tau)
        for beat in range(track.beat + 1, last + 1):
            at = beat / RATE
            share = 1.0 if time <= begin else min(max((at - begin) / (time - begin), 0.0), 1.0)
            here = start[0] + share * step[0], start[1] + share * step[1], start[2] + share * step[2]
            self._see(name, track, beat, here)
        track.known, track.pose, track.beat = max(time, begin), pose, max(last, track.beat)

    def _see(self, name: str, track: _PoseTrack, beat: int, pose: Pose) -> None:
        """Tell where a body is at a beat, if it has moved, or nothing was told of it for long."""
        moved, since = pose != track.told_pose, beat - track.told
        if not moved and since < round(STILL * RATE):
            return
        if moved and since > 1:  # it has stood until the beat before
            self._tell(name, (beat - 1) / RATE, track.told_pose, track.told_pose)
        self._tell(name, beat / RATE, pose, track.told_pose)
        track.told, track.told_pose = beat, pose

    def _tell(self, name: str, time: float, pose: Pose, before: Pose) -> None:
        """Tell where a body is, and, from where it was a beat ago, how fast it goes."""
        self._sink.put(TF, time, write_transforms([self.transform(name, pose, time)]))
        self.odometry(name, pose, twist(before, pose, 1.0 / RATE), time)
