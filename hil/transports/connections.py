"""From the addresses in a scenario to transports: who shares a connection, and what may not be shared."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from devs_robotics.core.realtime.bridge import Bridge
from devs_robotics.core.realtime.packet_ports import PacketPorts
from devs_robotics.core.realtime.transport import Transport
from devs_robotics.core.robots.device import Device
from devs_robotics.hil.addresses import (
    Address,
    AddressError,
    LocalAddress,
    MqttAddress,
    Ros2Address,
    SerialAddress,
    TcpAddress,
    parse,
)
from devs_robotics.hil.transports.tcp import Tcp

if TYPE_CHECKING:
    from devs_robotics.hil.protocols.ros2.fixes import FixTopic
    from devs_robotics.hil.transports.mqtt import Mqtt


class Endpoint(Struct, frozen=True):
    """Where the packets of one robot, or of a tracking system, go to and come from."""

    transport: Transport
    send_on: str = ""
    listen_on: str = ""

    def join(self, bridge: Bridge, ports: PacketPorts, device: Device) -> None:
        """Have a bridge carry the packets of a robot between ports of the root model and this end.

        Args:
            bridge: that is not open yet
            ports: of the root model
            device: of the robot; its stop message is the last that is sent
        """
        bridge.connect(
            self.transport,
            ports.outgoing,
            ports.incoming,
            send_on=self.send_on,
            listen_on=self.listen_on,
            stop_message=device.stop_message,
        )


class Connections:
    """The connections of one process; none is opened here.

    Robots at one broker, under the same user and password, share one client.
    """

    def __init__(self) -> None:
        self._brokers: dict[MqttAddress, Mqtt] = {}
        self._taken: set[str] = set()

    def at(self, address: str | Address) -> Endpoint:
        """The endpoint of the robot at an address; at MQTT it hears ``PREFIX/command`` and says ``PREFIX/report``.

        Raises:
            AddressError: the address is malformed, or another robot has it; two robots may only be of one local class,
                since each is an object of its own
        """
        parsed = parse(address) if isinstance(address, str) else address
        match parsed:
            case MqttAddress():
                if not parsed.prefix:
                    raise AddressError(f"the address '{parsed}' has no topic: write mqtt://HOST/robot/7")
                self._take(f"mqtt:{parsed.host}:{parsed.port}/{parsed.prefix}", str(parsed))
                return Endpoint(self._broker(parsed), f"{parsed.prefix}/command", f"{parsed.prefix}/report")
            case SerialAddress():
                # a device has several names, such as those in /dev/serial/by-id
                self._take(f"serial:{os.path.realpath(parsed.url)}", str(parsed))
                from devs_robotics.hil.transports.serial_line import SerialLine  # of the extra [serial]

                return Endpoint(SerialLine(parsed))
            case TcpAddress():
                self._take(f"tcp:{parsed.host}:{parsed.port}", str(parsed))
                return Endpoint(Tcp(parsed))
            case Ros2Address():
                from devs_robotics.hil.transports.ros2_link import Ros2Link  # slow to load

                link = Ros2Link(parsed)
                self._take(f"ros2:{parsed.host}:{parsed.port}:{parsed.domain}{link.commands}", str(parsed))
                return Endpoint(link)
            case LocalAddress():
                from devs_robotics.hil.local import LocalRobot

                return Endpoint(LocalRobot(parsed.target))

    def topic(self, address: str) -> Endpoint:
        """The endpoint of whoever publishes on the very topic that an MQTT address ends in.

        Raises:
            AddressError: it is no MQTT address
        """
        parsed = parse(address)
        if not isinstance(parsed, MqttAddress):
            raise AddressError(f"the address '{parsed}' is not that of a broker: write mqtt://HOST:PORT")
        return Endpoint(self._broker(parsed), listen_on=parsed.prefix)

    def fixes(self, address: str, topics: Sequence[FixTopic]) -> Endpoint:
        """The endpoint of a tracking system of ROS 2 that publishes on these topics.

        Raises:
            AddressError: it is no address of such a system
        """
        from devs_robotics.hil.ros2_fix_addresses import parse_fix_address
        from devs_robotics.hil.transports.ros2_fixes import Ros2FixLink  # slow to load

        return Endpoint(Ros2FixLink(parse_fix_address(address)[0], topics))

    def _broker(self, address: MqttAddress) -> Mqtt:
        if address.broker not in self._brokers:
            from devs_robotics.hil.transports.mqtt import Mqtt  # of the extra [mqtt]

            self._brokers[address.broker] = Mqtt(address.broker)
        return self._brokers[address.broker]

    def _take(self, place: str, address: str) -> None:
        if place in self._taken:
            raise AddressError(f"two robots have the address '{address}': give each one of its own")
        self._taken.add(place)
