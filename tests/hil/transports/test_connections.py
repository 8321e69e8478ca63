"""From addresses to transports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devs_robotics import Bridge, Loopback
from devs_robotics.core.realtime.packet_ports import PacketPorts
from devs_robotics.hil.addresses import AddressError
from devs_robotics.hil.local import LocalRobot
from devs_robotics.hil.protocols.ros2.fixes import FixTopic
from devs_robotics.hil.protocols.ros2.names import TF_MESSAGE
from devs_robotics.hil.transports.connections import Connections, Endpoint
from devs_robotics.hil.transports.ros2_fixes import Ros2FixLink
from devs_robotics.hil.transports.ros2_link import Ros2Link
from devs_robotics.hil.transports.serial_line import SerialLine
from devs_robotics.hil.transports.tcp import Tcp
from tests.devs_robotics.core.realtime.station import Station
from tests.hil.drivers.test_driver import Words, driver_of
from tests.immutable import changeable


def test_a_hundred_robots_at_one_broker_share_one_client() -> None:
    connections = Connections()
    endpoints = [connections.at(f"mqtt://host/robot/{robot}") for robot in range(100)]
    assert len({id(endpoint.transport) for endpoint in endpoints}) == 1
    assert (endpoints[7].send_on, endpoints[7].listen_on) == ("robot/7/command", "robot/7/report")
    assert connections.topic("mqtt://host:1883/tracking").transport is endpoints[0].transport


def test_robots_at_other_brokers_or_under_other_users_do_not() -> None:
    connections = Connections()
    addresses = [
        "mqtt://host/1",
        "mqtt://host:1884/2",
        "mqtt://me:a@host/3",
        "mqtt://me:b@host/4",
        "mqtts://host:1883/5",
    ]
    assert len({id(connections.at(address).transport) for address in addresses}) == 5


def test_each_kind_of_address_has_its_transport() -> None:
    connections = Connections()
    assert isinstance(connections.at("serial:///dev/ttyACM0").transport, SerialLine)
    assert isinstance(connections.at("tcp://192.0.2.7:1000").transport, Tcp)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mqtt://host/robot/7", "mqtt://host:1883/robot/7/"),
        ("mqtt://host/robot/7", "mqtt://me:secret@HOST/robot/7"),
        ("tcp://192.0.2.7:1000", "tcp://192.0.2.7:1000"),
        ("serial:///dev/ttyACM0", "serial:///dev/ttyACM0?baud=9600"),
    ],
)
def test_two_robots_with_one_address_are_refused(one: str, other: str) -> None:
    connections = Connections()
    connections.at(one)
    with pytest.raises(AddressError, match=r"^two robots have the address '.*': give each one of its own$") as caught:
        connections.at(other)
    assert "secret" not in str(caught.value)


def test_robots_at_other_ports_of_one_host_are_other_robots() -> None:
    connections = Connections()
    for address in ("mqtt://host/robot/7", "mqtt://host:1884/robot/7", "tcp://192.0.2.7:1000", "tcp://192.0.2.7:1001"):
        connections.at(address)


def test_two_names_of_one_device_are_one_address(tmp_path: Path) -> None:
    (tmp_path / "ttyACM0").touch()
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyACM0")
    connections = Connections()
    connections.at(f"serial://{tmp_path}/ttyACM0")
    with pytest.raises(AddressError, match="two robots have the address"):
        connections.at(f"serial://{tmp_path}/by-id")


def test_a_robot_at_a_broker_needs_a_topic() -> None:
    with pytest.raises(AddressError, match="has no topic: write mqtt://HOST/robot/7"):
        Connections().at("mqtt://host")


def test_only_an_mqtt_address_has_a_broker() -> None:
    with pytest.raises(AddressError, match="is not that of a broker"):
        Connections().topic("tcp://host:1883")


def test_robots_of_ros_and_robots_in_this_process_have_transports_too() -> None:
    connections = Connections()
    robot = connections.at("ros2://turtle1?domain=3").transport
    assert isinstance(robot, Ros2Link)
    assert robot.address == "ros2://turtle1?domain=3"
    fixes = connections.fixes("ros2://?tf=map&domain=3", [FixTopic("/tf", (TF_MESSAGE,))]).transport
    assert isinstance(fixes, Ros2FixLink)
    ones = [connections.at("local:tests.hil.test_local:Toy").transport for _ in range(2)]
    assert all(isinstance(each, LocalRobot) for each in ones)
    assert ones[0] is not ones[1]


@pytest.mark.parametrize(
    ("other", "refused"),
    [
        ("ros2://turtle1?domain=3&odom=odometry", True),
        ("ros2://turtle2?domain=3&cmd=/turtle1/cmd_vel", True),
        ("ros2://turtle1?domain=4", False),
        ("ros2://turtle2?domain=3", False),
        ("ros2+zenoh://127.0.0.1:7447/turtle1?domain=3", False),
    ],
)
def test_two_robots_of_ros_with_one_topic_of_commands_are_refused(other: str, refused: bool) -> None:
    connections = Connections()
    connections.at("ros2://turtle1?domain=3")
    if refused:
        with pytest.raises(AddressError, match="two robots have the address"):
            connections.at(other)
    else:
        connections.at(other)


def test_an_endpoint_joins_its_robot_to_the_bridge() -> None:
    class Noted(Bridge):
        def connect(self, *ends: Any, **how: Any) -> None:
            self.noted = ends, how

    station, bridge, transport = Station(), Noted(), Loopback()
    device = driver_of(Words)
    ports = PacketPorts(station.outgoing, station.incoming)
    Endpoint(transport, "robot/7/command", "robot/7/report").join(bridge, ports, device)
    ends, how = bridge.noted
    assert ends == (transport, station.outgoing, station.incoming)
    assert (how["send_on"], how["listen_on"]) == ("robot/7/command", "robot/7/report")
    assert list(how["stop_message"]()) == [b"stop"]


def test_what_describes_a_link_cannot_be_changed() -> None:
    assert changeable("devs_robotics.hil.transports") == set()
