"""A robot by zenoh-ros2-sdk, which shares no code with this project, is driven by our driver through a zenoh router."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from devs_robotics import Drive, Driven
from devs_robotics.hil.protocols.ros2.names import ODOMETRY, TWIST
from devs_robotics.hil.protocols.ros2.type_store import type_hash
from devs_robotics.hil.transports.zenoh import ZenohBus
from tests.hil.ros2.environments import RclpyProgram
from tests.hil.ros2.test_rclpy import drive
from tests.real_components import free_port

pytestmark = [pytest.mark.wall_clock, pytest.mark.long]

DOMAIN = 3


@pytest.fixture
def port() -> Iterator[int]:
    """Of a router."""
    port = free_port()
    router = ZenohBus("127.0.0.1", port, DOMAIN, router=True)
    yield port
    router.close()


def test_a_robot_of_another_implementation_is_found_driven_and_understood(port: int) -> None:
    """Keys, hashes, tokens and attachments: each side reads what the other writes."""
    with RclpyProgram("zenoh", DOMAIN, "zenoh_robot.py", "turtle1", str(port)) as robot:
        begun = time.time_ns()
        told = drive(f"ros2+zenoh://127.0.0.1:{port}/turtle1?domain={DOMAIN}", (0.1, Drive(0.0, 0.3)), until=15.0)
        (driven,) = told
        assert isinstance(driven, Driven)
        assert driven.distance == pytest.approx(0.3, abs=0.006)
        lines = robot.wait_for(lambda lines: any(line.get("publishers") for line in lines), 10.0)
    (hashes,) = [line["hashes"] for line in lines if "hashes" in line]
    assert hashes == {kind: type_hash(kind) for kind in (TWIST, ODOMETRY)}
    commands = [line for line in lines if "command" in line]
    assert max(line["command"][0] for line in commands) == pytest.approx(0.2)
    numbers, times, lengths = zip(*[line["attachment"] for line in commands], strict=True)
    assert list(numbers) == list(range(numbers[0], numbers[0] + len(numbers)))
    assert begun < min(times) <= max(times) < time.time_ns()
    assert set(lengths) == {16}
    seen = [each for line in lines for each in line.get("publishers", ())]
    assert {each["node_name"].startswith("devs_robotics") for each in seen} == {True}
    assert {(each["topic_type"], each["type_hash"]) for each in seen} == {(TWIST, type_hash(TWIST))}


def test_a_name_that_it_does_not_have_is_told(port: int) -> None:
    with RclpyProgram("zenoh", DOMAIN, "zenoh_robot.py", "turtle1", str(port)):
        said = drive(f"ros2+zenoh://127.0.0.1:{port}/turtle2?domain={DOMAIN}", (0.1, Drive(0.0, 0.3)), until=15.0)
    assert "there is /turtle1/odom, but no /turtle2/odom" in str(said[-1])
