"""Packets of robots that speak ROS 2, on their way into a bag as they came and went."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from xdevs.models import Atomic, Port

from devs_robotics import Packet
from devs_robotics.core.observe import Observer
from devs_robotics.core.ports import port_path
from devs_robotics.core.robots.device import Device
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.hil.addresses import Ros2Address, parse
from devs_robotics.hil.protocols.ros2 import names, packets
from devs_robotics.hil.protocols.ros2.epuck_topics import sensor_type
from devs_robotics.hil.protocols.ros2.fixes import POSE, POSE_WITH_COVARIANCE
from devs_robotics.hil.protocols.ros2.graph import RobotTopics
from devs_robotics.hil.transports.ros2_link import topics_of
from devs_robotics.scenarios.setup.setup import Setup
from devs_robotics.scenarios.setup.tracking import ros2_fixes
from devs_robotics.view.ros2.ros_pictures import RosSink, RosTopic

TWIST_SIZE = 52
"""Of each Twist (bytes); a TwistStamped has more."""
POSE_SIZE = 4 + 8 + 4 + 256 + 56
"""Of a PoseStamped whose frame has a name of 256 letters (bytes); covariances alone have 288."""

Known = Callable[[str, bytes], RosTopic | None]
"""The topic of ROS of a packet, by what it is to its driver, and its bytes; None: it is none."""


class Wires(Observer):
    """Tells a bag what passes between drivers and robots of ROS 2, and what a tracking system of ROS 2 tells.

    Args:
        sink: takes the messages
        setup: of the run
        model: of the whole experiment, whose devices know their addresses
        away: robots whose models run elsewhere
    """

    def __init__(self, sink: RosSink, setup: Setup[Any], model: Experiment, away: Collection[int] = ()) -> None:
        self._sink = sink
        self._known: dict[Atomic, Known] = {}
        self._ports: list[Port[Any]] = []
        for robot in model.system.robots:
            device = robot.equipment.device
            if device is not None and robot.number not in away and setup.real[robot.number].robot.protocol == "ros2":
                self._watch(device, partial(wire_topic, _topics(device)), device.outgoing, device.incoming)
        tracker = model.tracker
        reader = None if tracker is None else ros2_fixes(setup, tracker.fix_of)
        if tracker is not None and reader is not None and isinstance(tracker, Atomic):
            self._watch(tracker, partial(tracking_topic, {topic.name for topic in reader.topics}), tracker.incoming)

    @property
    def patterns(self) -> list[str]:
        """What it watches; empty: nothing."""
        return [port_path(port) for port in self._ports]

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Tell what went out."""
        self._tell(time, model, values)

    def received(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Tell what came in."""
        self._tell(time, model, values)

    def _watch(self, model: Atomic, known: Known, *ports: Port[Any]) -> None:
        self._known[model] = known
        self._ports += ports

    def _tell(self, time: float, model: Atomic, values: tuple[Any, ...]) -> None:
        known = self._known.get(model)
        for value in values if known is not None else ():
            if known is not None and isinstance(value, Packet):
                name, data = packets.unpack(value.data)
                topic = known(name, data)
                if topic is not None:
                    self._sink.put(topic, time, data)


def _topics(device: Device) -> RobotTopics:
    """What the topics of a robot are called; as usual where it is inside the run, and has no address."""
    scheme = device.address.partition(":")[0]
    address = parse(device.address) if scheme in ("ros2", "ros2+zenoh") else None
    return topics_of(address if isinstance(address, Ros2Address) else Ros2Address(name=f"robot{device.robot}"))


def wire_topic(topics: RobotTopics, name: str, data: bytes) -> RosTopic | None:
    """The topic of a packet of a robot's."""
    if name == packets.CMD_VEL:
        return RosTopic(topics.cmd, names.TWIST if len(data) == TWIST_SIZE else names.TWIST_STAMPED)
    if name == packets.ODOM:
        return RosTopic(topics.odom, names.ODOMETRY)
    if name == packets.SCAN and topics.scan:
        return RosTopic(topics.scan, names.LASER_SCAN)
    if name == packets.BATTERY:
        return RosTopic(topics.battery, names.BATTERY_STATE)
    if name == packets.HAZARDS:
        return RosTopic(topics.hazards, names.HAZARDS)
    if name in (sensors := dict(topics.sensors)):
        return RosTopic(sensors[name], sensor_type(name))
    if name in (packets.ASK, packets.TOLD):
        return RosTopic(topics.ask if name == packets.ASK else topics.told, names.STRING)
    if name == packets.TF_STATIC:
        return RosTopic("/tf_static", names.TF_MESSAGE, latched=True)
    number = name.removeprefix(packets.RANGE)
    if number.isdigit() and int(number) < len(topics.ranges):
        return RosTopic(topics.ranges[int(number)], names.RANGE)
    return None


def tracking_topic(topics: Collection[str], name: str, data: bytes) -> RosTopic | None:
    """The topic of a packet of a tracking system's."""
    if name not in topics:
        return None
    if name.endswith(("/tf", "/tf_static")):
        return RosTopic(name, names.TF_MESSAGE, latched=name.endswith("static"))
    return RosTopic(name, POSE if len(data) < POSE_SIZE else POSE_WITH_COVARIANCE)
