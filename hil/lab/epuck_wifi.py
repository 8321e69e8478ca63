"""An e-puck2 on Wi-Fi: commands of 21 bytes, and a stream of what the last one asked for."""

from __future__ import annotations

from collections import deque

from hil.lab.core import Core
from hil.lab.epuck import EPuck
from hil.lab.sercom import actuate
from hil.lab.surroundings import Surroundings

COMMAND = 21
"""Length of a command (bytes)."""

PERIOD, IMAGE_PERIOD = 0.02, 0.07
"""Time between two packets, without and with an image (s)."""

CROWD = 5
"""When so many commands wait, all but the newest are dropped."""

_IMAGE, _SENSORS = 1, 2
_HIGHEST = (0x80, 3, 7, *(255,) * 4, 63, *(100,) * 12, 0x3F)


class WifiRobot(Core):
    """An e-puck2 whose selector says Wi-Fi. It has no watchdog, and one client.

    It obeys one command a packet. Bytes that cannot begin a command, since a field would be out of its range, are
    skipped one by one.

    Attributes:
        skipped: how many bytes were
    """

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__(surroundings)
        self.robot = EPuck(surroundings)
        self.skipped = 0
        self._bytes = bytearray()
        self._queue: deque[bytes] = deque(maxlen=CROWD)
        self._request: int | None = None
        self._era = 0

    def start(self) -> None:
        """Wait for a command."""

    def link_lost(self) -> None:
        """The client has gone: wait for the next one, as fast or slow as the wheels turn now."""
        super().link_lost()
        self._bytes.clear()
        self._queue.clear()
        self._request = None
        self._era += 1

    def heard(self, data: bytes) -> None:
        """Put commands into the queue; with the first one the stream begins."""
        self._bytes += data
        while len(self._bytes) >= COMMAND:
            frame = bytes(self._bytes[:COMMAND])
            if _is_command(frame):
                self._queue.append(frame)
                del self._bytes[:COMMAND]
            else:
                skip = self._bytes.find(0x80, 1)
                skip = len(self._bytes) if skip < 0 else skip
                self.skipped += skip
                del self._bytes[:skip]
        if self._queue and self._request is None:
            self._go_on(self._era)

    def _go_on(self, era: int) -> None:
        """Obey one command, send one packet, and come back."""
        if era != self._era:
            return
        self._obey()
        if self._request is None:
            return
        self.say(self._packet(self._request))
        period = IMAGE_PERIOD if self._request & _IMAGE else PERIOD
        self.surroundings.agenda.at(self.surroundings.now + period, lambda: self._go_on(era))

    def _obey(self) -> None:
        if len(self._queue) >= CROWD:
            self._queue = deque([self._queue[-1]], maxlen=CROWD)
        if self._queue:
            command = self._queue.popleft()
            self._request = command[1]
            actuate(self.robot, command[2:])

    def _packet(self, request: int) -> bytes:
        packet = b""
        if request & _IMAGE:
            packet += b"\x01" + self.robot.image()
        if request & _SENSORS:
            packet += b"\x02" + self.robot.sensors()
        return packet or b"\x03"


def _is_command(frame: bytes) -> bool:
    return frame[0] == 0x80 and all(byte <= highest for byte, highest in zip(frame, _HIGHEST, strict=True))
