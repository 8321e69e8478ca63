"""Robots and nodes that are real programs of ROS 2: our driver drives theirs, and they hear and drive our stand-in."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from math import hypot, remainder

import pytest

from devs_robotics import Bridge, Coupled, Drive, Driven, Fault, Ranges, Run, Simulator, WallClock
from devs_robotics.core.robots.activity import lead_in, lead_out
from devs_robotics.hil.addresses import Ros2Address, parse
from devs_robotics.hil.drivers import DriverSettings, driver_for
from devs_robotics.hil.lab.launch import LabProcess
from devs_robotics.hil.lab.plan import LabPlan, StandIn
from devs_robotics.hil.probing import Ros2Probe
from devs_robotics.hil.protocols.ros2 import messages
from devs_robotics.hil.protocols.ros2.type_store import type_hash
from devs_robotics.hil.testing.driver_bench import LOOK, DriverWithUser, Message, Wish
from devs_robotics.hil.transports.connections import Connections
from devs_robotics.hil.transports.dds import dds_bus
from tests.hil.patient_user import PatientUser
from tests.hil.ros2.environments import DISTROS, RclpyProgram, free_domain

pytestmark = [pytest.mark.wall_clock, pytest.mark.long]

SETTINGS = DriverSettings(
    speed=0.2, turn_rate=1.0, radius=0.1, beams=(0.0,), reach=5.0, resolution=0.01, link_within=6.0
)


def drive(address: str, *wishes: tuple[float, Wish], until: float) -> list[Message]:
    """What the user of a robot is told; until the time, or all has been answered, or there is a fault."""
    root, bridge = Coupled("root"), Bridge()
    driver = driver_for("ros2")("driver", 1, address, SETTINGS)
    user = PatientUser(wishes)
    bench = DriverWithUser(driver, user, "bench")
    root.add_component(bench)
    end = Connections().at(address)
    bridge.connect(
        end.transport,
        lead_out(root, bench.outgoing, "outgoing"),
        lead_in(root, bench.incoming, "incoming"),
        stop_message=driver.stop_message,
    )
    with Simulator(root) as simulator:
        Run(simulator, WallClock(), bridge, patience=5.0).until(
            time=until,
            interrupted=lambda: user.is_content,
            report=lambda: None,
        )
    return [message for _, message in user.told]


@pytest.mark.parametrize(("distro", "kind"), [("jazzy", "twist"), ("kilted", "stamped")])
def test_a_program_of_ros_is_driven_as_it_is_told_and_seen(distro: str, kind: str) -> None:
    domain = free_domain()
    wishes = (
        (0.0, Drive(0.5, 0.2)),
        (7.5, LOOK),
        (8.5, Drive(-0.5, 0.3)),
    )
    with RclpyProgram(distro, domain, "rclpy_robot.py", "turtle1", kind, "0.5") as robot:
        told = drive(f"ros2://turtle1?domain={domain}&interface=lo", *wishes, until=80.0)
        place = robot.lists[-1]
    assert [type(said) for said in told] == [Driven, Ranges, Driven], told
    first, ranges, second = told
    assert isinstance(first, Driven)
    assert isinstance(second, Driven)
    assert isinstance(ranges, Ranges)
    for driven, (turn, distance) in ((first, (0.5, 0.2)), (second, (-0.5, 0.3))):
        assert driven.turn == pytest.approx(turn, abs=0.005)
        assert driven.distance == pytest.approx(distance, abs=0.003)
    assert 2.5 < ranges.values[0] < 3.5
    x, y, heading = place[1:4]
    assert abs(remainder(heading, 6.283185307179586)) < 0.01
    assert hypot(x - (0.2 * 0.87758 + 0.3), y - 0.2 * 0.47943) < 0.006


@pytest.mark.parametrize(("timeout", "bound"), [("0.5", 0.05), ("100", None)])
def test_the_probe_finds_after_which_time_a_robot_stops_or_that_it_never_does(
    timeout: str, bound: float | None
) -> None:
    domain = free_domain()
    address = parse(f"ros2://turtle1?domain={domain}&interface=lo")
    assert isinstance(address, Ros2Address)
    with RclpyProgram("jazzy", domain, "rclpy_robot.py", "turtle1", "twist", timeout) as robot:
        with Ros2Probe(address) as probe:
            assert not probe.find().stamped
            found = probe.measure()
        time.sleep(0.3)
        last = robot.lists[-1]
    assert last[4] == pytest.approx(0.0, abs=1e-6), "it was stopped"
    assert found is not None
    if bound is None:
        assert found.stops_after is None
    else:
        assert found.stops_after == pytest.approx(0.5, abs=bound)


HOST = """
import sys, time
from devs_robotics.hil.addresses import parse
from devs_robotics.hil import probing
probing.SPEED = 0.2
probing.DRIVEN = 60.0
with probing.Ros2Probe(parse(sys.argv[1])) as probe:
    probe.find()
    print("found", flush=True)
    probe.measure()
"""


def test_a_robot_whose_host_is_killed_goes_no_further_than_the_bound() -> None:
    """v (t_o + period) + v^2 / 2a = 0.13 m, for 0.2 m/s, 0.5 s and 1 m/s^2."""
    domain = free_domain()
    with RclpyProgram("jazzy", domain, "rclpy_robot.py", "turtle1", "twist", "0.5") as robot:
        host = subprocess.Popen(
            [sys.executable, "-c", HOST, f"ros2://turtle1?domain={domain}&interface=lo"], stdout=subprocess.PIPE
        )
        try:
            assert host.stdout is not None
            assert host.stdout.readline() == b"found\n"
            time.sleep(1.5)
            killed_at = time.monotonic()
            os.kill(host.pid, signal.SIGKILL)
        finally:
            host.kill()
            host.wait()
        host.stdout.close()
        time.sleep(1.0)
        lines = robot.lists
    before = [line for line in lines if line[0] <= killed_at][-1]
    last = lines[-1]
    assert before[4] == pytest.approx(0.2, abs=0.01), "it was going"
    assert last[4] == 0.0
    assert last[1] - before[1] <= 0.13


def test_who_else_commands_a_robot_is_named_and_a_wrong_name_is_told() -> None:
    domain = free_domain()
    with (
        RclpyProgram("jazzy", domain, "rclpy_robot.py", "turtle1", "twist", "0.5"),
        RclpyProgram("jazzy", domain, "rclpy_node.py", "turtle1", "0.0"),
    ):
        bus = dds_bus(domain, "lo")
        until = time.monotonic() + 20.0  # Fast DDS tells the names of nodes to who comes later after some seconds
        while "/turtle1/teleop" not in {each.node for each in bus.endpoints() if each.topic == "/turtle1/cmd_vel"}:
            assert time.monotonic() < until
            time.sleep(0.1)
        (fault,) = drive(f"ros2://turtle1?domain={domain}&interface=lo", (0.0, Drive(0.5)), until=15.0)
        (wrong,) = drive(f"ros2://turtle2?domain={domain}&interface=lo", (0.0, Drive(0.5)), until=15.0)
        (other,) = drive(f"ros2://turtle1?domain={domain}&interface=lo&stamped=yes", (0.0, Drive(0.5)), until=15.0)
        bus.close()
    assert isinstance(fault, Fault)
    assert isinstance(wrong, Fault)
    assert isinstance(other, Fault)
    assert "is commanded by somebody else too" in fault.reason
    assert "/turtle1/teleop publishes /turtle1/cmd_vel" in fault.reason
    assert "there is /turtle1/odom, but no /turtle2/odom" in wrong.reason
    assert "/turtle1/cmd_vel takes geometry_msgs/msg/Twist only, and stamped=yes is wanted" in other.reason


def test_a_robot_that_wants_another_quality_of_service_is_told_and_not_silent() -> None:
    """Its subscription asks for the last command of who was there before, which nobody keeps."""
    domain = free_domain()
    with RclpyProgram("jazzy", domain, "rclpy_robot.py", "turtle1", "twist", "0.5", "latched"):
        (fault,) = drive(f"ros2://turtle1?domain={domain}&interface=lo", (0.0, Drive(0.5)), until=15.0)
    assert isinstance(fault, Fault)
    assert "/turtle1/cmd_vel wants another quality of service, and so nothing passes: its durability" in fault.reason


@pytest.mark.parametrize("distro", DISTROS)
def test_what_rclpy_writes_is_read_and_equals_what_is_written_here(distro: str) -> None:
    """Where a message has no padding, byte for byte."""
    with RclpyProgram(distro, free_domain(), "rclpy_golden.py") as program:
        program.wait_for(lambda lines: len(lines) == 5, 10.0)
        said = {name: bytes.fromhex(data) for name, data in program.lists}
    velocity = messages.BaseVelocity(0.1, 0.2)
    assert said["Twist"] == messages.write_twist(velocity)
    assert messages.read_twist_stamped(said["TwistStamped"]) == (velocity, messages.Stamp(1, 2))
    odometry = messages.read_odometry(said["Odometry"])
    assert (odometry.x, odometry.y, odometry.heading, odometry.speed, odometry.turn_rate) == (1.0, 2.0, 0.0, 0.1, 0.2)
    scan = messages.read_scan(said["LaserScan"])
    again = messages.write_scan(scan)
    assert again == said["LaserScan"]


def stand_in(domain: int) -> LabPlan:
    """A field with one robot."""
    return LabPlan(
        4.0,
        3.0,
        (),
        (),
        (
            StandIn(
                robot=1,
                protocol="ros2",
                address=f"ros2://turtle1?domain={domain}&interface=lo",
                x=1.0,
                y=1.5,
                heading=0.0,
                radius=0.1,
                speed=0.22,
                turn_rate=2.0,
                acceleration=1.0,
                beams=(0.0,),
                reach=3.0,
                resolution=0.0,
                whisker_reach=0.0,
                stretch=0.0,
                swerve=0.0,
                range_noise=0.0,
                latency=0.0,
                jitter=0.0,
            ),
        ),
    )


@pytest.mark.parametrize("distro", DISTROS)
def test_a_node_of_ros_drives_the_stand_in_and_hears_it(distro: str) -> None:
    domain = free_domain()
    with LabProcess(stand_in(domain)), RclpyProgram(distro, domain, "rclpy_node.py", "turtle1", "0.1") as node:
        node.wait_for(
            lambda lines: (
                ["scan", 360] in lines
                and any(line[0] == "odom" and line[1] > 0.1 for line in lines[1:])
                and any(line[:2] == ["endpoint", "scan"] for line in lines[1:])
            ),
            15.0,
        )
        lines = node.lists
    endpoints = {line[1]: line[2:] for line in lines if line[0] == "endpoint"}
    for name, kind in (("odom", "nav_msgs/msg/Odometry"), ("scan", "sensor_msgs/msg/LaserScan")):
        assert endpoints[name][0] == kind
        assert type_hash(kind).removeprefix("RIHS01_") in endpoints[name][1]
    assert endpoints["scan"][2] == "BEST_EFFORT"
