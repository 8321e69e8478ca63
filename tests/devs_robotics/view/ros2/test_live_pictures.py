"""Runs that go on, as ROS's tools are told of them."""

from __future__ import annotations

from math import cos, inf, isnan, nan, pi, sin
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rosbags.typesys import Stores, get_typestore

from devs_robotics.view.replay import MarkChange
from devs_robotics.view.ros2.live_pictures import LiveRosPictures
from devs_robotics.view.ros2.ros_pictures import RosTopic
from devs_robotics.view.scene import Disc, Mark, Obstacle, Outline, Polyline, Scene, SceneBody
from tests.devs_robotics.view.ros2.bags import heading, seconds

STORE = get_typestore(Stores.ROS2_HUMBLE)
BODIES = (
    SceneBody(0, 1, "robot 1", beams=(0.5, 0.0, -0.5), reach=1.0),
    SceneBody(1, 2, "robot 2", kind="counterpart", beams=(0.5, 0.0, -0.7), reach=1.0),
    SceneBody(2, 2, "robot 2, real", kind="real"),
)
SCENE = Scene(
    title="",
    width=2.0,
    height=1.0,
    obstacles=(Obstacle(Disc(1.0, 0.5, 0.1), "post"), Obstacle(Outline(((0.0, 0.0), (0.1, 0.0), (0.0, 0.1))))),
    bodies=BODIES,
    marks={"nest": Mark(Disc(0.3, 0.3, 0.1), "nest", filled=True), "way": Mark(Polyline(((0.0, 0.0), (1.0, 1.0))))},
)


class Ear:
    """Hears all, and keeps it by topics, read by rosbags as Humble has these types."""

    def __init__(self) -> None:
        self.heard: dict[str, list[Any]] = {}
        self.topics: dict[str, RosTopic] = {}

    def put(self, topic: RosTopic, time: float, data: bytes, /) -> None:
        """Hear a message."""
        if topic.kind == "sensor_msgs/msg/Range":
            data = data[:-4]  # a field that Humble does not have
        self.topics[topic.name] = topic
        self.heard.setdefault(topic.name, []).append(STORE.deserialize_cdr(data, topic.kind))


places = st.floats(-5.0, 5.0)
poses = st.tuples(places, places, st.floats(-3.0, 3.0))


@given(st.lists(st.tuples(poses, poses), min_size=1, max_size=5))
def test_everybody_is_told_each_time_whether_or_not_he_has_moved(steps: list[tuple[Any, Any]]) -> None:
    ear = Ear()
    live = LiveRosPictures(ear, SCENE)
    for step, (one, other) in enumerate(steps):
        live.show(0.1 * step, [one, other, (nan, nan, nan)])
        live.tell(0.1 * step, 1e9 + 0.1 * step)
    assert len(ear.heard["/tf"]) == len(steps)
    for step, message in enumerate(ear.heard["/tf"]):
        found = {each.child_frame_id: each for each in message.transforms}
        assert set(found) == {"robot1/base_link", "robot2_counterpart/base_link"}
        for transform, (x, y, turn) in zip(message.transforms, steps[step], strict=True):
            place = transform.transform.translation
            assert (place.x, place.y) == (x, y)
            assert abs(heading(transform.transform.rotation) - turn) < 1e-9
            assert abs(seconds(transform.header.stamp) - 1e9 - 0.1 * step) < 1e-6
    assert {"/robot1/odom", "/robot2_counterpart/odom"} == {name for name in ear.heard if name.endswith("odom")}


@given(st.floats(-1.0, 1.0), st.floats(-2.0, 2.0), st.floats(-3.0, 3.0))
def test_a_twist_is_that_of_the_body(speed: float, turn_rate: float, start: float) -> None:
    ear, step = Ear(), 0.05
    live = LiveRosPictures(ear, SCENE)
    for number in range(3):
        at = number * step
        turn = start + turn_rate * at
        if abs(turn_rate) > 1e-6:
            radius = speed / turn_rate
            x, y = radius * (sin(turn) - sin(start)), radius * (cos(start) - cos(turn))
        else:
            x, y = speed * at * cos(start), speed * at * sin(start)
        live.show(at, [(x, y, turn)])
        live.tell(at, at)
    last = ear.heard["/robot1/odom"][-1].twist.twist
    assert abs(last.linear.x - speed) < 1e-3
    assert abs(last.angular.z - turn_rate) < 1e-6
    live.stand()
    live.tell(2 * step, 1.0)
    assert ear.heard["/robot1/odom"][-1].twist.twist.linear.x == 0.0


def test_markers_are_told_whole_and_only_where_they_have_changed() -> None:
    ear = Ear()
    live = LiveRosPictures(ear, SCENE)
    live.show(0.0, [(1.0, 1.0, 0.0)])
    live.tell(0.0, 0.0)
    live.show(0.1, [(1.1, 1.0, 0.0)])
    live.tell(0.1, 0.1)
    assert len(ear.heard["/scene"]) == len(ear.heard["/marks"]) == 1
    live.mark(MarkChange(0.2, "nest", None))
    live.show(0.2, [(1.1, 1.0, 0.0), (0.5, 0.5, 0.0)])
    live.tell(0.2, 0.2)
    scenes, marks = ear.heard["/scene"], ear.heard["/marks"]
    assert all(message.markers[0].action == 3 for message in (*scenes, *marks))
    assert [{each.ns for each in message.markers[1:]} for message in marks] == [
        {"mark nest", "mark way"},
        {"mark way"},
    ]
    assert [{each.ns for each in message.markers[1:]} for message in scenes] == [
        {"field", "obstacle 1", "obstacle 2", "robot 1"},
        {"field", "obstacle 1", "obstacle 2", "robot 1", "robot 2"},
    ]
    [body] = [each for each in scenes[0].markers if each.ns == "robot 1" and each.type == 3]
    assert (body.header.frame_id, body.frame_locked) == ("robot1/base_link", True)
    assert body.scale.x == 2.0 * BODIES[0].radius
    live.show(0.3, [(nan, nan, nan), (0.5, 0.5, 0.0)])
    live.tell(0.3, 0.3)
    assert "robot 1" not in {each.ns for each in ear.heard["/scene"][-1].markers}
    assert len(ear.heard["/tf"][-1].transforms) == 1


def test_what_stands_is_told_once_and_latched_and_again_for_who_comes() -> None:
    ear = Ear()
    live = LiveRosPictures(ear, SCENE, "sim")
    for time in (0.0, 0.1):
        live.show(time, [(1.0, 0.5, 0.0)] * 3)
        live.tell(time, time)
    assert (len(ear.heard["/tf_static"]), len(ear.heard["/sim/map"])) == (1, 1)
    live.join([SceneBody(3, 0, "visitor", kind="outside")])
    live.show(0.2, [(1.0, 0.5, 0.0)] * 4)
    live.tell(0.2, 0.2)
    frames = [{each.child_frame_id for each in message.transforms} for message in ear.heard["/tf_static"]]
    assert frames[1] - frames[0] == {"sim/visitor/odom"}
    assert frames[0] > {"sim/robot1/odom", "sim/robot2_counterpart/odom", "sim/robot2_counterpart/range0"}
    assert {name for name, topic in ear.topics.items() if topic.latched} == {
        "/tf_static",
        "/sim/map",
        "/sim/scene",
        "/sim/marks",
    }
    parents = {each.header.frame_id for each in ear.heard["/tf"][-1].transforms}
    assert parents == {"sim/robot1/odom", "sim/robot2_counterpart/odom", "sim/map", "sim/visitor/odom"}


def test_readings_are_a_scan_or_a_topic_per_beam() -> None:
    ear = Ear()
    live = LiveRosPictures(ear, SCENE)
    live.tell(0.0, 0.0)
    live.ros.ranges(1.5, 1, (0.1, inf, 0.3))
    live.ros.ranges(1.5, 2, (0.1, inf, 0.3))
    live.ros.ranges(1.5, 3, (0.1, inf, 0.3))
    live.ros.ranges(1.5, 1, (0.1, inf))
    [scan] = ear.heard["/robot1/scan"]
    assert [round(float(each), 6) for each in scan.ranges] == [0.4, inf, 0.2]
    assert (round(scan.angle_min, 6), round(scan.angle_max, 6)) == (-0.5, 0.5)
    readings = [ear.heard[f"/robot2_counterpart/range{number}"][0] for number in range(3)]
    assert [round(float(each.range), 6) for each in readings] == [0.1, inf, 0.3]
    assert {seconds(each.header.stamp) for each in (scan, *readings)} == {1.5}
    static = {each.child_frame_id: each for each in ear.heard["/tf_static"][0].transforms}
    place = static["robot2_counterpart/range2"]
    assert abs(heading(place.transform.rotation) + 0.7) < 1e-9
    assert abs(place.transform.translation.y - BODIES[1].radius * sin(-0.7)) < 1e-9
    assert not any(isnan(each.range) for each in readings)
    assert pi > scan.angle_increment > 0.0
