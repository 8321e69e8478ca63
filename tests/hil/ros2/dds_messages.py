"""Message types of ROS 2 as Cyclone DDS itself writes and reads them: no line of ours, and none of rosbags."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cyclonedds.idl import make_idl_struct
from cyclonedds.idl.annotations import final
from cyclonedds.idl.types import float32, float64, int8, int32, uint32

types: Any = import_module("cyclonedds.idl.types")


def message(kind: str, **fields: Any) -> Any:
    """The class of a message, of its name and the types of its fields."""
    package, _, name = kind.partition("/")
    return final(make_idl_struct(name, f"{package}::msg::dds_::{name}_", fields, dataclassify=True))


def _many(kind: Any) -> Any:
    """A sequence."""
    return types.sequence[kind]


Time = message("builtin_interfaces/Time", sec=int32, nanosec=uint32)
Header = message("std_msgs/Header", stamp=Time, frame_id=str)
Vector3 = message("geometry_msgs/Vector3", x=float64, y=float64, z=float64)
Point = message("geometry_msgs/Point", x=float64, y=float64, z=float64)
Quaternion = message("geometry_msgs/Quaternion", x=float64, y=float64, z=float64, w=float64)
Pose = message("geometry_msgs/Pose", position=Point, orientation=Quaternion)
PoseStamped = message("geometry_msgs/PoseStamped", header=Header, pose=Pose)
Transform = message("geometry_msgs/Transform", translation=Vector3, rotation=Quaternion)
TransformStamped = message("geometry_msgs/TransformStamped", header=Header, child_frame_id=str, transform=Transform)
TFMessage = message("tf2_msgs/TFMessage", transforms=_many(TransformStamped))
Twist = message("geometry_msgs/Twist", linear=Vector3, angular=Vector3)
Covariance: Any = types.array[types.float64, 36]
PoseWithCovariance = message("geometry_msgs/PoseWithCovariance", pose=Pose, covariance=Covariance)
TwistWithCovariance = message("geometry_msgs/TwistWithCovariance", twist=Twist, covariance=Covariance)
Odometry = message(
    "nav_msgs/Odometry", header=Header, child_frame_id=str, pose=PoseWithCovariance, twist=TwistWithCovariance
)
MapMetaData = message(
    "nav_msgs/MapMetaData", map_load_time=Time, resolution=float32, width=uint32, height=uint32, origin=Pose
)
OccupancyGrid = message("nav_msgs/OccupancyGrid", header=Header, info=MapMetaData, data=_many(int8))
Clock = message("rosgraph_msgs/Clock", clock=Time)
LaserScan = message(
    "sensor_msgs/LaserScan",
    header=Header,
    angle_min=float32,
    angle_max=float32,
    angle_increment=float32,
    time_increment=float32,
    scan_time=float32,
    range_min=float32,
    range_max=float32,
    ranges=_many(float32),
    intensities=_many(float32),
)
