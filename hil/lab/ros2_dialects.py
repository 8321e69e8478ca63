"""What stand-ins of ROS 2 robots speak: topics, types and rates, as those robots have them."""

from __future__ import annotations

from math import pi
from typing import Literal

from msgspec import Struct

DialectName = Literal["turtlebot3", "create3", "epuck2", "mecanum"]
MiddlewareName = Literal["dds", "zenoh"]

TWIST, TWIST_STAMPED = "geometry_msgs/msg/Twist", "geometry_msgs/msg/TwistStamped"


class Ros2Dialect(Struct, frozen=True, kw_only=True):
    """How a kind of robot speaks.

    Attributes:
        takes: types of its velocity commands
        odometry_rate: messages per second
        body: frame of its body
        scan_rate: turns of its lidar per second; 0 for none
        scan_frame: of its lidar
        scan_yaw: whereto that looks on the body (rad), in whose middle it is
        readings: per turn
        farthest: what its lidar sees (m)
        sensor_reliable: whether its sensors are published reliably
        bumper: whether it tells of its bumper
        omniwheels: whether it goes in any direction (``linear.y``)
        ranges: whether it has single range sensors, ``ps0``, ``ps1``, ..., one for each beam
    """

    takes: tuple[str, ...]
    odometry_rate: float
    body: str
    scan_rate: float = 0.0
    scan_frame: str = "base_scan"
    scan_yaw: float = 0.0
    readings: int = 360
    farthest: float = 3.5
    sensor_reliable: bool = False
    bumper: bool = False
    omniwheels: bool = False
    ranges: bool = False


DIALECTS: dict[DialectName, Ros2Dialect] = {
    # turtlebot3_node: enable_stamped_cmd_vel chooses; here it takes both; LDS-02
    "turtlebot3": Ros2Dialect(takes=(TWIST, TWIST_STAMPED), odometry_rate=20.0, body="base_footprint", scan_rate=10.0),
    # Create 3, with the lidar of a TurtleBot 4, which looks to the left
    "create3": Ros2Dialect(
        takes=(TWIST,),
        odometry_rate=20.0,
        body="base_link",
        scan_rate=8.0,
        scan_frame="rplidar_link",
        scan_yaw=0.5 * pi,
        farthest=12.0,
        bumper=True,
    ),
    # diff_drive_controller since Jazzy, and infrared sensors
    "epuck2": Ros2Dialect(
        takes=(TWIST_STAMPED,), odometry_rate=50.0, body="base_link", sensor_reliable=True, ranges=True
    ),
    # ros2_control's mecanum_drive_controller, which publishes odometry 50 times per second, and a lidar
    "mecanum": Ros2Dialect(
        takes=(TWIST_STAMPED,),
        odometry_rate=50.0,
        body="base_link",
        scan_rate=10.0,
        scan_frame="laser",
        farthest=12.0,
        omniwheels=True,
    ),
}

SENSOR_LETTERS = {"light": "ls", "proximity": "ps", "ground": "gs"}
"""What topics and frames of an e-puck2's sensors begin with, by their kinds; a number follows."""

SENSOR_COUNTS = {"light": 8, "proximity": 8, "ground": 3}

SCAN_NEAREST = 0.12
"""Distance from a lidar below which it sees nothing (m); it sees all that is outside a smaller body."""

HAZARD_RATE = 20.0
"""Messages of a bumper per second."""

RANGE_RATE = 20.0
"""Messages of a single range sensor per second."""

STATIC_PERIOD = 1.0
"""Time between two messages of static transforms (s): who hears one only has no need of more."""

BATTERY_PERIOD = 1.0
"""Time between two messages of the battery (s)."""
