"""Addresses of tracking systems of ROS 2."""

from __future__ import annotations

import pytest

from devs_robotics.hil.addresses import AddressError
from devs_robotics.hil.protocols.ros2.fixes import FixSource
from devs_robotics.hil.ros2_fix_addresses import is_ros2, namespaces, parse_fix_address


def test_what_an_address_says() -> None:
    address, source = parse_fix_address("ros2://?tf=map&domain=7&base=rig/cf{N}&interface=lo")
    assert source == FixSource(tf="map", base="rig/cf{N}")
    assert (address.domain, address.option("interface"), address.host) == (7, "lo", "")
    address, source = parse_fix_address("ros2+zenoh://10.0.0.2/?pose=%2Fturtle%7BN%7D/amcl_pose")
    assert source == FixSource(pose="/turtle{N}/amcl_pose")
    assert (address.host, address.port) == ("10.0.0.2", 7447)
    assert [is_ros2(text) for text in ("ros2://", "ros2+zenoh://a", "mqtt://a/b", "ros2")] == [True, True, False, False]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ros2://", r"must say where fixes come from: write \?tf=map for transforms, or"),
        ("ros2://?tf=map&pose=/p", "must say where fixes come from"),
        ("ros2://?pose=/p{N}&base=a", "has base and pose: base belongs to tf, so leave it out"),
        ("ros2://?pose=p{N}", r"has pose=p\{N\}: write a name such as pose=/turtle\{N\}/pose"),
        ("ros2://?tf=my%20map", "has tf=my map: write a name such as tf=map"),
        ("ros2://?tf=map&base=9", r"has base=9: write a name such as base=turtle\{N\}/base_link"),
        ("ros2://turtle1?tf=map", "names a robot, turtle1, and a tracking system sees several: leave the name out"),
        ("ros2://?tf=map&cmd=a", "has the option cmd, which is of robots: leave it out"),
        ("ros2://?tf=map&domain=102", "has the domain '102'"),
        ("ros2://?tf=map&tff=a", "has an option 'tff' that is unknown"),
    ],
)
def test_an_address_that_cannot_be_is_told_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(AddressError, match=why):
        parse_fix_address(text)


def test_robots_of_ros_have_namespaces() -> None:
    addresses = {1: "ros2://turtle1?domain=3", 2: "ros2://", 3: "mqtt://host/robot/3", 4: None}
    assert namespaces(addresses) == {1: "turtle1", 2: "", 3: None, 4: None}
