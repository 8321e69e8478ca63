"""A device whose reactions are sent at once, and which can be reminded of things: the DEVS side of every driver."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from devs_robotics import Device, Drive, Link, Packet, Port
from devs_robotics.hil.drivers.reminders import Reminders


class TimedDevice(Device):
    """A device that reacts to what it is told, and to its reminders; a subclass says how.

    What it sends and reports in a reaction leaves at once, before it is told of anything else.

    Attributes:
        time: since the simulation began (s)
        failed: whether it has given up; it is told of nothing any more, and nothing more leaves
    """

    def __init__(self, name: str, robot: int, address: str) -> None:
        super().__init__(name, robot, address)
        self.time = 0.0
        self.failed = False
        self.reminders = Reminders()
        self.__packets: list[bytes] = []
        self.__reports: list[tuple[Port[Any], Any]] = []

    # reactions

    @abstractmethod
    def arrived(self, content: Packet | Link) -> None:
        """Something has come from outside."""

    @abstractmethod
    def commanded(self, drive: Drive) -> None:
        """Somebody wants the robot to move."""

    @abstractmethod
    def asked_ranging(self) -> None:
        """Somebody asks the range sensors."""

    @abstractmethod
    def asked_touch(self) -> None:
        """Somebody asks the whiskers."""

    @abstractmethod
    def due(self, what: str, since: float) -> None:
        """It is time for something that it wanted to be reminded of."""

    # what reactions may do

    def send(self, data: bytes) -> None:
        """Send a packet."""
        if not self.failed:
            self.__packets.append(data)

    def tell(self, port: Port[Any], report: Any) -> None:
        """Send a report through one of its output ports."""
        if not self.failed:
            self.__reports.append((port, report))

    def fail(self) -> None:
        """Send what was to be sent, and be silent for ever."""
        self.failed = True
        self.reminders.clear()

    # DEVS functions

    def deltext(self, e: float) -> None:
        """React to what has come: first to the robot, then to those who use it."""
        self.time += e
        for content in self.incoming.values:
            if not self.failed:
                self.arrived(content)
        for drive in self.motor.ask.values:
            if not self.failed:
                self.commanded(drive)
        for _ in self.ranging.ask.values:
            if not self.failed:
                self.asked_ranging()
        for _ in self.touch.ask.values:
            if not self.failed:
                self.asked_touch()
        self.__schedule()

    def lambdaf(self) -> None:
        """Let out what was sent and reported."""
        for data in self.__packets:
            self.outgoing.add(Packet(data))
        for port, report in self.__reports:
            port.add(report)

    def deltint(self) -> None:
        """React to a reminder, unless it was only time to let something out."""
        if self.__packets or self.__reports:
            self.__packets.clear()
            self.__reports.clear()
        else:
            self.time = max(self.time, self.reminders.next)
            reminder = self.reminders.take(self.time)
            if reminder is not None and not self.failed:
                self.due(*reminder)
        self.__schedule()

    def __schedule(self) -> None:
        """The next event: at once if there is something to let out, otherwise with the next reminder."""
        waits = not (self.__packets or self.__reports)
        self.sigma = max(0.0, self.reminders.next - self.time) if waits else 0.0

    def initialize(self) -> None:
        """Wait for what its constructor wanted to be reminded of."""
        self.__schedule()
