"""A run for tools of ROS 2: `RosPictures` is what recordings and live runs have in common.

Poses are transforms on ``/tf`` and odometry on ``NAMESPACE/odom``, looks are markers on ``/scene`` and ``/marks``, the
field is a map on ``/map``. Readings of range sensors are on ``NAMESPACE/scan`` where beams are evenly spaced, and else
a topic per beam, ``NAMESPACE/range0``, with a frame of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, cos, inf, remainder, sin, tau
from typing import Protocol

import numpy as np
from msgspec import Struct

from devs_robotics.hil.protocols.ros2.messages import (
    LidarScan,
    OdometryReport,
    PlanarTransform,
    RangeReading,
    Stamp,
    write_odometry,
    write_range,
    write_scan,
    write_transforms,
)
from devs_robotics.hil.protocols.ros2.names import LASER_SCAN, ODOMETRY, RANGE, TF_MESSAGE
from devs_robotics.view import foxglove_schemas as fox
from devs_robotics.view.ros2.body_names import BodyNames
from devs_robotics.view.ros2.occupancy import occupancy
from devs_robotics.view.ros2.ros_messages import GRID, write_grid
from devs_robotics.view.scene import Scene, SceneBody

Pose = tuple[float, float, float]

RATE = 20.0
"""Transforms and odometry of who moves, per second."""

BEAM_WIDTH = 0.05
"""Angle of view of a beam in messages, which must have one; a model's beams are rays (rad)."""


class RosTopic(Struct, frozen=True):
    """A topic of ROS.

    Attributes:
        name: from the root, ``/tf``
        kind: type of its messages, ``tf2_msgs/msg/TFMessage``
        latched: whether who comes late gets the last message (transient local)
    """

    name: str
    kind: str
    latched: bool = False


TF = RosTopic("/tf", TF_MESSAGE)
TF_STATIC = RosTopic("/tf_static", TF_MESSAGE, latched=True)


class RosSink(Protocol):
    """Where messages go: a bag, or the network."""

    def put(self, topic: RosTopic, time: float, data: bytes, /) -> None:
        """Take the bytes of a message (CDR) of a topic, at a time (s)."""


class RosPictures:
    """Tells tools of ROS what a field is like, where who moves, and what is seen.

    Args:
        sink: takes the messages
        scene: of the run
        prefix: namespace of all bodies; may be empty
    """

    def __init__(self, sink: RosSink, scene: Scene, prefix: str = "") -> None:
        self._sink = sink
        self._scene = scene
        self.names = BodyNames(prefix)
        self._bodies: list[SceneBody] = []

    def describe(self, time: float, bodies: Iterable[SceneBody]) -> None:
        """Tell what does not move in the field, and what does not move on bodies; more bodies may follow."""
        first = not self._bodies
        bodies = list(bodies)
        self._bodies += bodies
        self.names.learn(bodies)
        if first:
            topic = RosTopic(self.names.topic("map"), GRID, latched=True)
            self._sink.put(topic, time, write_grid(self.names.field, *occupancy(self._scene), time))
        fixed = [each for body in self._bodies for each in self._fixed(body, time)]
        self._sink.put(TF_STATIC, time, write_transforms(fixed))

    def ranges(self, time: float, robot: int, values: Sequence[float]) -> None:
        """Tell what the range sensor of a robot has read (m, from the face of its body)."""
        body = self.names.of_robot(robot)
        if body is None or len(values) != len(body.beams):
            return
        namespace = self.names.namespace(body.name)
        if evenly_spaced(body.beams):
            topic = RosTopic(f"/{namespace}/scan", LASER_SCAN)
            self._sink.put(topic, time, write_scan(_scan(f"{namespace}/base_link", body, values, time)))
            return
        for number, value in enumerate(values):
            reading = RangeReading(
                stamp=Stamp.of(time),
                frame=f"{namespace}/range{number}",
                field_of_view=BEAM_WIDTH,
                nearest=0.0,
                farthest=body.reach,
                range=value,
            )
            self._sink.put(RosTopic(f"/{namespace}/range{number}", RANGE), time, write_range(reading))

    def odometry(self, body: str, pose: Pose, twist: tuple[float, float], time: float) -> None:
        """Tell odometry, but of who is only seen from outside."""
        if self._is_seen(body):
            return
        namespace, (x, y, heading), (speed, turn_rate) = self.names.namespace(body), pose, twist
        report = OdometryReport(
            stamp=Stamp.of(time),
            frame=f"{namespace}/odom",
            child_frame=f"{namespace}/base_link",
            x=x,
            y=y,
            heading=heading,
            speed=speed,
            turn_rate=turn_rate,
        )
        self._sink.put(RosTopic(f"/{namespace}/odom", ODOMETRY), time, write_odometry(report))

    def transform(self, body: str, pose: Pose, time: float) -> PlanarTransform:
        """Where a body is."""
        parent = self.names.field if self._is_seen(body) else f"{self.names.namespace(body)}/odom"
        return _placed(parent, self.names.frame(body), pose, time)

    def _is_seen(self, name: str) -> bool:
        body = self.names.body(name)
        return body is not None and body.kind == "real"

    def _fixed(self, body: SceneBody, time: float) -> Iterable[PlanarTransform]:
        """Frames that a body has from the beginning."""
        namespace = self.names.namespace(body.name)
        if body.kind != "real":
            yield _placed(self.names.field, f"{namespace}/odom", (0.0, 0.0, 0.0), time)
        if not body.beams or evenly_spaced(body.beams):
            return
        for number, beam in enumerate(body.beams):
            place = body.radius * cos(beam), body.radius * sin(beam), beam
            yield _placed(f"{namespace}/base_link", f"{namespace}/range{number}", place, time)


def evenly_spaced(beams: Sequence[float]) -> bool:
    """Whether beams make a scan: at least three, at equal angles."""
    steps = np.diff(np.asarray(beams, dtype=np.float64))
    return len(beams) >= 3 and bool(steps[0]) and bool(np.allclose(steps, steps[0], rtol=0.0, atol=1e-6))


def _scan(frame: str, body: SceneBody, values: Sequence[float], time: float) -> LidarScan:
    """A scan, counter-clockwise as most tools want it; its readings count from the middle of the body."""
    beams = body.beams
    if beams[-1] < beams[0]:
        beams, values = beams[::-1], values[::-1]
    return LidarScan(
        stamp=Stamp.of(time),
        frame=frame,
        first=beams[0],
        step=(beams[-1] - beams[0]) / (len(beams) - 1),
        nearest=body.radius,
        farthest=body.radius + (body.reach or inf),
        ranges=np.array([body.radius + value for value in values], dtype=np.float32),
    )


def _placed(parent: str, child: str, pose: Pose, time: float) -> PlanarTransform:
    x, y, heading = pose
    return PlanarTransform(stamp=Stamp.of(time), parent=parent, child=child, x=x, y=y, heading=heading)


def pose_of(transform: fox.FrameTransform) -> Pose:
    """The pose in a transform."""
    place, turn = transform.translation, transform.rotation
    return place.x, place.y, 2.0 * atan2(turn.z, turn.w)


def seconds(transform: fox.FrameTransform) -> float:
    """The time of a transform (s)."""
    return transform.timestamp.sec + 1e-9 * transform.timestamp.nsec


def topic_of(thing: str) -> str:
    """On which topic the markers of a thing are."""
    return "marks" if thing.startswith("mark ") else "scene"


def twist(before: Pose, now: Pose, passed: float) -> tuple[float, float]:
    """Speed (m/s) and turn rate (rad/s) of who was at one pose and is at another, so much later (s)."""
    turn = remainder(now[2] - before[2], tau)
    middle = before[2] + 0.5 * turn
    along = (now[0] - before[0]) * cos(middle) + (now[1] - before[1]) * sin(middle)
    return along / passed, turn / passed
