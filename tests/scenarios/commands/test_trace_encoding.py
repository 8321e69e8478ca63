"""``run --trace-encoding ros2``: a trace that is a bag."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.devs_robotics.view.ros2.bags import by_rosbags
from tests.scenarios.commands.calling import called, refused

SMALL = "run", "wander", "--set", "run.duration=2", "--set", "wandering.robots=2"


def test_a_bag_is_shown_as_every_trace(tmp_path: Path) -> None:
    bag, other = tmp_path / "run.mcap", tmp_path / "run.jsonl"
    assert called(*SMALL, "--trace", bag, "--trace-encoding", "ros2").returncode == 0
    assert called(*SMALL, "--trace", other).returncode == 0
    shown, expected = called("trace", bag), called("trace", other)
    assert shown.returncode == 0
    assert shown.stdout.replace("run.mcap", "run.jsonl") == expected.stdout
    assert called("trace", bag, "--compare", other).returncode == 0


def test_patterns_choose_what_models_say_and_poses_are_always_there(tmp_path: Path) -> None:
    bag = tmp_path / "run.mcap"
    called(*SMALL, "--trace", bag, "--trace-encoding", "ros2", "--trace-ports", "robot1/motor")
    topics = {topic for topic, _, _ in by_rosbags(bag)}
    assert {topic for topic in topics if "/robot2" in topic} == {"/robot2/odom", "/robot2/scan"}
    assert any(topic.startswith("/trace/experiment/system/robot1/motor/") for topic in topics)
    assert {"/tf", "/tf_static", "/map", "/scene"} < topics


def test_the_same_run_makes_the_same_bag(tmp_path: Path) -> None:
    one, other = tmp_path / "one.mcap", tmp_path / "other.mcap"
    for path in (one, other):
        called(*SMALL, "--trace", path, "--trace-encoding", "ros2")
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("options", [[], ["--trace", "run.jsonl"], ["--record", "run.mcap"]])
def test_only_mcap_has_encodings(options: list[str], tmp_path: Path) -> None:
    said = refused(*SMALL, "--trace-encoding", "ros2", *options)
    assert "--trace-encoding ros2 is of an MCAP trace: add --trace FILE.mcap" in " ".join(said.split())
