"""What makes an MCAP file a bag of ROS 2: its profile, the settings of its topics, and texts as messages.

Bags know no JSON: rosbags and ROS's own player stop at a topic in another encoding than CDR.
"""

from __future__ import annotations

import re
import struct

from msgspec import Struct

PROFILE = "ros2"
"""Profile in the header of a bag (mcap.dev/spec/registry)."""

EVENTS = {"devs_robotics": "events"}
"""Metadata of the topics that hold the events of a trace."""

_HEAD = struct.Struct("<4sI")
_LITTLE_ENDIAN = b"\0\1\0\0"


class TextType(Struct, frozen=True):
    """A type of ROS 2, as a topic of a bag names it."""

    schema: str
    encoding: str
    text: bytes
    metadata: dict[str, str]


def offered_qos(*, latched: bool = False, depth: int = 10) -> str:
    """The settings that a publisher offered, as bags have them (YAML); with all keys, without which readers fail.

    Numbers stand for names as in rmw/types.h, which every release reads.

    Args:
        latched: who comes late gets the last message, too (transient local)
        depth: number of messages that are kept
    """
    never = "{sec: 9223372036, nsec: 854775807}"
    return (
        f"- history: 1\n  depth: {depth}\n  reliability: 1\n  durability: {1 if latched else 2}\n"
        f"  deadline: {never}\n  lifespan: {never}\n  liveliness: 1\n"
        f"  liveliness_lease_duration: {never}\n  avoid_ros_namespace_conventions: false"
    )


TEXT = TextType(
    schema="std_msgs/msg/String",
    encoding="ros2msg",
    text=b"string data\n",
    metadata={
        "offered_qos_profiles": offered_qos(),
        "topic_type_hash": "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18",
    },
)
"""A text."""


def text_message(text: bytes) -> bytes:
    """The bytes (CDR) of a message of `TEXT`."""
    return _HEAD.pack(_LITTLE_ENDIAN, len(text) + 1) + text + b"\0"


def text_of(message: bytes) -> bytes:
    """The text of a message of `TEXT` that `text_message` made."""
    return message[_HEAD.size : -1]


def ros_topic(topic: str) -> str:
    """The topic of ROS for a topic of a trace: below ``/trace``, and without what names in ROS cannot have."""
    if topic == "/trace":
        return topic
    return "/trace" + "".join(f"/{ros_name(level)}" for level in topic.strip("/").split("/"))


def ros_name(text: str) -> str:
    """A text as one level of a name in ROS: letters, digits and single underscores, not a digit first."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "nameless"
    return f"n{name}" if name[0].isdigit() else name
