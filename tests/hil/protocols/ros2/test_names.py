"""Names, attachments, tokens and packets of ROS 2: tables of bytes and texts, and what is written is read again."""

from __future__ import annotations

import contextlib
import struct
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.hil.protocols.ros2.attachments import Attachment, read_attachment, write_attachment
from devs_robotics.hil.protocols.ros2.names import (
    ODOMETRY,
    bridge_key,
    dds_topic,
    dds_type,
    is_name,
    topic_name,
    topic_of_dds,
    type_of_dds,
    zenoh_key,
)
from devs_robotics.hil.protocols.ros2.packets import pack, unpack
from devs_robotics.hil.protocols.ros2.tokens import LivelinessToken, TokenKind, read_token, write_token
from devs_robotics.hil.protocols.ros2.type_store import MessageError, Ros2Error, type_store

GID = bytes(range(16))


def test_topics_and_types_have_the_names_that_the_wire_has() -> None:
    """In a namespace, in none, and absolute."""
    assert topic_name("turtle1", "odom") == "/turtle1/odom"
    assert topic_name("", "odom") == "/odom"
    assert topic_name("turtle1", "/odom") == "/odom"
    assert dds_topic("/turtle1/odom") == "rt/turtle1/odom"
    assert topic_of_dds("rt/turtle1/odom") == "/turtle1/odom"
    assert topic_of_dds("rq/turtle1/describe_parametersRequest") is None
    assert dds_type(ODOMETRY) == "nav_msgs::msg::dds_::Odometry_"
    assert type_of_dds(dds_type(ODOMETRY)) == ODOMETRY
    assert type_of_dds("example_interfaces::srv::dds_::AddTwoInts_Request_") is None
    assert (
        zenoh_key(0, "/turtle1/odom", ODOMETRY, "RIHS01_3cc9")
        == "0/turtle1/odom/nav_msgs::msg::dds_::Odometry_/RIHS01_3cc9"
    )
    assert bridge_key("/turtle1/odom") == "turtle1/odom"
    assert bridge_key("/odom", "/bot1") == "bot1/odom"


@pytest.mark.parametrize(
    ("text", "good"),
    [("turtle1", True), ("a/b_2", True), ("1a", False), ("a//b", False), ("a/", False), ("a__b", False), ("ä", False)],
)
def test_a_name_is_what_ros_takes_for_one(text: str, good: bool) -> None:
    """Letters, digits and single underscores."""
    assert is_name(text) is good


def test_an_attachment_has_33_bytes_and_older_ones_with_labels_are_read_too() -> None:
    """Both as the sources of rmw_zenoh write them."""
    said = Attachment(7, 1_700_000_000_000_000_000, GID)
    data = write_attachment(said)
    assert data == struct.pack("<qqB", 7, 1_700_000_000_000_000_000, 16) + GID
    labelled = b"\x0fsequence_number" + data[:8] + b"\x10source_timestamp" + data[8:16] + b"\x0asource_gid" + data[16:]
    assert (len(data), len(labelled)) == (33, 77)
    assert read_attachment(data) == read_attachment(labelled) == said


@given(st.binary(max_size=100))
def test_other_bytes_are_no_attachment(data: bytes) -> None:
    """Nothing but the typed error."""
    with contextlib.suppress(MessageError):
        read_attachment(data)


def test_a_token_is_what_rmw_zenoh_writes() -> None:
    """One with default quality of service, and one of a sensor."""
    default = LivelinessToken(
        domain=2,
        session="aac3178e146ba6f1fc6e6a4085e77f21",
        node_id=0,
        entity=10,
        kind="MP",
        node="talker",
        topic="/chatter",
        type="std_msgs/msg/String",
        type_hash="RIHS01_df66",
    )
    assert write_token(default) == (
        "@ros2_lv/2/aac3178e146ba6f1fc6e6a4085e77f21/0/10/MP/%/%/talker/%chatter/"
        "std_msgs::msg::dds_::String_/RIHS01_df66/::,10:,:,:,,"
    )
    sensor = read_token(
        "@ros2_lv/0/ab/3/12/MS/%/%turtle1/base/%turtle1%scan/sensor_msgs::msg::dds_::LaserScan_/RIHS01_64c1/2::,5:,:,:,,"
    )
    assert (sensor.topic, sensor.namespace, sensor.reliable, sensor.depth) == ("/turtle1/scan", "/turtle1", False, 5)


names = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True)


@given(names, names, st.sampled_from(("NN", "MP", "MS")), st.booleans(), st.booleans(), st.integers(1, 100))
def test_tokens_are_read_as_they_were_written(
    space: str, topic: str, kind: TokenKind, reliable: bool, latched: bool, depth: int
) -> None:
    """Of nodes, publishers and subscriptions."""
    of_topic: dict[str, Any] = {"topic": f"/{space}/{topic}", "type": ODOMETRY, "type_hash": "RIHS01_3cc9"}
    of_topic |= {"reliable": reliable, "latched": latched, "depth": depth}
    said = LivelinessToken(
        domain=5,
        session="ab",
        node_id=1,
        entity=2,
        kind=kind,
        namespace=f"/{space}",
        node="devs",
        **({} if kind == "NN" else of_topic),
    )
    assert read_token(write_token(said)) == said


@given(st.text(max_size=80))
def test_other_texts_are_no_token(text: str) -> None:
    """Nothing but the typed error."""
    for key in (text, f"@ros2_lv/{text}", f"@ros2_lv/0/ab/0/1/MP/%/%/n/{text}"):
        with contextlib.suppress(MessageError):
            read_token(key)


@given(st.sampled_from(("cmd_vel", "odom", "range0")), st.binary(max_size=50))
def test_packets_are_read_as_they_were_written(topic: str, data: bytes) -> None:
    """Whatever bytes they carry."""
    assert unpack(pack(topic, data)) == (topic, data)


def test_where_the_extra_is_missing_or_a_release_is_unknown_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Ros2Error, match="there is no release 'foxy' of ROS 2 here: choose humble"):
        type_store("foxy")
    for module in ("rosbags", "rosbags.typesys"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(Ros2Error, match=r"need rosbags, which is not installed: pip install 'devs-robotics\[ros2\]'"):
        type_store.__wrapped__("jazzy")


def test_a_scenario_without_robots_of_ros_loads_nothing_of_it() -> None:
    """Neither the middleware nor the messages."""
    look = (
        "import sys; from devs_robotics.scenarios.settings.loading import load; load('wander', []); "
        "import devs_robotics.hil.transports.connections, devs_robotics.hil.lab.process; "
        "sys.exit(any(name in sys.modules for name in ('rosbags', 'cyclonedds', 'zenoh')))"
    )
    assert subprocess.run([sys.executable, "-c", look], check=False).returncode == 0
