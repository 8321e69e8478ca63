"""The links of ROS 2 stand-ins: one participant of DDS for all of them, or a zenoh router with a session."""

from __future__ import annotations

import socket
from functools import partial
from typing import TYPE_CHECKING

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.extras import needed
from devs_robotics.hil.addresses import Ros2Address, parse
from devs_robotics.hil.lab.plan import StandIn
from devs_robotics.hil.lab.ros2_dialects import DIALECTS, SENSOR_COUNTS, SENSOR_LETTERS
from devs_robotics.hil.lab.ros2_domains import ChosenDomain
from devs_robotics.hil.lab.timekeeper import Timekeeper

if TYPE_CHECKING:
    from devs_robotics.hil.lab.ros2 import Ros2StandIn
    from devs_robotics.hil.transports.ros2_bus import Publisher, Ros2Bus, Subscription

STRING = "std_msgs/msg/String"


class Ros2Links:
    """The links of a lab's ROS 2 stand-ins.

    Args:
        timekeeper: in whose time they live
    """

    def __init__(self, timekeeper: Timekeeper) -> None:
        self._timekeeper = timekeeper
        self._buses: dict[tuple[str, int, int, str], tuple[Ros2Bus, Ros2Address]] = {}
        self._open: list[Publisher | Subscription] = []
        self._domain: ChosenDomain | None = None

    def connect(self, core: Ros2StandIn) -> str:
        """Have a stand-in heard and told; returns its address.

        Raises:
            DevsRoboticsError: its address is none of ROS 2, or what it needs is missing
        """
        plan = core.surroundings.plan
        with needed("stand-ins of ROS 2 robots need"):
            bus, address = self._bus(plan)
        self._publish(core, bus, address)
        return str(address)

    def close(self) -> None:
        """Leave."""
        for each in self._open:
            each.close()
        for bus, _ in self._buses.values():
            bus.close()
        if self._domain is not None:
            self._domain.close()

    def _bus(self, plan: StandIn) -> tuple[Ros2Bus, Ros2Address]:
        wanted = _address(plan)
        key = wanted.host, wanted.port, wanted.domain, wanted.option("interface")
        if not wanted.option("domain"):
            key = (wanted.host, 0, -1, "")
        if key not in self._buses:
            self._buses[key] = _zenoh(wanted) if wanted.host else self._dds(wanted)
        bus, place = self._buses[key]
        dialect = DIALECTS[plan.dialect]
        options = dict(place.options)
        if dialect.ranges:
            options["range"] = ",".join(f"{_beams(plan)}{number}" for number in range(len(plan.beams)))
        for kind in _sensors(plan):
            options[kind] = ",".join(topic for _, topic in _topics_of(kind))
        kept = {key: value for key, value in options.items() if value}
        return bus, Ros2Address(name=wanted.name, host=place.host, port=place.port, options=tuple(kept.items()))

    def _dds(self, wanted: Ros2Address) -> tuple[Ros2Bus, Ros2Address]:
        from devs_robotics.hil.transports.dds import dds_bus

        if wanted.option("domain"):
            options = tuple((key, value) for key, value in wanted.options if key in ("domain", "interface", "peers"))
            return dds_bus(wanted.domain, wanted.option("interface"), wanted.peers), Ros2Address(options=options)
        self._domain = domain = self._domain or ChosenDomain()
        place = Ros2Address(options=(("domain", str(domain.number)), ("interface", "lo")))
        return dds_bus(domain.number, "lo"), place

    def _publish(self, core: Ros2StandIn, bus: Ros2Bus, address: Ros2Address) -> None:
        from devs_robotics.hil.transports.ros2_bus import COMMAND, EQUIPMENT, Quality

        plan = core.surroundings.plan
        dialect, prefix = core.dialect, f"/{address.name}/" if address.name else "/"
        sensor = Quality(reliable=dialect.sensor_reliable, depth=5)
        topics: dict[str, tuple[str, str, Quality]] = {
            "odom": (f"{prefix}odom", "nav_msgs/msg/Odometry", Quality()),
            "battery": (f"{prefix}battery_state", "sensor_msgs/msg/BatteryState", Quality()),
            "tf": ("/tf", "tf2_msgs/msg/TFMessage", Quality(depth=100)),
        }
        if dialect.scan_rate:
            topics["scan"] = f"{prefix}scan", "sensor_msgs/msg/LaserScan", sensor
            topics["tf_static"] = "/tf_static", "tf2_msgs/msg/TFMessage", Quality(latched=True, depth=1)
        if dialect.bumper:
            topics["hazards"] = f"{prefix}hazard_detection", "irobot_create_msgs/msg/HazardDetectionVector", sensor
        if dialect.ranges:
            for number in range(len(plan.beams)):
                topics[f"range{number}"] = f"{prefix}{_beams(plan)}{number}", "sensor_msgs/msg/Range", sensor
        for kind in _sensors(plan):
            said = "sensor_msgs/msg/Illuminance" if kind == "light" else "sensor_msgs/msg/Range"
            topics |= {name: (f"{prefix}{topic}", said, sensor) for name, topic in _topics_of(kind)}
        asked = bool(core.surroundings.equipment)
        if asked:
            topics["told"] = f"{prefix}equipment/told", STRING, EQUIPMENT
        publishers = {name: bus.publish(*said) for name, said in topics.items()}
        self._open += publishers.values()

        def send(data: bytes) -> None:
            topic, _, message = data.partition(b"\0")
            publishers[topic.decode()].send(message)

        def heard(name: bytes, data: bytes) -> None:
            self._timekeeper.act_soon(partial(core.receive, name + b"\0" + data))

        core.send = send
        commanded = partial(heard, b"cmd_vel")
        self._open += [bus.subscribe(f"{prefix}cmd_vel", kind, commanded, COMMAND) for kind in dialect.takes]
        if asked:
            self._open.append(bus.subscribe(f"{prefix}equipment/ask", STRING, partial(heard, b"ask"), EQUIPMENT))


def _sensors(plan: StandIn) -> list[str]:
    """Kinds of an e-puck2's sensors that a stand-in tells of on topics of their own."""
    return [kind for kind in plan.sensors if kind in SENSOR_COUNTS]


def _topics_of(kind: str) -> list[tuple[str, str]]:
    """What each sensor of a kind is in packets, and its topic."""
    return [(f"{kind}{number}", f"{SENSOR_LETTERS[kind]}{number}") for number in range(SENSOR_COUNTS[kind])]


def _beams(plan: StandIn) -> str:
    """What topics of single range sensors begin with: those of proximity sensors, unless these have them themselves."""
    return "tof" if "proximity" in plan.sensors else "ps"


def _address(plan: StandIn) -> Ros2Address:
    """Where the plan wants it; without a domain, the lab chooses that, and for zenoh the port too."""
    if not plan.address:
        host = "127.0.0.1" if plan.middleware == "zenoh" else ""
        return Ros2Address(name=plan.namespace or f"robot{plan.robot}", host=host)
    address = parse(plan.address)
    if not isinstance(address, Ros2Address):
        raise DevsRoboticsError(
            f"robot {plan.robot} speaks ROS 2 and cannot be at {plan.address}: give an address such as "
            f"ros2://robot{plan.robot}?domain=42&interface=lo"
        )
    return (
        address
        if address.option("domain")
        else Ros2Address(
            name=address.name, host=address.host, port=address.port, options=(("domain", "0"), *address.options)
        )
    )


def _zenoh(wanted: Ros2Address) -> tuple[Ros2Bus, Ros2Address]:
    from devs_robotics.hil.transports.zenoh import ZenohBus

    port = wanted.port or _free_port()
    bus = ZenohBus(wanted.host, port, wanted.domain, router=True)
    return bus, Ros2Address(host=wanted.host, port=port, options=(("domain", str(wanted.domain)),))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
