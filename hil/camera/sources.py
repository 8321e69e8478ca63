"""Where pictures come from: a device, a film, a folder of pictures, or the laboratory as a camera above it sees it."""

from __future__ import annotations

import time
from collections.abc import Generator
from math import inf
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from devs_robotics.core.realtime.epoch import unix_epoch
from devs_robotics.hil.camera.camera_plan import Place
from devs_robotics.hil.camera.detection import Image
from devs_robotics.hil.camera.opencv import CameraError, opencv
from devs_robotics.hil.lab.overhead_view import OverheadView

PICTURES = {".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp"}

LATENCY = 0.045
"""Time from the middle of a device's exposure until its picture is here, where nothing else is said (s)."""

RATE = 10.0
"""Pictures of a folder for each second, where nothing else is said."""

NAP = 0.02
"""Time between two looks at whether something has come (s)."""

EARLY = 0.001
"""How much sooner than a period after the one before a picture may be (s)."""

FAILURES = 50
"""Pictures in a row that a device may not have."""


class Exposure(Struct, frozen=True):
    """A picture, and when it was taken.

    Attributes:
        image: the picture
        time: of the middle of its exposure, by `time.monotonic` (s)
        truth: where each robot was, by its number, where that is known
    """

    image: Image
    time: float
    truth: dict[int, Place] | None = None


Exposures = Generator[Exposure | None, None, None]
"""None: nothing has come yet, and somebody may want to end."""


def from_device(name: int | str, width: int, height: int, latency: float = LATENCY) -> Exposures:
    """Pictures of a camera at this machine, or in the network, as they come.

    Args:
        name: number of the device, or an address such as ``rtsp://192.0.2.9/live``
        width, height: of the pictures that are wanted (pixels)
        latency: time from the middle of an exposure until the picture is here (s)

    Raises:
        CameraError: there is no such device, or it has no pictures any more
    """
    cv2 = opencv()
    device = cv2.VideoCapture(name)
    try:
        if not device.isOpened():
            raise CameraError(f"camera {name} cannot be opened: plug it in, or name another number, file or folder")
        device.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        failures = 0
        while failures < FAILURES:
            taken = device.grab()
            exposed = time.monotonic() - latency
            got, image = device.retrieve() if taken else (False, None)
            failures = 0 if got else failures + 1
            yield None if image is None else Exposure(image, exposed)
        raise CameraError(f"camera {name} has no more pictures: plug it in again")
    finally:
        device.release()


def from_film(path: Path, *, paced: bool) -> Exposures:
    """The pictures of a film.

    Args:
        path: of the file
        paced: whether each comes at its time, or as soon as it is wanted

    Raises:
        CameraError: it is no film that OpenCV can read
    """
    cv2 = opencv()
    film = cv2.VideoCapture(str(path))
    try:
        if not film.isOpened():
            raise CameraError(f"{path} is no film that OpenCV can read: convert it to MP4 (H.264) or AVI (MJPG)")
        rate = film.get(cv2.CAP_PROP_FPS) or RATE
        begun, number = time.monotonic(), 0
        while True:
            got, image = film.read()
            if not got:
                return
            yield from _at(begun + number / rate, paced=paced)
            yield Exposure(image, time.monotonic())
            number += 1
    finally:
        film.release()


def from_folder(path: Path, rate: float = RATE, *, paced: bool) -> Exposures:
    """The pictures in a folder, by their names.

    Args:
        path: of the folder
        rate: pictures for each second
        paced: whether each comes at its time, or as soon as it is wanted

    Raises:
        CameraError: there are none in it, or one cannot be read
    """
    files = sorted(each for each in path.iterdir() if each.suffix.lower() in PICTURES)
    if not files:
        raise CameraError(f"there are no pictures in {path}: put PNG or JPEG files there")
    cv2, begun = opencv(), time.monotonic()
    for number, file in enumerate(files):
        data = np.frombuffer(file.read_bytes(), dtype=np.uint8)
        image = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE) if len(data) else None
        if image is None:
            raise CameraError(f"{file} is no picture that can be read: remove it")
        yield from _at(begun + number / rate, paced=paced)
        yield Exposure(image, time.monotonic())


def from_laboratory(truth: Path, view: OverheadView, period: float, *, followed: bool) -> Exposures:
    """What a camera above the stand-ins' laboratory sees, by the laboratory's record of the true poses.

    Args:
        truth: file that ``devs-robotics lab --truth`` writes
        view: makes the pictures
        period: from one picture to the next (s)
        followed: whether the laboratory still writes, and the newest poses are meant; else all of them, one after the
            other

    Raises:
        CameraError: the file cannot be read
    """
    scenes = _TrueScenes(truth)
    number, due = 0, -inf
    while True:
        found = scenes.read()
        if followed:
            found = found[-1:]
        for unix, poses in found:
            if unix < due:
                continue
            due = unix + period - EARLY
            exposed = unix - unix_epoch() if followed else time.monotonic()
            yield Exposure(view.picture(poses, number), exposed, poses)
            number += 1
        if not followed:
            return
        yield None
        time.sleep(NAP)


class TrueEntry(Struct, frozen=True):
    """A line of a laboratory's record: where a robot was, and when, by the laboratory's clock and by the calendar's.

    JSON has no number that is not finite, and msgspec reads none.
    """

    robot: int
    t: float
    unix: float
    x: float
    y: float
    heading: float


_entry = msgspec.json.Decoder(TrueEntry).decode


class _TrueScenes:
    """Reads on in a laboratory's record of true poses: when, and where each robot was."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = 0
        self._robots = 0

    def read(self) -> list[tuple[float, dict[int, Place]]]:
        """What has been written since, as far as it is whole."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._at)
                text = file.read()
        except OSError as error:
            raise CameraError(
                f"{self._path} cannot be read ({error.strerror}): name the file that lab --truth writes"
            ) from error
        scenes: dict[float, dict[int, Place]] = {}
        unix: dict[float, float] = {}
        ends: dict[float, int] = {}
        end = 0
        for line in text.splitlines(keepends=True):
            if not line.endswith(b"\n"):
                break
            end += len(line)
            entry = self._entry(line)
            scenes.setdefault(entry.t, {})[entry.robot] = (entry.x, entry.y, entry.heading)
            unix.setdefault(entry.t, entry.unix)
            ends[entry.t] = end
        self._robots = max([self._robots, *map(len, scenes.values())])
        whole = [now for now in sorted(scenes) if len(scenes[now]) == self._robots]
        if not whole:
            return []
        self._at += ends[whole[-1]]
        return [(unix[now], scenes[now]) for now in whole]

    def _entry(self, line: bytes) -> TrueEntry:
        try:
            return _entry(line)
        except (msgspec.MsgspecError, RecursionError):
            raise CameraError(
                f"{self._path} is no record of true poses: name the file that lab --truth writes"
            ) from None


def _at(due: float, *, paced: bool) -> Exposures:
    """Wait until a time."""
    while paced and (left := due - time.monotonic()) > 0.0:
        time.sleep(min(NAP, left))
        yield None
