"""Bags of runs: what ROS's tools read in them is what replays show, and what the trace of the same run tells."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rosbags.highlevel import AnyReader
from rosbags.interfaces import ConnectionExtRosbag2, QosDurability

from devs_robotics.core.observe import Mcap, Sent, read_trace, trace_file
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.view.posing import Posing
from devs_robotics.view.replay import Replay
from tests.devs_robotics.view.recorded import RUNS
from tests.devs_robotics.view.ros2.bags import Message, by_mcap, by_rosbags, heading, of, seconds

Bagged = tuple[Path, Replay, list[Message]]


@pytest.fixture(scope="module")
def bag_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Makes the bag of a run: its path, the replay of the same run, and what rosbags reads."""
    folder = tmp_path_factory.mktemp("bags")

    @cache
    def made(name: str) -> Bagged:
        settings, means = RUNS[name]
        path = folder / f"{name}.mcap"
        trace = Mcap(path, "ros2")
        hooks = Hooks(observers=[(trace, ())], bag=trace, replay=True)
        outcome = run(resolve(load(name, settings)), means, hooks)
        assert outcome.replay is not None
        return path, outcome.replay, by_rosbags(path)

    return made


def frames(replay: Replay) -> dict[str, int]:
    """Slots by the frames of bodies."""
    found = {}
    for body in replay.scene.bodies:
        suffix = "" if body.kind == "virtual" else f"_{body.kind}"
        found[f"robot{body.robot}{suffix}/base_link"] = body.slot
    return found


@pytest.mark.parametrize("name", ["forage", "line_following", "convoy_in_the_loop"])
def test_transforms_are_the_poses_of_the_replay_and_tf2_can_join_them(bag_of: Any, name: str) -> None:
    _, replay, messages = bag_of(name)
    posing = Posing(replay.scene, replay.timeline)
    slots = frames(replay)
    ways: dict[str, list[tuple[float, float, float, float]]] = {}
    for time, message in of(messages, "/tf"):
        for each in message.transforms:
            at, place = seconds(each.header.stamp), each.transform.translation
            assert abs(at - 1e-9 * time) < 1e-9
            ways.setdefault(each.child_frame_id, []).append((at, place.x, place.y, heading(each.transform.rotation)))
    assert set(ways) == set(slots)
    for frame, rows in ways.items():
        way = np.array(rows)
        assert np.diff(way[:, 0]).min() > 0.0
        assert np.diff(way[:, 0]).max() < 1.0 + 1e-6  # tf2 keeps ten seconds
        assert way[-1, 0] > replay.timeline.end - 1.1
        headings = np.unwrap(way[:, 3])
        for at in np.linspace(way[0, 0], way[-1, 0], 149)[1:-1]:
            around = [posing.at(float(at) + shift)[slots[frame]] for shift in (-0.05, -2e-3, 0.0, 2e-3, 0.05)]
            found = np.array([np.interp(at, way[:, 0], column) for column in (way[:, 1], way[:, 2], headings)])
            near = 0.5 * max(np.abs(_step(each, around[2])).max() for each in around)
            assert np.abs(_step(found, around[2])).max() < 2e-3 + near


def _step(one: Any, other: Any) -> Any:
    step = one - other
    step[2] = (step[2] + np.pi) % (2.0 * np.pi) - np.pi
    return step


@pytest.mark.parametrize("name", ["line_following", "convoy_in_the_loop"])
def test_odometry_is_where_transforms_are_and_its_twist_leads_there(bag_of: Any, name: str) -> None:
    _, replay, messages = bag_of(name)
    placed = {
        (each.child_frame_id, seconds(each.header.stamp)): each
        for _, message in of(messages, "/tf")
        for each in message.transforms
    }
    count = 0
    for frame in frames(replay):
        namespace = frame.partition("/")[0]
        reports = of(messages, f"/{namespace}/odom")
        assert bool(reports) is not namespace.endswith("_real")
        last: Any = None
        for _, report in reports:
            at = seconds(report.header.stamp)
            pose, twist = report.pose.pose, report.twist.twist
            transform = placed[report.child_frame_id, at]
            assert (report.header.frame_id, transform.header.frame_id) == (f"{namespace}/odom",) * 2
            assert (pose.position.x, pose.position.y) == (
                transform.transform.translation.x,
                transform.transform.translation.y,
            )
            now = np.array([pose.position.x, pose.position.y, heading(pose.orientation)])
            if last is not None and at - last[0] < 0.051:
                step, middle = _step(now, last[1]), last[1][2] + 0.5 * _step(now, last[1])[2]
                along = np.array([np.cos(middle), np.sin(middle)]) @ step[:2]
                assert (twist.linear.x, twist.angular.z) == pytest.approx((along * 20.0, step[2] * 20.0), abs=1e-6)
                count += 1
            last = at, now
    assert count > 100


def test_both_readers_read_the_same(bag_of: Any) -> None:
    path, _, messages = bag_of("forage")
    others = by_mcap(path)
    assert sorted((topic, time) for topic, time, _ in others) == sorted((topic, time) for topic, time, _ in messages)
    for topic in ("/tf", "/robot1/odom", "/scene", "/marks", "/map"):
        for (_, one), (_, other) in list(zip(of(messages, topic), of(others, topic), strict=True))[:20]:
            assert _plain(one) == _plain(other)


def _plain(message: Any) -> Any:
    """What a message says, without the classes of the reader."""
    if isinstance(message, str | int | float | bool):
        return message
    if isinstance(message, bytes | bytearray):
        return list(message)
    if isinstance(message, np.ndarray | list | tuple):
        return [_plain(each) for each in message]
    if isinstance(message, np.generic):
        return message.item()
    names = getattr(message, "__slots__", None) or vars(message)
    return {
        name: _plain(getattr(message, name)) for name in sorted(names) if not name.startswith("_") and name.islower()
    }


def test_a_bag_is_the_trace_of_its_run(bag_of: Any, tmp_path: Path) -> None:
    path, _, _ = bag_of("battery")
    settings, means = RUNS["battery"]
    other = tmp_path / "trace.jsonl"
    run(resolve(load("battery", settings)), means, Hooks(observers=[(trace_file(other), ())]))
    assert list(read_trace(path)) == list(read_trace(other))


def test_what_does_not_move_is_latched(bag_of: Any) -> None:
    path, _, messages = bag_of("forage")
    latched = {}
    with AnyReader([path]) as reader:
        for connection in reader.connections:
            assert isinstance(connection.ext, ConnectionExtRosbag2)
            [qos] = connection.ext.offered_qos_profiles
            latched[connection.topic] = qos.durability is QosDurability.TRANSIENT_LOCAL
    assert {topic for topic, yes in latched.items() if yes} == {"/tf_static", "/map", "/scene", "/marks"}
    [(_, static)] = of(messages, "/tf_static")
    assert {each.child_frame_id for each in static.transforms} >= {"robot1/odom"}
    [(_, grid)] = of(messages, "/map")
    assert grid.header.frame_id == "map"
    assert len(grid.data) == grid.info.width * grid.info.height


def test_marks_that_are_left_are_those_of_the_replay(bag_of: Any) -> None:
    _, replay, messages = bag_of("forage")
    there: dict[str, set[int]] = {}
    for _, message in of(messages, "/marks"):
        for marker in message.markers:
            if marker.action == 2:
                there[marker.ns].discard(marker.id)
            else:
                assert marker.action == 0
                assert marker.color.a > 0.0
                there.setdefault(marker.ns, set()).add(marker.id)
    marks = dict(replay.scene.marks)
    for change in replay.marks:
        if change.mark is None:
            marks.pop(change.name, None)
        else:
            marks[change.name] = change.mark
    drawn = {name for name, mark in marks.items() if mark.shape is not None or mark.text}
    assert {name for name, numbers in there.items() if numbers} == {f"mark {name}" for name in drawn}
    assert len(replay.marks) > 3


def test_readings_are_those_of_the_trace(bag_of: Any) -> None:
    path, replay, messages = bag_of("forage")
    body = replay.scene.bodies[0]
    told = [
        tuple(event.values[0]["values"])
        for event in read_trace(path)
        if isinstance(event, Sent) and event.port == "ranging_answer" and event.model.endswith("robot1/infrared")
    ]
    scans = [message for _, message in of(messages, "/robot1/scan")]
    assert len(scans) > 5
    assert len(told) == len(scans)
    for values, scan in zip(told, scans, strict=True):
        expected = [np.inf if isinstance(value, dict) else value + body.radius for value in values]
        assert list(scan.ranges) == pytest.approx(expected[::-1], abs=1e-6)  # from right to left
        assert scan.angle_min + (len(values) - 1) * scan.angle_increment == pytest.approx(body.beams[0], abs=1e-6)
        assert scan.angle_increment > 0.0
        assert scan.range_max == pytest.approx(body.reach + body.radius)
