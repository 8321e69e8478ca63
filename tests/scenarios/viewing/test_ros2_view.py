"""``run --ros2``: what another program hears of a run over DDS, and that the run does not notice."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from devs_robotics.core.observe import read_trace
from devs_robotics.hil.protocols.ros2.graph import Ros2Endpoint
from devs_robotics.hil.protocols.ros2.messages import read_transforms
from devs_robotics.hil.protocols.ros2.names import TF_MESSAGE
from devs_robotics.hil.protocols.ros2.type_store import type_hash
from devs_robotics.hil.transports.ros2_bus import Quality
from devs_robotics.hil.transports.zenoh import ZenohBus
from devs_robotics.scenarios.wander import AROUND
from devs_robotics.view.posing import Posing
from devs_robotics.view.recording import read
from devs_robotics.view.server.ros2_server import why_not
from devs_robotics.view.timeline import SLOT, TIME
from tests.devs_robotics.view.ros2.bags import heading
from tests.hil.ros2.environments import DISTROS, RclpyProgram, free_domain, python_of
from tests.hil.ros2.peers import dds_peer
from tests.real_components import free_port
from tests.scenarios.commands.calling import called, refused

pytestmark = pytest.mark.wall_clock

SMALL = "run", "wander", "--set", "wandering.robots=2", "--seed", "3"
HEARD = {
    "/tf": "TFMessage",
    "/tf_static": "TFMessage",
    "/robot1/odom": "Odometry",
    "/robot1/scan": "LaserScan",
    "/map": "OccupancyGrid",
    "/clock": "Clock",
}


class _Field:
    """Fields of a message that was heard, by attributes."""

    def __init__(self, said: dict[str, Any]) -> None:
        self._said = said

    def __getattr__(self, name: str) -> Any:
        found = self._said[name]
        return _Field(found) if isinstance(found, dict) else found


def _stamp(said: dict[str, Any]) -> float:
    return float(said["sec"] + 1e-9 * said["nanosec"])


def test_tools_see_the_poses_of_a_run_that_does_not_notice(tmp_path: Path) -> None:
    domain = free_domain()
    plain, watched, recording = tmp_path / "plain.jsonl", tmp_path / "watched.jsonl", tmp_path / "run.jsonl"
    options = "--set", "run.duration=40"
    called(*SMALL, *options, "--trace", plain)
    with dds_peer(domain, "hear", **HEARD) as peer:
        at = f"ros2://?domain={domain}&interface=lo"
        result = called(*SMALL, *options, "--pace", 4, "--ros2", at, "--trace", watched, "--record", recording)
        assert result.returncode == 0, result.stderr
        assert f"ROS 2: {at}, with /clock" in result.stdout
        peer.wait(lambda: len(peer.of("/robot1/odom")) > 20, "heard odometry")
    assert list(read_trace(plain)) == list(read_trace(watched))

    replay = read(recording)
    posing = Posing(replay.scene, replay.timeline)
    reports = peer.of("/robot1/odom")
    changes = replay.timeline.history()
    known = changes[changes[:, SLOT] == 0.0, TIME].max()  # a way that the end of the run cuts is in no replay
    compared = [said for said in reports if _stamp(said["header"]["stamp"]) <= known]
    assert len(compared) > 15
    for said in compared:
        stamp = _stamp(said["header"]["stamp"])
        pose = said["pose"]["pose"]
        x, y, turn = posing.at(stamp)[0]
        assert abs(pose["position"]["x"] - x) + abs(pose["position"]["y"] - y) < 2e-3
        off = heading(_Field(pose["orientation"])) - turn
        assert abs((off + 3.141592653589793) % 6.283185307179586 - 3.141592653589793) < 5e-3
    stamps = [_stamp(said["header"]["stamp"]) for said in reports]
    assert stamps == sorted(stamps)
    clock = [_stamp(said["clock"]) for said in peer.of("/clock")]
    assert len(clock) > len(reports)
    assert all(one < other for one, other in pairwise(clock))
    assert clock[-1] <= 40.0 + 0.4 + 1e-6
    frames = {each["child_frame_id"]: each["header"]["frame_id"] for each in peer.of("/tf")[-1]["transforms"]}
    assert frames == {f"robot{n}/base_link": f"robot{n}/odom" for n in (1, 2)}
    static = {each["child_frame_id"]: each["header"]["frame_id"] for each in peer.of("/tf_static")[-1]["transforms"]}
    assert static == {f"robot{n}/odom": "map" for n in (1, 2)}
    [grid] = peer.of("/map")
    assert len(grid["data"]) == grid["info"]["width"] * grid["info"]["height"]
    scans = peer.of("/robot1/scan")
    assert scans
    assert {len(said["ranges"]) for said in scans} == {len(AROUND)}


def test_a_run_in_real_time_has_the_stamps_of_the_wall_clock_and_no_clock_of_its_own() -> None:
    domain = free_domain()
    with dds_peer(domain, "hear", **HEARD) as peer:
        at = f"ros2://sim?domain={domain}&interface=lo"
        result = called(*SMALL, "--set", "run.duration=6", "--stage", "realtime", "--ros2", at)
        assert result.returncode == 0, result.stderr
        peer.wait(lambda: len(peer.of("/tf")) > 10, "heard transforms")
        heard = [(said["at"], said["message"]) for said in peer.heard if said.get("topic") == "/tf"]
        assert not peer.of("/clock")
        assert not peer.of("/robot1/odom")
    for at_, said in heard:
        stamps = {_stamp(each["header"]["stamp"]) for each in said["transforms"]}
        assert len(stamps) == 1
        assert abs(stamps.pop() - at_) < 2.0
        assert {each["child_frame_id"] for each in said["transforms"]} == {f"sim/robot{n}/base_link" for n in (1, 2)}
    assert abs(heard[0][0] - time.time()) < 60.0


def test_the_same_is_heard_by_a_zenoh_router() -> None:
    port, heard = free_port(), dict[str, list[bytes]]()
    router = ZenohBus("127.0.0.1", port, 0, router=True)
    try:
        for topic, kind, latched in (("/tf", TF_MESSAGE, False), ("/tf_static", TF_MESSAGE, True)):
            router.subscribe(topic, kind, heard.setdefault(topic, []).append, Quality(latched=latched))
        at = f"ros2+zenoh://127.0.0.1:{port}/"
        result = called(*SMALL, "--set", "run.duration=2", "--stage", "realtime", "--ros2", at)
        assert result.returncode == 0, result.stderr
    finally:
        router.close()
    assert len(heard["/tf"]) > 10
    assert {each.child for each in read_transforms(heard["/tf"][-1])} == {"robot1/base_link", "robot2/base_link"}
    assert {each.child for each in read_transforms(heard["/tf_static"][0])} == {"robot1/odom", "robot2/odom"}


@pytest.mark.long
@pytest.mark.parametrize("distro", DISTROS)
def test_a_program_of_ros_sees_a_run_and_what_was_told_before_it_came(distro: str) -> None:
    python_of(distro)
    domain = free_domain()
    at = f"ros2://?domain={domain}&interface=lo"
    words = "-m", "devs_robotics", *SMALL, "--set", "run.duration=60", "--stage", "realtime", "--ros2", at
    run = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
    try:
        assert run.stdout is not None
        assert run.stdout.readline() == f"ROS 2: {at}\n"
        with RclpyProgram(distro, domain, "rclpy_watcher.py", "robot1") as watcher:
            lines = watcher.wait_for(
                lambda said: {"odom", "map", "publisher"} <= {each[0] for each in said if isinstance(each, list)}, 30.0
            )
            lines = watcher.wait_for(lambda said: sum(each[0] == "odom" for each in said[1:]) > 10, 30.0)[1:]
    finally:
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60.0)
    reports = [said for said in lines if said[0] == "odom"]
    assert all(abs(said[1]) < 2.0 for said in reports)
    assert {tuple(said[2:4]) for said in reports} == {("robot1/odom", "robot1/base_link")}
    assert {tuple(said[1:]) for said in lines if said[0] == "publisher"} == {("odom", True, type_hash(ODOMETRY))}
    assert len([said for said in lines if said[0] == "map"]) == 1


def test_two_runs_are_not_published_as_one() -> None:
    domain = free_domain()
    at = f"ros2://?domain={domain}&interface=lo"
    pose = {"position": {"x": 0, "y": 0, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}
    header = {"stamp": {"sec": 0, "nanosec": 0}, "frame_id": "odom"}
    twist = {"linear": {"x": 0, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0}}
    report = {
        "header": header,
        "child_frame_id": "base_link",
        "pose": {"pose": pose, "covariance": [0.0] * 36},
        "twist": {"twist": twist, "covariance": [0.0] * 36},
    }
    with dds_peer(domain, "tell") as peer:
        peer.tell(topic="/robot2/odom", kind="Odometry", message=report)
        said = " ".join(refused(*SMALL, "--stage", "realtime", "--set", "run.duration=1", "--ros2", at).split())
        assert "publishes /robot2/odom there, as this run would: give all robots of this one a namespace" in said


def _writer(topic: str, kind: str) -> Ros2Endpoint:
    return Ros2Endpoint(key="k", topic=topic, type=kind, writes=True, node="/base")


ODOMETRY, CLOCK = "nav_msgs/msg/Odometry", "rosgraph_msgs/msg/Clock"


@pytest.mark.parametrize(
    ("endpoint", "prefix", "clock", "why"),
    [
        (_writer("/turtle1/odom", ODOMETRY), "", False, ""),
        (
            _writer("/turtle1/odom", ODOMETRY),
            "",
            True,
            "/base publishes /turtle1/odom there, and a run at another rate",
        ),
        (_writer("/clock", CLOCK), "", True, "/base publishes /clock there, and a run at another rate"),
        (_writer("/clock", CLOCK), "", False, ""),
        (_writer("/robot1/odom", ODOMETRY), "", False, "/base publishes /robot1/odom there, as this run would"),
        (_writer("/robot1/odom", ODOMETRY), "sim", False, ""),
        (_writer("/sim/robot1/odom", ODOMETRY), "sim", False, "/base publishes /sim/robot1/odom there, as this run"),
        (_writer("/robot1x/odom", ODOMETRY), "", False, ""),
    ],
)
def test_who_else_is_there_may_forbid_it(endpoint: Ros2Endpoint, prefix: str, clock: bool, why: str) -> None:
    found = why_not([endpoint], prefix, clock=clock)
    assert found.startswith(why)
    assert bool(found) is bool(why)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("ros2://?domain=102", "has the domain '102': write a whole number from 0 to 101"),
        ("mqtt://localhost/a", "is none of ROS 2: write ros2://?domain=0"),
        ("ros2://?cmd=a", "has the option cmd, which is of robots: leave it out"),
        ("ros2://?tf=map", "has an option 'tf' that is unknown"),
    ],
)
def test_an_address_that_cannot_be_is_told_in_a_sentence(address: str, why: str) -> None:
    assert why in " ".join(refused(*SMALL, "--ros2", address).split())
