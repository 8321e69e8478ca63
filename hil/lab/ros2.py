"""A stand-in of a ROS 2 robot: it takes velocity commands, and tells its odometry, its scan and its battery.

It shares nothing with the driver but the names of topics in packets, and writes its messages by rosbags itself.
"""

from __future__ import annotations

import secrets
from math import cos, inf, nan, pi, sin
from typing import Any

import msgspec
import numpy as np
from rosbags.serde import SerdeError
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from devs_robotics.hil.lab.asked_equipment import AskedEquipment
from devs_robotics.hil.lab.battery import LabBattery
from devs_robotics.hil.lab.core import Core
from devs_robotics.hil.lab.omniwheel_drive import PlanarVelocity
from devs_robotics.hil.lab.ros2_bases import STILL, OmniwheelBase, Ros2Base, TwoWheels
from devs_robotics.hil.lab.ros2_dialects import (
    BATTERY_PERIOD,
    DIALECTS,
    HAZARD_RATE,
    RANGE_RATE,
    SCAN_NEAREST,
    SENSOR_LETTERS,
    STATIC_PERIOD,
    TWIST,
    TWIST_STAMPED,
)
from devs_robotics.hil.lab.ros2_sensors import Ros2Sensors
from devs_robotics.hil.lab.surroundings import Surroundings
from devs_robotics.hil.robot_protocol import LARGEST, UNREADABLE, Ask, Busy, Told

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
_asks: msgspec.json.Decoder[Ask] = msgspec.json.Decoder(Ask)
_LENGTHS = {52: TWIST}
"""A Twist always has 52 bytes, and a TwistStamped more."""


class Ros2StandIn(Core):
    """A base that keeps the velocity that it was told, until the next command or its watchdog.

    A packet is a topic (``cmd_vel``, ``odom``, ``scan``, ``range0``, ``battery``, ``tf``, ``tf_static``,
    ``hazards``, ``ask``, ``told``), NUL and a message's bytes.

    Attributes:
        dialect: how it speaks
        base: its wheels
        dropped: number of messages that were no velocity command, and nothing that its equipment is asked
        stops: how often its watchdog has stopped it
    """

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__(surroundings)
        plan = surroundings.plan
        self.dialect = DIALECTS[plan.dialect]
        self.dropped = self.stops = 0
        self._body = surroundings.body
        self.base: Ros2Base = OmniwheelBase(surroundings) if self.dialect.omniwheels else TwoWheels(surroundings)
        self._equipment = AskedEquipment(surroundings, secrets.token_hex(8), self._tell_equipment)
        self._sensors = Ros2Sensors(surroundings, self._tell_sensor)
        self._battery = LabBattery(surroundings) if "battery" in plan.sensors else None
        self._told_at = -inf
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
        self._equipment.start()
        self._sensors.start()
        if dialect.bumper:
            agenda.every(1.0 / HAZARD_RATE, self._tell_hazards)
        if dialect.ranges:
            agenda.every(1.0 / RANGE_RATE, self._tell_ranges)

    def heard(self, data: bytes) -> None:
        """Obey a velocity command, or have equipment of its own do what is asked."""
        topic, _, message = data.partition(b"\0")
        ask = _asked(message) if topic == b"ask" else None
        if ask is not None and self._equipment.is_for(ask):
            self._equipment.ask(ask)
            return
        velocity = _velocity(message) if topic == b"cmd_vel" else None
        if velocity is None:
            self.dropped += 1
            return
        plan = self.surroundings.plan
        self._told_at = self.surroundings.now
        self._keep(velocity)
        if plan.watchdog < inf:
            told_at = self._told_at
            self.surroundings.agenda.at(told_at + plan.watchdog, lambda: self._watch(told_at))

    def _watch(self, told_at: float) -> None:
        """Stop, if nobody has told anything since."""
        if self._told_at == told_at and self.base.told != STILL:
            self.stops += 1
            self._keep(STILL)

    def _keep(self, velocity: PlanarVelocity) -> None:
        self.base.keep(velocity)
        if self._battery is not None:
            self._battery.turns(self.base.told != STILL)

    # what it tells

    def _tell(self, topic: str, kind: str, message: object) -> None:
        self.say(topic.encode() + b"\0" + bytes(_STORE.serialize_cdr(message, kind)))

    def _tell_equipment(self, message: Told | Busy) -> None:
        kind = "std_msgs/msg/String"
        self._tell("told", kind, _TYPES[kind](msgspec.json.encode(message).decode()))

    def _tell_sensor(self, name: str, value: float) -> None:
        frame = f"{self._frames}{SENSOR_LETTERS[name.rstrip('0123456789')]}{name[-1]}"
        if name.startswith("light"):
            kind = "sensor_msgs/msg/Illuminance"
            self._tell(name, kind, _TYPES[kind](self._header(frame), value, 0.0))
        else:
            kind = "sensor_msgs/msg/Range"
            self._tell(name, kind, _TYPES[kind](self._header(frame), 1, 0.26, 0.0, 0.1, value, 0.0))

    def _header(self, frame: str) -> Any:
        seconds, nanoseconds = divmod(round(self.surroundings.now * 1e9), 10**9)
        return _TYPES["std_msgs/msg/Header"](_TYPES["builtin_interfaces/msg/Time"](seconds, nanoseconds), frame)

    def _tell_odometry(self) -> None:
        self.base.reckon()
        x, y, heading = self.base.reckoned
        ahead, left, turn_rate = self.base.velocity
        vector = _TYPES["geometry_msgs/msg/Vector3"]
        quaternion = _TYPES["geometry_msgs/msg/Quaternion"](0.0, 0.0, sin(0.5 * heading), cos(0.5 * heading))
        covariance = np.diag(EXACT if self._slips_never else DRIFTING).ravel()
        pose = _TYPES["geometry_msgs/msg/Pose"](_TYPES["geometry_msgs/msg/Point"](x, y, 0.0), quaternion)
        twist = _TYPES[TWIST](vector(ahead, left, 0.0), vector(0.0, 0.0, turn_rate))
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
        if self._battery is not None:
            charge = self._battery.charge
        said = VOLTAGE, nan, nan, nan, nan, nan, charge, 2, 1, 0, True, none, none, "", ""
        self._tell("battery", kind, _TYPES[kind](self._header(""), *said))


def _asked(message: bytes) -> Ask | None:
    """The request that a std_msgs/String holds as JSON; None if it holds none."""
    try:
        said: Any = _STORE.deserialize_cdr(message, "std_msgs/msg/String")
        return None if len(said.data) > LARGEST else _asks.decode(said.data)
    except (SerdeError, ValueError, *UNREADABLE):
        return None


def _velocity(message: bytes) -> PlanarVelocity | None:
    """What a velocity command says; None if it is none."""
    kind = _LENGTHS.get(len(message), TWIST_STAMPED)
    try:
        said: Any = _STORE.deserialize_cdr(message, kind)
    except (SerdeError, ValueError):
        return None
    twist = said.twist if kind == TWIST_STAMPED else said
    found = PlanarVelocity(twist.linear.x, twist.linear.y, twist.angular.z)
    return found if all(-inf < each < inf for each in found) else None
