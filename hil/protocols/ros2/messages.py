"""Messages: what a driver needs of them, each written and read as bytes (CDR).

What is read is checked: values that cannot be raise `MessageError`, as bytes do that are no message. SI units and
radians, axes by REP 103, frames by REP 105.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, inf, isfinite, isnan, nan, sin, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from devs_robotics.hil.protocols.ros2.names import (
    BATTERY_STATE,
    LASER_SCAN,
    ODOMETRY,
    RANGE,
    TF_MESSAGE,
    TWIST,
    TWIST_STAMPED,
)
from devs_robotics.hil.protocols.ros2.type_store import MessageError, read, type_store, write

_X, _Y, _YAW = 0, 7, 35
"""Places of variances in the covariance of a pose (6 by 6)."""

FARTHEST = 1e6
"""Size of a coordinate or a speed above which it is not believed (m, m/s, rad/s)."""


class Stamp(Struct, frozen=True):
    """A time of ROS: whole seconds, and nanoseconds."""

    sec: int = 0
    nanosec: int = 0

    @property
    def seconds(self) -> float:
        """The same, in s."""
        return self.sec + 1e-9 * self.nanosec

    @classmethod
    def of(cls, seconds: float) -> Stamp:
        """The stamp of a time (s)."""
        whole, part = divmod(round(seconds * 1e9), 10**9)
        return cls(whole, part)


class BaseVelocity(Struct, frozen=True):
    """A velocity command of a base: along its x (m/s), about its z (rad/s), and along its y (m/s), on omniwheels."""

    speed: float
    turn_rate: float
    aside: float = 0.0


class OdometryReport(Struct, frozen=True, kw_only=True):
    """Where a robot reckons that it is, in its frame `odom`, and how fast it goes.

    Attributes:
        stamp: when
        frame, child_frame: of the pose, and of the body
        x, y, heading: of the pose (m, rad)
        speed, turn_rate, aside: along x, about z and along y of the body (m/s, rad/s, m/s)
        deviation, turn_deviation: standard deviations of the pose (m, rad) by its covariance; inf where it says nothing
    """

    stamp: Stamp = Stamp()
    frame: str = "odom"
    child_frame: str = "base_link"
    x: float
    y: float
    heading: float
    speed: float
    turn_rate: float
    aside: float = 0.0
    deviation: float = inf
    turn_deviation: float = inf


class LidarScan(Struct, frozen=True, kw_only=True):
    """One turn of a lidar.

    Attributes:
        stamp: when it began
        frame: of the lidar
        first, step: bearing of the first reading, and from one to the next (rad)
        turn_time: from the first reading to the last (s)
        nearest, farthest: what can be measured (m)
        ranges: m from the lidar; inf where nothing is, -inf where something is too near, nan where nothing is known
    """

    stamp: Stamp = Stamp()
    frame: str = "base_scan"
    first: float
    step: float
    turn_time: float = 0.0
    nearest: float
    farthest: float
    ranges: npt.NDArray[np.float32]


class RangeReading(Struct, frozen=True, kw_only=True):
    """What a single range sensor measures.

    Attributes:
        stamp, frame: when, and of the sensor
        field_of_view: width of its beam (rad)
        nearest, farthest: what can be measured (m)
        range: m from the sensor; inf where nothing is, -inf where something is too near
    """

    stamp: Stamp = Stamp()
    frame: str = ""
    field_of_view: float = 0.1
    nearest: float
    farthest: float
    range: float


class BatteryReading(Struct, frozen=True, kw_only=True):
    """State of a battery: voltage (V), and charge from 0 to 1, or nan where it is not known."""

    stamp: Stamp = Stamp()
    voltage: float
    charge: float = nan


class PlanarTransform(Struct, frozen=True, kw_only=True):
    """Where a frame is in another one, on a plane (m, rad)."""

    stamp: Stamp = Stamp()
    parent: str
    child: str
    x: float
    y: float
    heading: float


# velocity commands


def write_twist(velocity: BaseVelocity) -> bytes:
    """A geometry_msgs/Twist."""
    return write(TWIST, _twist(velocity))


def write_twist_stamped(velocity: BaseVelocity, stamp: Stamp, frame: str = "base_link") -> bytes:
    """A geometry_msgs/TwistStamped; a stamp of 0 counts as now with ros2_control's controllers."""
    return write(TWIST_STAMPED, _types()[TWIST_STAMPED](_header(stamp, frame), _twist(velocity)))


def read_twist(data: bytes) -> BaseVelocity:
    """Of a geometry_msgs/Twist."""
    return _velocity(read(TWIST, data))


def read_twist_stamped(data: bytes) -> tuple[BaseVelocity, Stamp]:
    """Of a geometry_msgs/TwistStamped, and its stamp."""
    message = read(TWIST_STAMPED, data)
    return _velocity(message.twist), _stamp(message.header)


# what a robot tells


def write_odometry(odometry: OdometryReport) -> bytes:
    """A nav_msgs/Odometry; a covariance of 0 stands for unknown."""
    types, unknown, covariance = _types(), np.zeros(36), np.zeros(36)
    covariance[[_X, _Y]] = _variance(odometry.deviation)
    covariance[_YAW] = _variance(odometry.turn_deviation)
    pose = types["geometry_msgs/msg/Pose"](
        types["geometry_msgs/msg/Point"](odometry.x, odometry.y, 0.0), _quaternion(odometry.heading)
    )
    return write(
        ODOMETRY,
        types[ODOMETRY](
            _header(odometry.stamp, odometry.frame),
            odometry.child_frame,
            types["geometry_msgs/msg/PoseWithCovariance"](pose, covariance),
            types["geometry_msgs/msg/TwistWithCovariance"](
                _twist(BaseVelocity(odometry.speed, odometry.turn_rate, odometry.aside)), unknown
            ),
        ),
    )


def read_odometry(data: bytes) -> OdometryReport:
    """Of a nav_msgs/Odometry."""
    message = read(ODOMETRY, data)
    place, covariance = message.pose.pose.position, message.pose.covariance
    velocity = _velocity(message.twist.twist)
    return OdometryReport(
        stamp=_stamp(message.header),
        frame=message.header.frame_id,
        child_frame=message.child_frame_id,
        x=_believed(place.x),
        y=_believed(place.y),
        heading=_heading(message.pose.pose.orientation),
        speed=velocity.speed,
        turn_rate=velocity.turn_rate,
        aside=velocity.aside,
        deviation=max(_deviation(covariance[_X]), _deviation(covariance[_Y])),
        turn_deviation=_deviation(covariance[_YAW]),
    )


def write_scan(scan: LidarScan) -> bytes:
    """A sensor_msgs/LaserScan."""
    count = max(1, len(scan.ranges))
    return write(
        LASER_SCAN,
        _types()[LASER_SCAN](
            _header(scan.stamp, scan.frame),
            scan.first,
            scan.first + (count - 1) * scan.step,
            scan.step,
            scan.turn_time / count,
            scan.turn_time,
            scan.nearest,
            scan.farthest,
            np.asarray(scan.ranges, np.float32),
            np.zeros(0, np.float32),
        ),
    )


def read_scan(data: bytes) -> LidarScan:
    """Of a sensor_msgs/LaserScan."""
    message = read(LASER_SCAN, data)
    if not (isfinite(message.angle_min) and isfinite(message.angle_increment) and message.angle_increment):
        raise MessageError("a scan has no angles: its increment is 0, or not a number")
    if not len(message.ranges):
        raise MessageError("a scan has no readings")
    if not message.range_min >= 0.0 or not message.range_max > message.range_min:
        raise MessageError("a scan says that nothing can be measured: its range_max is not above its range_min")
    return LidarScan(
        stamp=_stamp(message.header),
        frame=message.header.frame_id,
        first=message.angle_min,
        step=message.angle_increment,
        turn_time=max(0.0, message.scan_time) if isfinite(message.scan_time) else 0.0,
        nearest=message.range_min,
        farthest=message.range_max,
        ranges=message.ranges,
    )


def write_range(reading: RangeReading) -> bytes:
    """A sensor_msgs/Range, of an infrared sensor; its field `variance` is there since Iron."""
    kind = _types()[RANGE]
    said = _header(reading.stamp, reading.frame), 1, reading.field_of_view, reading.nearest, reading.farthest
    return write(RANGE, kind(*said, reading.range, 0.0))


def read_range(data: bytes) -> RangeReading:
    """Of a sensor_msgs/Range, of whatever release: `variance`, which older ones lack, is the last and is not needed."""
    try:
        message = read(RANGE, data)
    except MessageError:
        message = read(RANGE, data + bytes(4))
    if isnan(message.range):
        raise MessageError("a range is not a number")
    return RangeReading(
        stamp=_stamp(message.header),
        frame=message.header.frame_id,
        field_of_view=message.field_of_view,
        nearest=message.min_range,
        farthest=message.max_range,
        range=message.range,
    )


def write_battery(battery: BatteryReading) -> bytes:
    """A sensor_msgs/BatteryState, which says nothing of what is not known."""
    none = np.zeros(0, np.float32)
    said = battery.voltage, nan, nan, nan, nan, nan, battery.charge, 0, 0, 0, True, none, none, "", ""
    return write(BATTERY_STATE, _types()[BATTERY_STATE](_header(battery.stamp, ""), *said))


def read_battery(data: bytes) -> BatteryReading:
    """Of a sensor_msgs/BatteryState; a percentage above 1, which the definition forbids, is taken for per cent."""
    message = read(BATTERY_STATE, data)
    charge = message.percentage
    if 1.0 < charge <= 100.0:
        charge *= 0.01
    if not isnan(charge) and not 0.0 <= charge <= 1.0:
        raise MessageError(f"a battery has the charge {charge:g}, which cannot be")
    return BatteryReading(stamp=_stamp(message.header), voltage=message.voltage, charge=charge)


def write_transforms(transforms: Sequence[PlanarTransform]) -> bytes:
    """A tf2_msgs/TFMessage."""
    types = _types()
    return write(
        TF_MESSAGE,
        types[TF_MESSAGE](
            [
                types["geometry_msgs/msg/TransformStamped"](
                    _header(each.stamp, each.parent),
                    each.child,
                    types["geometry_msgs/msg/Transform"](
                        types["geometry_msgs/msg/Vector3"](each.x, each.y, 0.0), _quaternion(each.heading)
                    ),
                )
                for each in transforms
            ]
        ),
    )


def read_transforms(data: bytes) -> tuple[PlanarTransform, ...]:
    """Of a tf2_msgs/TFMessage."""
    return tuple(
        [
            PlanarTransform(
                stamp=_stamp(each.header),
                parent=each.header.frame_id.lstrip("/"),
                child=each.child_frame_id.lstrip("/"),
                x=_believed(each.transform.translation.x),
                y=_believed(each.transform.translation.y),
                heading=_heading(each.transform.rotation),
            )
            for each in read(TF_MESSAGE, data).transforms
        ]
    )


def planar_pose(pose: Any) -> tuple[float, float, float]:
    """Of a geometry_msgs/Pose, on a plane: x, y (m) and heading (rad).

    Raises:
        MessageError: it cannot be
    """
    return _believed(pose.position.x), _believed(pose.position.y), _heading(pose.orientation)


# parts of messages


def _types() -> dict[str, Any]:
    return type_store().types


def _header(stamp: Stamp, frame: str) -> Any:
    types = _types()
    return types["std_msgs/msg/Header"](types["builtin_interfaces/msg/Time"](stamp.sec, stamp.nanosec), frame)


def _twist(velocity: BaseVelocity) -> Any:
    types = _types()
    vector = types["geometry_msgs/msg/Vector3"]
    return types[TWIST](vector(velocity.speed, velocity.aside, 0.0), vector(0.0, 0.0, velocity.turn_rate))


def _quaternion(heading: float) -> Any:
    return _types()["geometry_msgs/msg/Quaternion"](0.0, 0.0, sin(0.5 * heading), cos(0.5 * heading))


def _stamp(header: Any) -> Stamp:
    return Stamp(header.stamp.sec, header.stamp.nanosec)


def _velocity(twist: Any) -> BaseVelocity:
    return BaseVelocity(_believed(twist.linear.x), _believed(twist.angular.z), _believed(twist.linear.y))


def _heading(quaternion: Any) -> float:
    """The turn about z that a quaternion says (rad)."""
    x, y, z, w = quaternion.x, quaternion.y, quaternion.z, quaternion.w
    size = x * x + y * y + z * z + w * w
    if not 0.25 < size < 4.0:
        raise MessageError("an orientation is no quaternion of length 1")
    return atan2(2.0 * (w * z + x * y), w * w + x * x - y * y - z * z)


def _variance(deviation: float) -> float:
    return deviation**2 if deviation < inf else 0.0


def _deviation(variance: float) -> float:
    return sqrt(variance) if 0.0 < variance < inf else inf


def _believed(value: float) -> float:
    if not -FARTHEST < value < FARTHEST:
        raise MessageError(f"a value is {value:g}, which cannot be")
    return value
