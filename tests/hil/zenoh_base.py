"""A base of ROS 2 that obeys at once, on a zenoh router in this process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import Event, Thread

from devs_robotics.hil.protocols.ros2.messages import OdometryReport, read_twist, write_odometry
from devs_robotics.hil.protocols.ros2.names import ODOMETRY, TWIST
from devs_robotics.hil.transports.ros2_bus import COMMAND, Quality
from devs_robotics.hil.transports.zenoh import ZenohBus
from tests.real_components import free_port

PERIOD = 0.02
"""Between two messages of its odometry (s)."""


class ZenohBase:
    """It goes with the velocity that it was told last.

    Args:
        watchdog: without commands for so long (s) it stops by itself

    Attributes:
        address: by which it is driven
        obeys, tells: whether it does; it may stop at any time
        speed: with which it goes (m/s)
    """

    def __init__(self, watchdog: float) -> None:
        port = free_port()
        self.address = f"ros2+zenoh://127.0.0.1:{port}/turtle1?domain=0"
        self.obeys = self.tells = True
        self.speed = 0.0
        self._watchdog = watchdog
        self._told_at = -inf
        self._ended = Event()
        self._bus = ZenohBus("127.0.0.1", port, 0, router=True)
        self._odometry = self._bus.publish("/turtle1/odom", ODOMETRY, Quality())
        self._commands = self._bus.subscribe("/turtle1/cmd_vel", TWIST, self._heard, COMMAND)
        self._thread = Thread(target=self._live)
        self._thread.start()

    def close(self) -> None:
        """Switch it off."""
        self._ended.set()
        self._thread.join()
        self._bus.close()

    def _heard(self, data: bytes) -> None:
        self._told_at = time.monotonic()
        self.speed = read_twist(data).speed if self.obeys else 0.0

    def _live(self) -> None:
        way = 0.0
        while not self._ended.wait(PERIOD):
            if time.monotonic() - self._told_at > self._watchdog:
                self.speed = 0.0
            way += PERIOD * self.speed
            if self.tells:
                said = OdometryReport(x=way, y=0.0, heading=0.0, speed=self.speed, turn_rate=0.0)
                self._odometry.send(write_odometry(said))


@contextmanager
def zenoh_base(watchdog: float = inf) -> Iterator[ZenohBase]:
    """A base, until this is left."""
    base = ZenohBase(watchdog)
    try:
        yield base
    finally:
        base.close()
