"""Names: of topics in ROS, in DDS and in zenoh (design.ros2.org/articles/topic_and_service_names.html, rmw_zenoh)."""

from __future__ import annotations

import re

TWIST = "geometry_msgs/msg/Twist"
TWIST_STAMPED = "geometry_msgs/msg/TwistStamped"
ODOMETRY = "nav_msgs/msg/Odometry"
LASER_SCAN = "sensor_msgs/msg/LaserScan"
RANGE = "sensor_msgs/msg/Range"
BATTERY_STATE = "sensor_msgs/msg/BatteryState"
TF_MESSAGE = "tf2_msgs/msg/TFMessage"
STRING = "std_msgs/msg/String"
ILLUMINANCE = "sensor_msgs/msg/Illuminance"
HAZARDS = "irobot_create_msgs/msg/HazardDetectionVector"

HIGHEST_DOMAIN = 101
"""Largest domain whose UDP ports are below those that Linux gives out by itself."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*")
_DDS_TYPE = re.compile(r"(\w+)::msg::dds_::(\w+)_")


def is_name(text: str) -> bool:
    """Whether a text can be the name of a topic or a namespace, without a slash at its ends."""
    return "__" not in text and _NAME.fullmatch(text) is not None


def topic_name(namespace: str, name: str) -> str:
    """The full name of a topic; one that begins with ``/`` is in no namespace."""
    if name.startswith("/") or not namespace:
        return f"/{name.strip('/')}"
    return f"/{namespace.strip('/')}/{name}"


def dds_topic(topic: str) -> str:
    """What a topic is called in DDS: ``rt/turtle1/odom``."""
    return f"rt{topic}"


def topic_of_dds(name: str) -> str | None:
    """The topic that a name in DDS stands for; None if it is no topic of ROS (a service, for instance)."""
    return name[2:] if name.startswith("rt/") else None


def dds_type(name: str) -> str:
    """What a type is called on the wire: ``nav_msgs::msg::dds_::Odometry_``."""
    package, _, short = name.partition("/msg/")
    return f"{package}::msg::dds_::{short}_"


def type_of_dds(name: str) -> str | None:
    """The type that a name on the wire stands for; None if it is none of a message."""
    match = _DDS_TYPE.fullmatch(name)
    return f"{match[1]}/msg/{match[2]}" if match else None


def zenoh_key(domain: int, topic: str, kind: str, type_hash: str) -> str:
    """The key of a topic in zenoh, as rmw_zenoh has it."""
    return f"{domain}{topic}/{dds_type(kind)}/{type_hash}"


def bridge_key(topic: str, namespace: str = "") -> str:
    """The key of a topic in zenoh, as zenoh-bridge-ros2dds has it: without type or domain.

    Args:
        topic: full name
        namespace: of the bridge
    """
    return "/".join(part for part in (namespace.strip("/"), topic.strip("/")) if part)
