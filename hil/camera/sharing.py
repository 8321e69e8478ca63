"""Gives the newest picture to live views: small enough to be sent, and seldom enough to cost little."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from pathlib import Path

from devs_robotics.core.realtime.epoch import unix_epoch
from devs_robotics.core.robots.overhead_picture import Calibration, OverheadPicture, write_picture
from devs_robotics.hil.camera.detection import Image
from devs_robotics.hil.camera.localiser import Localiser, LookedAt
from devs_robotics.hil.camera.opencv import CameraError, opencv
from devs_robotics.hil.camera.sources import Exposure

OFTEN = 0.2
"""Shortest time between two pictures that are shared (s)."""

EARLY = 0.02
"""Pictures of a rhythm may be earlier than that by so much (s)."""

SIDE = 960
"""Longest side of a picture that is shared (pixels)."""

QUALITIES = (75, 50, 25)
"""Of JPEG, up to 100; the first that makes a picture small enough is taken."""

MOST = 200_000
"""Longest JPEG, if there is a quality that makes it so short (bytes)."""


class SharedPicture:
    """Keeps the newest picture of a camera in a file, which live views show.

    Args:
        path: of the file
        localiser: that looks at the pictures
        monotonic: tells the time (s)

    Raises:
        CameraError: the file's name is that of a folder
    """

    def __init__(self, path: Path, localiser: Localiser, monotonic: Callable[[], float] = time.monotonic) -> None:
        if path.is_dir():
            raise CameraError(f"{path} is a folder: name a file")
        self._path = path
        self._localiser = localiser
        self._monotonic = monotonic
        self._next = -inf

    def __call__(self, exposure: Exposure, looked: LookedAt | None) -> None:
        """Share a picture, unless the last one is very new.

        Args:
            exposure: the picture
            looked: what it says; None: nobody knows where the camera is

        Raises:
            CameraError: it cannot be written
        """
        now = self._monotonic()
        if now < self._next - EARLY:
            return
        self._next = now + OFTEN
        exposed = exposure.time + unix_epoch()
        knows = looked is not None and not looked.moved
        try:
            write_picture(self._path, shared(exposure.image, exposed, self._localiser, knows=knows))
        except OSError as error:
            raise CameraError(f"{self._path} cannot be written ({error.strerror}): name another file") from error


def shared(image: Image, exposed: float, localiser: Localiser, *, knows: bool = True) -> OverheadPicture:
    """A picture as it is shared: no larger than `SIDE`, with the calibration for its size.

    Args:
        image: the picture, as the camera has it
        exposed: Unix time of its exposure (s)
        localiser: that has looked at it
        knows: whether it is known where the camera is
    """
    cv2 = opencv()
    rows, columns = image.shape[:2]
    factor = min(1.0, SIDE / max(rows, columns))
    width, height = max(1, round(factor * columns)), max(1, round(factor * rows))
    small = image if factor == 1.0 else cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    jpeg = b""
    for quality in QUALITIES:
        jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(jpeg) <= MOST:
            break
    calibration = _calibration(localiser, width / columns, height / rows) if knows else None
    return OverheadPicture(exposed, width, height, jpeg, calibration)


def _calibration(localiser: Localiser, across: float, down: float) -> Calibration | None:
    """Of a picture that was made smaller by these factors."""
    pose, lens = localiser.pose, localiser.lens
    if pose is None:
        return None
    first, second, third = pose.rotation
    return Calibration(
        fx=across * lens.fx,
        fy=down * lens.fy,
        cx=across * (lens.cx + 0.5) - 0.5,
        cy=down * (lens.cy + 0.5) - 0.5,
        distortion=lens.distortion,
        rotation=(first, second, third),
        place=pose.place,
        height=localiser.plan.height,
    )
