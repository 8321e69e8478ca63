"""From the addresses in a scenario to transports: who shares a connection, and what may not be shared."""

from __future__ import annotations

import os

from msgspec import Struct

from devs_robotics.core.realtime.transport import Transport
from devs_robotics.hil.addresses import (
    Address,
    AddressError,
    LocalAddress,
    MqttAddress,
    SerialAddress,
    TcpAddress,
    parse,
)
from devs_robotics.hil.transports.mqtt import Mqtt
from devs_robotics.hil.transports.serial_line import SerialLine
from devs_robotics.hil.transports.tcp import Tcp


class Endpoint(Struct, frozen=True):
    """Where one robot's packets go to and come from: arguments of `Bridge.connect`."""

    transport: Transport
    send_on: str = ""
    listen_on: str = ""


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
                return Endpoint(SerialLine(parsed))
            case TcpAddress():
                self._take(f"tcp:{parsed.host}:{parsed.port}", str(parsed))
                return Endpoint(Tcp(parsed))
            case LocalAddress():
                from devs_robotics.hil.local import LocalRobot

                return Endpoint(LocalRobot(parsed.target))

    def broker(self, address: str) -> Mqtt:
        """The client of the broker at an MQTT address, whatever its prefix; channels are whole topics.

        Raises:
            AddressError: it is no MQTT address
        """
        parsed = parse(address)
        if not isinstance(parsed, MqttAddress):
            raise AddressError(f"the address '{parsed}' is not that of a broker: write mqtt://HOST:PORT")
        return self._broker(parsed)

    def _broker(self, address: MqttAddress) -> Mqtt:
        if address.broker not in self._brokers:
            self._brokers[address.broker] = Mqtt(address.broker)
        return self._brokers[address.broker]

    def _take(self, place: str, address: str) -> None:
        if place in self._taken:
            raise AddressError(f"two robots have the address '{address}': give each one of its own")
        self._taken.add(place)
