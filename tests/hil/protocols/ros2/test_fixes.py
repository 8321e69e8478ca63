"""Fixes out of transforms and poses, against matrices, and in either habit of tf."""

from __future__ import annotations

from math import atan2, cos, remainder, sin, tau
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rosbags.typesys import Stores, get_typestore

from devs_robotics.hil.protocols.ros2.fixes import (
    PERIOD,
    POSE,
    POSE_WITH_COVARIANCE,
    FixSource,
    LocatedRobot,
    RobotFixes,
    composed,
)
from devs_robotics.hil.protocols.ros2.packets import pack
from devs_robotics.hil.protocols.ros2.type_store import MessageError, Ros2Error

STORE = get_typestore(Stores.ROS2_HUMBLE)
TYPES: dict[str, Any] = dict(STORE.types)

places = st.floats(-50.0, 50.0)
poses = st.tuples(places, places, st.floats(-3.0, 3.0))
Pose = tuple[float, float, float]


def header(frame: str) -> Any:
    return TYPES["std_msgs/msg/Header"](TYPES["builtin_interfaces/msg/Time"](1, 2), frame)


def quaternion(heading: float) -> Any:
    return TYPES["geometry_msgs/msg/Quaternion"](0.0, 0.0, sin(0.5 * heading), cos(0.5 * heading))


def tf(topic: str, *each: tuple[str, str, Pose]) -> bytes:
    """A packet with transforms: parent, child, and where the child is."""
    transforms = [
        TYPES["geometry_msgs/msg/TransformStamped"](
            header(parent),
            child,
            TYPES["geometry_msgs/msg/Transform"](TYPES["geometry_msgs/msg/Vector3"](x, y, 0.0), quaternion(heading)),
        )
        for parent, child, (x, y, heading) in each
    ]
    kind = "tf2_msgs/msg/TFMessage"
    return pack(topic, bytes(STORE.serialize_cdr(TYPES[kind](transforms), kind)))


def posed(topic: str, kind: str, pose: Pose) -> bytes:
    x, y, heading = pose
    said = TYPES["geometry_msgs/msg/Pose"](TYPES["geometry_msgs/msg/Point"](x, y, 0.0), quaternion(heading))
    if kind == POSE_WITH_COVARIANCE:
        said = TYPES["geometry_msgs/msg/PoseWithCovariance"](said, np.zeros(36))
    return pack(topic, bytes(STORE.serialize_cdr(TYPES[kind](header("map"), said), kind)))


def matrix(pose: Pose) -> Any:
    x, y, heading = pose
    return np.array([[cos(heading), -sin(heading), x], [sin(heading), cos(heading), y], [0.0, 0.0, 1.0]])


def same(found: LocatedRobot, expected: Any) -> bool:
    """Whether a fix is what a matrix says."""
    turn = remainder(found.heading - atan2(expected[1, 0], expected[0, 0]), tau)
    return abs(found.x - expected[0, 2]) < 1e-6 and abs(found.y - expected[1, 2]) < 1e-6 and abs(turn) < 1e-9


@given(poses, poses)
def test_poses_are_composed_as_matrices_are(outer: Pose, inner: Pose) -> None:
    assert same(LocatedRobot(1, *composed(outer, inner)), matrix(outer) @ matrix(inner))


@given(poses, poses, poses, st.permutations([0, 1, 2]))
def test_the_chain_of_rep_105_is_composed_in_whatever_order_it_comes(
    odom: Pose, base: Pose, link: Pose, order: list[int]
) -> None:
    fixes = RobotFixes(FixSource(tf="map"), {3: "turtle3"})
    parts = [
        tf("/tf", ("map", "turtle3/odom", odom)),
        tf("/tf", ("turtle3/odom", "turtle3/base_footprint", base)),
        tf("/tf_static", ("turtle3/base_footprint", "turtle3/base_link", link)),
    ]
    found = [each for k, part in enumerate(order) for each in fixes.read(parts[part], float(k))]
    assert found[-1].robot == 3
    expected = matrix(odom) @ matrix(base)
    assert same(found[-1], expected @ matrix(link)) or (order[-1] != 2 and same(found[-1], expected))


@pytest.mark.parametrize(
    ("topic", "prefix"), [("/tf", "turtle{}/"), ("/turtle{}/tf", ""), ("/turtle{}/tf", "turtle{}/")]
)
def test_robots_have_either_habit_of_tf(topic: str, prefix: str) -> None:
    fixes = RobotFixes(FixSource(tf="map"), {1: "turtle1", 2: "turtle2"})
    for n in (1, 2):
        at, before = topic.format(n), prefix.format(n)
        assert fixes.read(tf(at, ("map", f"{before}odom", (1.0, 0.0, 0.0))), 0.0) == []
        found = fixes.read(tf(at, (f"{before}odom", f"{before}base_link", (0.0, float(n), 0.5))), 0.0)
        assert found == [LocatedRobot(n, 1.0, float(n), 0.5)]


def test_two_habits_are_not_mixed() -> None:
    """The frames of one robot's topic are not those of another's."""
    fixes = RobotFixes(FixSource(tf="map"), {1: "turtle1", 2: "turtle2"})
    assert fixes.read(tf("/turtle1/tf", ("map", "odom", (1.0, 0.0, 0.0))), 0.0) == []
    assert fixes.read(tf("/turtle2/tf", ("odom", "base_link", (1.0, 0.0, 0.0))), 0.0) == []
    assert fixes.read(tf("/tf", ("odom", "base_link", (1.0, 0.0, 0.0))), 0.0) == []


def test_maps_and_bases_may_have_other_names() -> None:
    fixes = RobotFixes(FixSource(tf="world", base="rig/cf{N}"), {1: None, 7: None})
    assert {topic.name for topic in fixes.topics} == {"/tf", "/tf_static"}
    found = fixes.read(tf("/tf", ("world", "rig/cf1", (1.0, 2.0, 0.1)), ("world", "rig/cf7", (3.0, 4.0, 0.2))), 0.0)
    assert [(each.robot, each.x) for each in found] == [(1, 1.0), (7, 3.0)]
    with pytest.raises(
        Ros2Error, match=r"nothing says what the frame of robot 2 is called.*add base=robot\{N\}/base_l"
    ):
        RobotFixes(FixSource(tf="map"), {2: None})


@pytest.mark.parametrize("namespace", ["", "turtle1"])
def test_frames_of_a_robot_alone_need_no_namespace(namespace: str) -> None:
    fixes = RobotFixes(FixSource(tf="map"), {1: namespace})
    found = fixes.read(tf("/tf", ("map", "odom", (1.0, 0.0, 0.0)), ("odom", "base_link", (1.0, 0.0, 0.0))), 0.0)
    assert found == [LocatedRobot(1, 2.0, 0.0, 0.0)]
    several = RobotFixes(FixSource(tf="map"), {1: namespace or "a", 2: "b"})
    assert several.read(tf("/tf", ("map", "odom", (1.0, 0.0, 0.0)), ("odom", "base_link", (1.0, 0.0, 0.0))), 0.0) == []


def test_fixes_are_no_more_frequent_than_those_of_a_camera() -> None:
    fixes = RobotFixes(FixSource(tf="map"), {1: "a"})
    packet = tf("/tf", ("map", "a/base_link", (1.0, 0.0, 0.0)))
    assert sum(len(fixes.read(packet, 0.02 * step)) for step in range(100)) == round(2.0 / PERIOD)


def test_what_concerns_no_robot_makes_no_fix() -> None:
    fixes = RobotFixes(FixSource(tf="map"), {1: "a"})
    assert len(fixes.read(tf("/tf", ("map", "a/base_link", (1.0, 0.0, 0.0))), 0.0)) == 1
    assert fixes.read(tf("/tf", ("map", "b/base_link", (1.0, 0.0, 0.0))), 1.0) == []


def test_a_circle_of_frames_leads_nowhere() -> None:
    fixes = RobotFixes(FixSource(tf="map"), {1: "a"})
    here = (0.0, 0.0, 0.0)
    assert fixes.read(tf("/tf", ("a/odom", "a/base_link", here), ("a/base_link", "a/odom", here)), 0.0) == []


@pytest.mark.parametrize("kind", [POSE, POSE_WITH_COVARIANCE])
def test_poses_are_fixes_whichever_type_they_have(kind: str) -> None:
    fixes = RobotFixes(FixSource(pose="/turtle{N}/amcl_pose"), {1: "turtle1", 2: "turtle2"})
    assert [topic.name for topic in fixes.topics] == ["/turtle1/amcl_pose", "/turtle2/amcl_pose"]
    [found] = fixes.read(posed("/turtle2/amcl_pose", kind, (1.0, -2.0, 0.5)), 0.0)
    assert same(found, matrix((1.0, -2.0, 0.5)))
    assert found.robot == 2


def test_one_topic_is_the_pose_of_one_robot() -> None:
    with pytest.raises(Ros2Error, match=r"pose=/pose is one topic for 2 robots: write \{N\} where their numbers stand"):
        RobotFixes(FixSource(pose="/pose"), {1: "", 2: ""})


@given(st.sampled_from(["/tf", "/a/tf", "/tf_static", "/p1", "/else"]), st.binary(max_size=200), st.booleans())
def test_garbage_is_refused_and_raises_nothing_else(topic: str, data: bytes, poses: bool) -> None:
    fixes = RobotFixes(FixSource(pose="/p{N}") if poses else FixSource(tf="map"), {1: "a"})
    for packet in (pack(topic, data), data):
        try:
            assert fixes.read(packet, 0.0) == []
        except MessageError:
            continue


@given(st.floats(), st.sampled_from(["x", "y", "z", "w"]))
def test_numbers_that_cannot_be_are_refused(number: float, field: str) -> None:
    pose = TYPES["geometry_msgs/msg/Pose"](TYPES["geometry_msgs/msg/Point"](1.0, 1.0, 0.0), quaternion(0.0))
    part = pose.position if field in "xy" else pose.orientation
    setattr(part, field, number)
    data = bytes(STORE.serialize_cdr(TYPES[POSE](header("map"), pose), POSE))
    try:
        found = RobotFixes(FixSource(pose="/p"), {1: ""}).read(pack("/p", data), 0.0)
    except MessageError:
        return
    assert all(abs(value) <= 1e6 for each in found for value in (each.x, each.y, each.heading))
