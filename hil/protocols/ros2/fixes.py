"""Fixes: where robots are on a map, by what ROS's localisation tells of them, transforms (tf) or poses.

By REP 105 the chain is map, odom, base_link: a localiser tells where odom is on the map, and the robot where its base
is in odom. Transforms count by their arrival, not by their stamps: AMCL stamps them ahead of time, and clocks differ.

Robots have either habit of tf: frames are called ``turtle1/base_link`` on one ``/tf``, or each has ``/turtle1/tf``, on
which frames are called ``base_link``. Both are read; frames of a robot alone need no namespace at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, inf, sin
from typing import Any

from msgspec import Struct

from devs_robotics.hil.protocols.ros2.messages import PlanarTransform, planar_pose, read_transforms
from devs_robotics.hil.protocols.ros2.names import TF_MESSAGE, topic_name
from devs_robotics.hil.protocols.ros2.packets import unpack
from devs_robotics.hil.protocols.ros2.type_store import MessageError, Ros2Error, read

POSE = "geometry_msgs/msg/PoseStamped"
POSE_WITH_COVARIANCE = "geometry_msgs/msg/PoseWithCovarianceStamped"

NUMBER = "{N}"
"""Stands for a robot's number in names."""

PERIOD = 0.1
"""Shortest time between two fixes of a robot (s): transforms come as often as odometry."""

BASES = ("base_link", "base_footprint")
"""What the frame of a robot's body is called."""

DEEPEST = 32
"""Number of frames above one; more are a circle."""

MOST_FRAMES = 10_000
"""Number of frames that are remembered."""

Pose = tuple[float, float, float]


class FixSource(Struct, frozen=True):
    """Where fixes come from; `NUMBER` stands for a robot's number in `base` and `pose`.

    Attributes:
        tf: frame of the map, where they come from transforms; else empty
        base: frame of a robot's body; empty for ``NAMESPACE/base_link`` and what else is usual
        pose: topic of a robot's pose on the map, from the root, where they come from poses; else empty
    """

    tf: str = ""
    base: str = ""
    pose: str = ""


class LocatedRobot(Struct, frozen=True):
    """A robot on the map (m, m, rad)."""

    robot: int
    x: float
    y: float
    heading: float


class FixTopic(Struct, frozen=True):
    """A topic that is read for fixes.

    Attributes:
        name: from the root
        kinds: types that its messages may have; each type is a subscription
        latched: whether it is read as one that is told to those who come late
    """

    name: str
    kinds: tuple[str, ...]
    latched: bool = False


class RobotFixes:
    """Makes fixes of the messages of some topics.

    Args:
        source: where they come from
        robots: namespaces of the robots, by their numbers; None: it has none that is known

    Attributes:
        topics: what is to be read

    Raises:
        Ros2Error: nothing tells what a robot's frame is called, or two robots would have one pose
    """

    def __init__(self, source: FixSource, robots: Mapping[int, str | None]) -> None:
        self._source = source
        self._poses = {_named(source.pose, robot): robot for robot in robots} if source.pose else {}
        if source.pose and len(self._poses) < len(robots):
            raise Ros2Error(
                f"pose={source.pose} is one topic for {len(robots)} robots: write {NUMBER} where their numbers stand"
            )
        self._chains = {} if source.pose else {robot: self._bases(robot, name) for robot, name in robots.items()}
        if len(self._chains) == 1:  # whose frames need no namespace, although it may have one
            for bases in self._chains.values():
                bases.extend(("", base) for base in BASES if not source.base)
        self._trees: dict[str, dict[str, PlanarTransform]] = {}
        """Where frames are, by their names, by the namespace of the topic that tells of them."""
        self._due: dict[int, float] = {}
        namespaces = sorted({tree for bases in self._chains.values() for tree, _ in bases} | {""})
        self.topics: tuple[FixTopic, ...] = (
            tuple(FixTopic(topic, (POSE, POSE_WITH_COVARIANCE)) for topic in self._poses)
            if source.pose
            else tuple(
                FixTopic(topic_name(namespace, name), (TF_MESSAGE,), latched=name == "tf_static")
                for namespace in namespaces
                for name in ("tf", "tf_static")
            )
        )

    def read(self, packet: bytes, time: float) -> list[LocatedRobot]:
        """The fixes that a packet makes known.

        Args:
            packet: name of the topic, NUL, bytes of a message
            time: of its arrival (s)

        Raises:
            MessageError: its bytes are no message of the topic
        """
        topic, data = unpack(packet)
        if topic in self._poses:
            return self._posed(self._poses[topic], data, time)
        namespace, _, name = topic.lstrip("/").rpartition("/")
        if name not in ("tf", "tf_static") or self._source.pose:
            raise MessageError(f"nothing is known of a topic {topic!r:.80}")
        tree = self._trees.setdefault(namespace, {}) if len(self._trees) < MOST_FRAMES else {}
        changed = set()
        for each in read_transforms(data):
            if each.child in tree or len(tree) < MOST_FRAMES:
                tree[each.child] = each
                changed.add(each.child)
        found = (self._located(robot, namespace, tree, changed, time) for robot in self._chains)
        return [each for each in found if each is not None]

    def _posed(self, robot: int, data: bytes, time: float) -> list[LocatedRobot]:
        x, y, heading = _read_pose(data)
        return [LocatedRobot(robot, x, y, heading)] if self._is_due(robot, time) else []

    def _located(
        self, robot: int, namespace: str, tree: Mapping[str, PlanarTransform], changed: set[str], time: float
    ) -> LocatedRobot | None:
        """Where a robot is, if one of the frames that have changed leads from the map to it."""
        if time < self._due.get(robot, -inf):
            return None
        for topic, base in self._chains[robot]:
            if topic != namespace:
                continue
            pose, frames = self._on_the_map(base, tree)
            if pose is not None:
                if changed.isdisjoint(frames) or not self._is_due(robot, time):
                    return None
                return LocatedRobot(robot, *pose)
        return None

    def _on_the_map(self, base: str, tree: Mapping[str, PlanarTransform]) -> tuple[Pose | None, list[str]]:
        """The pose of a frame on the map, and the frames that lead there; None: none does."""
        maps = {self._source.tf, f"{base.rpartition('/')[0]}/{self._source.tf}"}
        pose, frame = (0.0, 0.0, 0.0), base
        frames: list[str] = []
        while frame not in maps:
            above = tree.get(frame)
            if above is None or len(frames) >= DEEPEST:
                return None, []
            frames.append(frame)
            pose = composed((above.x, above.y, above.heading), pose)
            frame = above.parent
        return pose, frames

    def _is_due(self, robot: int, time: float) -> bool:
        if time < self._due.get(robot, -inf):
            return False
        self._due[robot] = time + PERIOD - 1e-9
        return True

    def _bases(self, robot: int, namespace: str | None) -> list[tuple[str, str]]:
        """Frames that a robot's body may have, each with the namespace of the topic on which it is."""
        if self._source.base:
            base = _named(self._source.base, robot)
            return [("", base)] + ([(namespace, base)] if namespace else [])
        if namespace is None:
            raise Ros2Error(
                f"nothing says what the frame of robot {robot} is called, since it has no address of ROS 2: add "
                f"base=robot{NUMBER}/base_link to the address, or what it is called"
            )
        if not namespace:
            return [("", base) for base in BASES]
        prefixed = [f"{namespace}/{base}" for base in BASES]
        return [("", each) for each in prefixed] + [(namespace, each) for each in (*BASES, *prefixed)]


def composed(outer: Pose, inner: Pose) -> Pose:
    """The pose in a frame of something whose pose is known in another one, which stands there."""
    x, y, heading = outer
    dx, dy, turn = inner
    return x + cos(heading) * dx - sin(heading) * dy, y + sin(heading) * dx + cos(heading) * dy, heading + turn


def _named(pattern: str, robot: int) -> str:
    return pattern.replace(NUMBER, str(robot))


def _read_pose(data: bytes) -> Pose:
    """Of a PoseStamped, or of a PoseWithCovarianceStamped: which it is, its length says."""
    message: Any
    try:
        message = read(POSE, data).pose
    except MessageError:
        message = read(POSE_WITH_COVARIANCE, data).pose.pose
    return planar_pose(message)
