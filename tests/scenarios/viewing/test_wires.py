"""Packets of ROS 2 robots in bags: as they came and went, byte for byte."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from rosbags.highlevel import AnyReader

from devs_robotics.core.observe import Received, Sent, read_trace
from devs_robotics.hil.protocols.ros2.fixes import POSE, POSE_WITH_COVARIANCE
from devs_robotics.hil.protocols.ros2.graph import RobotTopics
from devs_robotics.hil.protocols.ros2.messages import BaseVelocity, Stamp, write_twist, write_twist_stamped
from devs_robotics.scenarios.viewing.wires import tracking_topic, wire_topic
from tests.hil.protocols.ros2.test_fixes import posed
from tests.scenarios.commands.calling import called

INSIDE = "--stage", "loop", "--lab", "inside", "--accept-risk", "--set", "real.2.protocol=ros2"


def test_packets_are_in_a_bag_as_they_came_and_went(tmp_path: Path) -> None:
    bag = tmp_path / "run.mcap"
    options = "--set", "run.duration=3", "--set", "wandering.robots=2"
    result = called("run", "wander", *INSIDE, *options, "--trace", bag, "--trace-encoding", "ros2")
    assert result.returncode == 0, result.stderr
    passed: dict[bytes, list[bytes]] = {}
    for event in read_trace(bag):
        if isinstance(event, Sent | Received) and event.model.endswith("robot2/device"):
            for value in event.values:
                if isinstance(value, dict) and set(value) == {"data"}:
                    topic, _, data = base64.b64decode(value["data"]).partition(b"\0")
                    passed.setdefault(topic, []).append(data)
    written: dict[str, list[bytes]] = {}
    kinds: dict[str, str] = {}
    with AnyReader([bag]) as reader:
        for connection, _, data in reader.messages():
            written.setdefault(connection.topic, []).append(bytes(data))
            kinds[connection.topic] = connection.msgtype
            reader.deserialize(data, connection.msgtype)
    assert {"cmd_vel", "odom", "scan"} <= {topic.decode() for topic in passed}
    for topic, name, kind in (
        (b"cmd_vel", "/robot2/cmd_vel", "geometry_msgs/msg/Twist"),
        (b"odom", "/robot2/odom", "nav_msgs/msg/Odometry"),
        (b"scan", "/robot2/scan", "sensor_msgs/msg/LaserScan"),
        (b"battery", "/robot2/battery_state", "sensor_msgs/msg/BatteryState"),
    ):
        assert written[name] == passed[topic]
        assert kinds[name] == kind
    assert "/robot2_counterpart/odom" in written


TOPICS = RobotTopics(
    cmd="/a/cmd_vel",
    odom="/a/odom",
    ranges=("/a/ps0", "/a/ps1"),
    battery="/a/battery_state",
    ask="/a/equipment/ask",
    told="/a/equipment/told",
    sensors=(("light0", "/a/ls0"), ("ground0", "/a/gs0")),
)


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("cmd_vel", write_twist(BaseVelocity(0.1, 0.2)), ("/a/cmd_vel", "geometry_msgs/msg/Twist")),
        (
            "cmd_vel",
            write_twist_stamped(BaseVelocity(0.1, 0.2), Stamp(), ""),
            ("/a/cmd_vel", "geometry_msgs/msg/TwistStamped"),
        ),
        ("range1", b"", ("/a/ps1", "sensor_msgs/msg/Range")),
        ("range2", b"", None),
        ("light0", b"", ("/a/ls0", "sensor_msgs/msg/Illuminance")),
        ("ground0", b"", ("/a/gs0", "sensor_msgs/msg/Range")),
        ("ground1", b"", None),
        ("ask", b"", ("/a/equipment/ask", "std_msgs/msg/String")),
        ("told", b"", ("/a/equipment/told", "std_msgs/msg/String")),
        ("scan", b"", None),
        ("graph", b"{}", None),
        ("", b"", None),
        ("rangex", b"", None),
    ],
)
def test_a_packet_has_the_topic_that_its_robot_has(name: str, data: bytes, expected: tuple[str, str] | None) -> None:
    found = wire_topic(TOPICS, name, data)
    assert (None if found is None else (found.name, found.kind)) == expected


@pytest.mark.parametrize("kind", [POSE, POSE_WITH_COVARIANCE])
def test_packets_of_a_tracking_system_have_their_types(kind: str) -> None:
    names = {"/p", "/tf", "/tf_static"}
    _, _, data = posed("/p", kind, (1.0, 2.0, 0.5)).partition(b"\0")
    found: Any = tracking_topic(names, "/p", data)
    assert (found.name, found.kind) == ("/p", kind)
    assert [tracking_topic(names, name, b"").latched for name in ("/tf", "/tf_static")] == [False, True]  # type: ignore[union-attr]
    assert tracking_topic(names, "/else", b"") is None
