"""A stand-in of a ROS 2 robot: it takes velocity commands, and tells its odometry, its scan and its battery.

It shares nothing with the driver but the names of topics in packets, and writes its messages by rosbags itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, nan, pi, sin
from typing import Any

import numpy as np
from rosbags.serde import SerdeError
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from devs_robotics.hil.lab.core import Core
from devs_robotics.hil.lab.courses import Pose, Slip, WheelDrive, arc
from devs_robotics.hil.lab.ros2_dialects import (
    BATTERY_PERIOD,
    DIALECTS,
    HAZARD_RATE,
    RANGE_RATE,
    SCAN_NEAREST,
    STATIC_PERIOD,
    TWIST,
    TWIST_STAMPED,
)
from devs_robotics.hil.lab.surroundings import Surroundings

VOLTAGE = 12.0
"""Of its battery, which never runs down (V)."""

DRIFTING = 1e-5, 1e-5, 1e12, 1e12, 1e12, 1e-3
EXACT = 1e-20, 1e-20, 1e12, 1e12, 1e12, 1e-20
"""Variances of poses by odometry (m^2, rad^2); what moves on a plane does not know the others."""

_STORE = get_typestore(Stores.ROS2_JAZZY)
for _name, _text in {
    "HazardDetection": "uint8 BUMP=1\nstd_msgs/Header header\nuint8 type",
    "HazardDetectionVector": "std_msgs/Header header\nirobot_create_msgs/HazardDetection[] detections",
}.items():
    _STORE.register(get_types_from_msg(_text, f"irobot_create_msgs/msg/{_name}"))
_TYPES: dict[str, Any] = _STORE.types
_LENGTHS = {52: TWIST}
"""A Twist always has 52 bytes, and a TwistStamped more."""


class Ros2StandIn(Core):
    """A base with two wheels that keep the speeds that a velocity command means, until the next one or its watchdog.

    A packet is a topic (``cmd_vel``, ``odom``, ``scan``, ``range0``, ``battery``, ``tf``, ``tf_static``,
    ``hazards``), NUL and a message's bytes.

    Attributes:
        dialect: how it speaks
        dropped: number of messages that were no velocity command
        stops: how often its watchdog has stopped it
    """

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__(surroundings)
        plan = surroundings.plan
        self.dialect = DIALECTS[plan.dialect]
        self.dropped = self.stops = 0
        self._body = surroundings.body
        self._told: tuple[float, float] = (0.0, 0.0)
        self._told_at = -inf
        self._drive: WheelDrive | None = None
        self._slip = Slip()
        self._travel = (0.0, 0.0)
        self._reckoned = Pose(0.0, 0.0, 0.0)
        self._slips_never = plan.stretch == plan.swerve == 0.0
        self._frames = f"{plan.namespace}/" if plan.namespace else ""

    def start(self) -> None:
        """Begin to tell."""
        agenda, dialect = self.surroundings.agenda, self.dialect
        agenda.every(1.0 / dialect.odometry_rate, self._tell_odometry)
        agenda.every(BATTERY_PERIOD, self._tell_battery)
        if dialect.scan_rate:
            self._tell_mount()
            agenda.every(STATIC_PERIOD, self._tell_mount)
            agenda.every(1.0 / dialect.scan_rate, self._tell_scan)
        if dialect.bumper:
            agenda.every(1.0 / HAZARD_RATE, self._tell_hazards)
        if dialect.ranges:
            agenda.every(1.0 / RANGE_RATE, self._tell_ranges)

    def heard(self, data: bytes) -> None:
        """Obey a velocity command."""
        topic, _, message = data.partition(b"\0")
        velocity = _velocity(message) if topic == b"cmd_vel" else None
        if velocity is None:
            self.dropped += 1
            return
        plan = self.surroundings.plan
        self._told_at = self.surroundings.now
        self._set(_limited(velocity[0], plan.speed), _limited(velocity[1], plan.turn_rate))
        if plan.watchdog < inf:
            told_at = self._told_at
            self.surroundings.agenda.at(told_at + plan.watchdog, lambda: self._watch(told_at))

    def _watch(self, told_at: float) -> None:
        """Stop, if nobody has told anything since."""
        if self._told_at == told_at and self._told != (0.0, 0.0):
            self.stops += 1
            self._set(0.0, 0.0)

    def _set(self, speed: float, turn_rate: float) -> None:
        """Have the wheels take up the speeds that a velocity means."""
        place = self.surroundings
        self._reckon()
        half = 0.5 * place.axle * turn_rate
        targets = speed - half, speed + half
        running = self._drive if self._body.course is not None and self._body.course is self._drive else None
        if (speed, turn_rate) == self._told and (running is not None or targets == (0.0, 0.0)):
            return
        if self._told == (0.0, 0.0):
            self._slip = place.slip()
        self._told = speed, turn_rate
        self._drive = WheelDrive(
            place.now,
            self._body.pose,
            self._travel,
            speeds=(0.0, 0.0) if running is None else running.speeds,
            targets=targets,
            acceleration=place.plan.acceleration,
            axle=place.axle,
            slip=self._slip,
        )
        self._body.course = self._drive

    def _reckon(self) -> None:
        """Where its wheels say that it is, from where it started."""
        if self._drive is None:
            return
        left, right = (now - before for now, before in zip(self._drive.travel, self._travel, strict=True))
        self._travel = self._drive.travel
        self._reckoned = arc(self._reckoned, 0.5 * (left + right), (right - left) / self.surroundings.axle)

    # what it tells

    def _tell(self, topic: str, kind: str, message: object) -> None:
        self.say(topic.encode() + b"\0" + bytes(_STORE.serialize_cdr(message, kind)))

    def _header(self, frame: str) -> Any:
        seconds, nanoseconds = divmod(round(self.surroundings.now * 1e9), 10**9)
        return _TYPES["std_msgs/msg/Header"](_TYPES["builtin_interfaces/msg/Time"](seconds, nanoseconds), frame)

    def _tell_odometry(self) -> None:
        self._reckon()
        x, y, heading = self._reckoned
        speed = turn_rate = 0.0
        if self._drive is not None and self._body.course is self._drive:
            left, right = self._drive.speeds
            speed, turn_rate = 0.5 * (left + right), (right - left) / self.surroundings.axle
        vector = _TYPES["geometry_msgs/msg/Vector3"]
        quaternion = _TYPES["geometry_msgs/msg/Quaternion"](0.0, 0.0, sin(0.5 * heading), cos(0.5 * heading))
        covariance = np.diag(EXACT if self._slips_never else DRIFTING).ravel()
        pose = _TYPES["geometry_msgs/msg/Pose"](_TYPES["geometry_msgs/msg/Point"](x, y, 0.0), quaternion)
        twist = _TYPES[TWIST](vector(speed, 0.0, 0.0), vector(0.0, 0.0, turn_rate))
        self._tell(
            "odom",
            "nav_msgs/msg/Odometry",
            _TYPES["nav_msgs/msg/Odometry"](
                self._header(f"{self._frames}odom"),
                f"{self._frames}{self.dialect.body}",
                _TYPES["geometry_msgs/msg/PoseWithCovariance"](pose, covariance),
                _TYPES["geometry_msgs/msg/TwistWithCovariance"](twist, covariance),
            ),
        )
        self._tell_transform("tf", "odom", self.dialect.body, (x, y, heading))

    def _tell_mount(self) -> None:
        """Where the lidar is on the body."""
        dialect = self.dialect
        self._tell_transform("tf_static", dialect.body, dialect.scan_frame, (0.0, 0.0, dialect.scan_yaw))

    def _tell_transform(self, topic: str, parent: str, child: str, pose: tuple[float, float, float]) -> None:
        x, y, heading = pose
        transform = _TYPES["geometry_msgs/msg/TransformStamped"](
            self._header(f"{self._frames}{parent}"),
            f"{self._frames}{child}",
            _TYPES["geometry_msgs/msg/Transform"](
                _TYPES["geometry_msgs/msg/Vector3"](x, y, 0.0),
                _TYPES["geometry_msgs/msg/Quaternion"](0.0, 0.0, sin(0.5 * heading), cos(0.5 * heading)),
            ),
        )
        self._tell(topic, "tf2_msgs/msg/TFMessage", _TYPES["tf2_msgs/msg/TFMessage"]([transform]))

    def _tell_scan(self) -> None:
        place, dialect = self.surroundings, self.dialect
        step = 2.0 * pi / dialect.readings
        nearest = min(SCAN_NEAREST, place.plan.radius)
        farthest = max(dialect.farthest, place.plan.reach + place.plan.radius)
        bearings = [dialect.scan_yaw + number * step for number in range(dialect.readings)]
        ranges = np.array([self._lidar(bearing, nearest, farthest) for bearing in bearings])
        self._tell(
            "scan",
            "sensor_msgs/msg/LaserScan",
            _TYPES["sensor_msgs/msg/LaserScan"](
                self._header(f"{self._frames}{dialect.scan_frame}"),
                0.0,
                2.0 * pi - step,
                step,
                0.0,
                0.0,
                nearest,
                farthest,
                ranges.astype(np.float32),
                np.zeros(0, np.float32),
            ),
        )

    def _lidar(self, bearing: float, nearest: float, farthest: float) -> float:
        """From the middle of the body (m), by REP 117."""
        distance = self.surroundings.see(bearing, farthest - self.surroundings.plan.radius)
        distance += self.surroundings.plan.radius
        return -inf if distance < nearest else distance

    def _tell_ranges(self) -> None:
        plan = self.surroundings.plan
        for number, bearing in enumerate(plan.beams):
            said = 1, 0.26, 0.005, plan.reach, self.surroundings.see(bearing, plan.reach), 0.0
            kind = "sensor_msgs/msg/Range"
            self._tell(f"range{number}", kind, _TYPES[kind](self._header(f"{self._frames}ps{number}"), *said))

    def _tell_hazards(self) -> None:
        header, kind = self._header(f"{self._frames}bump_front_center"), "irobot_create_msgs/msg/HazardDetection"
        found = [_TYPES[kind](header=header, type=_TYPES[kind].BUMP)] if self._body.touching else []
        self._tell("hazards", f"{kind}Vector", _TYPES[f"{kind}Vector"](self._header(f"{self._frames}base_link"), found))

    def _tell_battery(self) -> None:
        none, kind = np.zeros(0, np.float32), "sensor_msgs/msg/BatteryState"
        charge = 1.0 if self.surroundings.plan.charge is None else self.surroundings.plan.charge
        said = VOLTAGE, nan, nan, nan, nan, nan, charge, 2, 1, 0, True, none, none, "", ""
        self._tell("battery", kind, _TYPES[kind](self._header(""), *said))


def _velocity(message: bytes) -> Sequence[float] | None:
    """What a velocity command says: along x (m/s), and about z (rad/s); None if it is none."""
    kind = _LENGTHS.get(len(message), TWIST_STAMPED)
    try:
        said: Any = _STORE.deserialize_cdr(message, kind)
    except (SerdeError, ValueError):
        return None
    twist = said.twist if kind == TWIST_STAMPED else said
    found = twist.linear.x, twist.angular.z
    return found if all(-inf < each < inf for each in found) else None


def _limited(value: float, most: float) -> float:
    return max(-most, min(most, value))
