"""A device whose reactions are sent at once, and which can be reminded of things: the DEVS side of the driver."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from devs_robotics import Asked, Device, Drive, Link, Packet, Port
from devs_robotics.hil.drivers.reminders import Reminders
from devs_robotics.hil.protocols.protocol import Situation


class TimedDevice(Device):
    """A device that reacts to what it is told, and to its reminders; a subclass says how.

    What it sends and reports in a reaction leaves at once, before it is told of anything else.

    Args:
        now: is kept up to date; a new one by default

    Attributes:
        now: the time, and whether the robot has been given up: then the device is told of nothing any more
        reminders: of what is to be done when
    """

    def __init__(self, name: str, robot: int, address: str, now: Situation | None = None) -> None:
        super().__init__(name, robot, address)
        self.now = now or Situation()
        self.reminders = Reminders()
        self._packets: list[bytes] = []
        self._reports: list[tuple[Port[Any], Any]] = []

    @property
    def time(self) -> float:
        """Since the simulation began (s)."""
        return self.now.time

    @property
    def failed(self) -> bool:
        """Whether it has given up, and nothing more leaves."""
        return self.now.failed

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

    def asked_own(self, asked: Asked) -> None:
        """Somebody asks equipment of the robot's own, of which there is none by default."""

    @abstractmethod
    def due(self, what: str, since: float) -> None:
        """It is time for something that it wanted to be reminded of."""

    # what reactions may do

    def send(self, data: bytes) -> None:
        """Send a packet."""
        if not self.failed:
            self._packets.append(data)

    def tell(self, port: Port[Any], report: Any) -> None:
        """Send a report through one of its output ports."""
        if not self.failed:
            self._reports.append((port, report))

    def fail(self) -> None:
        """Send what was to be sent, and be silent for ever."""
        self.now.failed = True
        self.reminders.clear()

    # DEVS functions

    def deltext(self, e: float) -> None:
        """React to what has come: first to the robot, then to those who use it."""
        self.now.time += e
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
        for asked in self.own.ask.values:
            if not self.failed:
                self.asked_own(asked)
        self._schedule()

    def lambdaf(self) -> None:
        """Let out what was sent and reported."""
        for data in self._packets:
            self.outgoing.add(Packet(data))
        for port, report in self._reports:
            port.add(report)

    def deltint(self) -> None:
        """React to a reminder, unless it was only time to let something out."""
        if self._packets or self._reports:
            self._packets.clear()
            self._reports.clear()
        else:
            self.now.time = max(self.time, self.reminders.next)
            reminder = self.reminders.take(self.time)
            if reminder is not None and not self.failed:
                self.due(*reminder)
        self._schedule()

    def _schedule(self) -> None:
        """The next event: at once if there is something to let out, otherwise with the next reminder."""
        waits = not (self._packets or self._reports)
        self.sigma = max(0.0, self.reminders.next - self.time) if waits else 0.0

    def initialize(self) -> None:
        """Wait for what its constructor wanted to be reminded of."""
        self._schedule()
