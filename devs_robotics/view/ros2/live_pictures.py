"""The pictures of a run that goes on for tools of ROS 2: where everybody is, again and again, moving or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from devs_robotics.hil.protocols.ros2.messages import write_transforms
from devs_robotics.view import foxglove_schemas as fox
from devs_robotics.view.foxglove import LivePictures
from devs_robotics.view.ros2.markers import all_gone, markers_of, write_markers
from devs_robotics.view.ros2.ros_messages import MARKERS
from devs_robotics.view.ros2.ros_pictures import TF, Pose, RosPictures, RosSink, RosTopic, pose_of, topic_of, twist
from devs_robotics.view.scene import Scene, SceneBody

STILL = (0.0, 0.0)


class LiveRosPictures(LivePictures):
    """Keeps how a run is now, and tells it when `tell` is called.

    Markers are told whole whenever one has changed, after what takes all of them away: who has missed a message, or
    comes late, has the right ones with the next.

    Args:
        sink: takes the messages
        scene: of the run, with the marks that there are
        prefix: namespace of all bodies; may be empty
    """

    def __init__(self, sink: RosSink, scene: Scene, prefix: str = "") -> None:
        super().__init__(self, scene)
        self.ros = RosPictures(sink, scene, prefix)
        self._sink = sink
        self._new: list[SceneBody] = list(scene.bodies)
        """Who is not described yet."""
        self._poses: dict[str, Pose] = {}
        self._before: dict[str, Pose] = {}
        self._twists: dict[str, tuple[float, float]] = {}
        self._told = float("-inf")
        """Simulated time of the poses that were told last (s)."""
        self._things: dict[str, dict[str, list[Any]]] = {"scene": {}, "marks": {}}
        """Markers by the name of the thing, by topic."""
        self._stale: set[str] = set()
        """Topics whose markers have changed."""

    def join(self, bodies: Iterable[SceneBody]) -> None:
        """Who has come."""
        bodies = list(bodies)
        super().join(bodies)
        self._new += bodies

    def tell(self, time: float, stamp: float) -> None:
        """Tell how everything is.

        Args:
            time: simulated (s)
            stamp: of the messages, in the time of ROS (s)
        """
        if self._new:
            self.ros.describe(stamp, self._new)
            self._new = []
        if time > self._told:
            passed = time - self._told
            self._twists = {
                name: twist(self._before[name], pose, passed)
                for name, pose in self._poses.items()
                if name in self._before
            }
            self._before, self._told = dict(self._poses), time
        if self._poses:
            transforms = [self.ros.transform(name, pose, stamp) for name, pose in self._poses.items()]
            self._sink.put(TF, stamp, write_transforms(transforms))
        for name, pose in self._poses.items():
            self.ros.odometry(name, pose, self._twists.get(name, STILL), stamp)
        for name in sorted(self._stale):
            markers = [all_gone(), *(each for thing in self._things[name].values() for each in thing)]
            topic = RosTopic(self.ros.names.topic(name), MARKERS, latched=True)
            self._sink.put(topic, stamp, write_markers(markers))
        self._stale.clear()

    def stand(self) -> None:
        """Nobody moves, since the run stands."""
        self._twists.clear()

    def add(self, topic: str, schema_name: str, schema: dict[str, Any], time: float, message: object, /) -> None:
        """Take what others' tools are told."""
        if isinstance(message, fox.FrameTransforms):
            for each in message.transforms:
                self._poses[each.child_frame_id] = pose_of(each)
        elif isinstance(message, fox.SceneUpdate):
            for deletion in message.deletions:
                self._poses.pop(deletion.id, None)
                self._things[topic_of(deletion.id)].pop(deletion.id, None)
                self._stale.add(topic_of(deletion.id))
            self.ros.names.learn(self._new)
            for entity in message.entities:
                self._things[topic_of(entity.id)][entity.id] = markers_of(entity, self.ros.names.frame)
                self._stale.add(topic_of(entity.id))
