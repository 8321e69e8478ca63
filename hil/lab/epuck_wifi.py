"""An e-puck2 on Wi-Fi: commands of 21 bytes, and a stream of what the last one asked for."""

from __future__ import annotations

from collections import deque

from devs_robotics.hil.lab.core import Core
from devs_robotics.hil.lab.epuck import EPuck
from devs_robotics.hil.lab.sercom_binary import actuate
from devs_robotics.hil.lab.surroundings import Surroundings

COMMAND, BEGINS = 21, 0x80
"""Length of a command (bytes), and its first byte, the only one that is checked."""

SELECTOR = 15
"""Position of the selector: the one for Wi-Fi."""

PERIOD, IMAGE_PERIOD = 0.02, 0.07
"""Time between two packets, without and with an image (s)."""

CROWD = 5
"""Number of commands waiting at which all but the newest are dropped."""

_IMAGE, _SENSORS = 1, 2
"""Bits of a command's second byte: what is to be sent."""


class WifiRobot(Core):
    """An e-puck2 whose selector says Wi-Fi. It has no watchdog, and one client.

    In each cycle it obeys the command that is in force, the next one that waits or else the last one again, and sends
    one packet. Bytes with which no command begins are skipped.

    Attributes:
        skipped: how many bytes were
    """

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__(surroundings)
        self.robot = EPuck(surroundings, SELECTOR)
        self.skipped = 0
        self._bytes = bytearray()
        self._queue: deque[bytes] = deque(maxlen=CROWD)
        self._command: bytes | None = None
        self._era = 0

    def start(self) -> None:
        """Wait for a command."""

    def link_lost(self) -> None:
        """The client has gone. What it sent last is obeyed, and the wheels go on so until the next one comes."""
        self._incoming.hurry()
        if self._queue:
            self._obey(self._queue[-1])
        self._era += 1  # and nothing more is sent
        self._outgoing.clear()
        self._bytes.clear()
        self._queue.clear()
        self._command = None

    def heard(self, data: bytes) -> None:
        """Put commands into the queue; with the first one the stream begins."""
        self._bytes += data
        while len(self._bytes) >= COMMAND:
            if self._bytes[0] == BEGINS:
                self._queue.append(bytes(self._bytes[:COMMAND]))
                del self._bytes[:COMMAND]
            else:
                skip = self._bytes.find(BEGINS)
                skip = len(self._bytes) if skip < 0 else skip
                self.skipped += skip
                del self._bytes[:skip]
        if self._queue and self._command is None:
            self._go_on(self._era)

    def _go_on(self, era: int) -> None:
        """Obey a command, send a packet, and come back."""
        if era != self._era:
            return
        if len(self._queue) >= CROWD:
            self._queue = deque([self._queue[-1]], maxlen=CROWD)
        if self._queue:
            self._command = self._queue.popleft()
        if self._command is not None:
            self._obey(self._command)
            request = self._command[1]
            if not self.is_jammed():  # a client that does not read costs no pictures
                self.say(self._packet(request))
            period = IMAGE_PERIOD if request & _IMAGE else PERIOD
            self.surroundings.agenda.at(self.surroundings.now + period, lambda: self._go_on(era))

    def _obey(self, command: bytes) -> None:
        actuate(self.robot, command[2:])

    def _packet(self, request: int) -> bytes:
        packet = b""
        if request & _IMAGE:
            packet += b"\x01" + self.robot.image()
        if request & _SENSORS:
            packet += b"\x02" + self.robot.sensors()
        return packet or b"\x03"
