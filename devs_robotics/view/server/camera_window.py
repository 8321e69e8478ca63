"""What the camera above the field sees, for the window beside the map: its newest picture, as viewers get it.

Pictures are messages of the kind 3, little-endian; see `packed_picture`. Where the bodies were when a picture was
exposed follows from its simulated time: whoever draws it has the states round that time.
"""

from __future__ import annotations

import struct
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from devs_robotics.core.robots.overhead_picture import OverheadPicture, PictureReader
from devs_robotics.view.states import HEAD, VERSION

KIND = 3
"""Of messages that are pictures."""

CALIBRATED = 1
"""Flag: it is known how places are seen in it."""

KEPT = 2.0
"""So long it is kept which simulated time it was (real s)."""

OLDEST = 10.0
"""A picture that is older than this is of something else (s)."""

PER_SECOND = 5.0
"""Most pictures per second, unless another rate is set."""

_SIZE = struct.Struct("<II")
_CALIBRATION = struct.Struct("<22d")
LENGTH = HEAD.size + _SIZE.size + _CALIBRATION.size
"""Of a message before the JPEG (bytes)."""


def packed_picture(picture: OverheadPicture, simulated: float) -> bytes:
    """A picture as a message.

    =============  =================================================================================================
    offset         what
    =============  =================================================================================================
    0              u8 3, u8 flags (1: calibrated), u16 version 1
    4              u32 number of the message
    8, 16          f64 simulated time; f64 Unix time of the exposure (s)
    24, 28         u32 0, u32 0
    32, 36         u32 width, u32 height (pixels)
    40             f64[22]: fx, fy, cx, cy, k1, k2, p1, p2, k3, rotation by rows, place (m), height of markers (m);
                   zeros where it is not calibrated
    216            the JPEG
    =============  =================================================================================================

    Args:
        picture: as it was shared
        simulated: time of its exposure (s)
    """
    calibration = picture.calibration
    numbers = [0.0] * 22 if calibration is None else calibration.numbers
    flags = 0 if calibration is None else CALIBRATED
    head = HEAD.pack(KIND, flags, VERSION, 0, simulated, picture.exposed, 0, 0)
    return head + _SIZE.pack(picture.width, picture.height) + _CALIBRATION.pack(*numbers) + picture.jpeg


class CameraWindow:
    """Follows the file in which a camera keeps its newest picture.

    Args:
        path: of the file, which need not be there yet
        rate: most pictures per second
        monotonic, unix: tell the time (s)

    Attributes:
        latest: the newest picture as a message; None: there is none yet
        trouble: why there is none; empty where none has come yet
    """

    def __init__(
        self,
        path: Path,
        rate: float = PER_SECOND,
        monotonic: Callable[[], float] = time.monotonic,
        unix: Callable[[], float] = time.time,
    ) -> None:
        self.latest: bytes | None = None
        self.rate = rate
        self._reader = PictureReader(path)
        self._monotonic = monotonic
        self._unix = unix
        self._next = 0.0
        self._times: deque[tuple[float, float]] = deque()
        """Unix times of looks, and the simulated times that it was then (s)."""

    @property
    def trouble(self) -> str:
        """Why the file holds no picture; empty where it does, or is not there."""
        return self._reader.trouble

    def saw(self, looked: float, simulated: float) -> None:
        """A state has come: which simulated time it was at a Unix time (s)."""
        self._times.append((looked, simulated))
        while self._times[0][0] < looked - KEPT:
            self._times.popleft()

    def look(self) -> bytes | None:
        """A picture that has come since the last call, if it is time for one."""
        now = self._monotonic()
        if now < self._next or not self._times:
            return None
        picture = self._reader.read()
        if picture is None or not -OLDEST < self._unix() - picture.exposed < OLDEST:
            return None
        self._next = now + 1.0 / self.rate
        self.latest = packed_picture(picture, self.simulated(picture.exposed))
        return self.latest

    def simulated(self, exposed: float) -> float:
        """Which simulated time it was at a Unix time: between two looks pro rata, else that of the nearest (s)."""
        before = self._times[0]
        for after in self._times:
            if after[0] > exposed:
                break
            before = after
        else:
            return before[1]
        if after[0] <= before[0]:
            return after[1]
        return before[1] + (exposed - before[0]) / (after[0] - before[0]) * (after[1] - before[1])
