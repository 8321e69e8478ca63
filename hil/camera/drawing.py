"""A picture with what was found in it, for people who set up a camera."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from math import cos, inf, pi, sin
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from devs_robotics.hil.camera.camera_plan import Lens, Place
from devs_robotics.hil.camera.detection import Corners, Image
from devs_robotics.hil.camera.geometry import CameraPose, camera_matrix
from devs_robotics.hil.camera.localiser import Localiser, LookedAt
from devs_robotics.hil.camera.opencv import CameraError, opencv

OFTEN = 0.2
"""Shortest time between two pictures that are written (s)."""

QUALITY = 85
"""Of JPEG, up to 100."""

AHEAD = 0.15
"""Length of a robot's arrow (m)."""

STEPS = 24
"""Pieces of each edge of the field: a lens bends it."""

BLACK = (0, 0, 0)
"""Round letters."""

MARKER, ROBOT, FIELD, VIRTUAL = (230, 159, 0), (0, 158, 115), (86, 180, 233), (240, 228, 66)
"""Red, green and blue of markers, robots, the field's edges and virtual robots (Okabe and Ito)."""

RADIUS = 0.06
"""Of virtual robots (m)."""

NOBODY: Mapping[int, Place] = MappingProxyType({})


def pixels_of(points: NDArray[np.float64], pose: CameraPose, lens: Lens) -> NDArray[np.float64]:
    """Where points of the field (rows of x, y and z, m) are seen: rows of column and row."""
    cv2 = opencv()
    rotation = np.array(pose.rotation)
    turn, _ = cv2.Rodrigues(rotation)
    shift = -rotation @ np.array(pose.place)
    seen, _ = cv2.projectPoints(points, turn, shift, camera_matrix(lens), np.array(lens.distortion))
    return np.asarray(seen, dtype=np.float64).reshape(-1, 2)


def drawn(
    image: Image,
    seen: Mapping[int, Corners],
    looked: LookedAt | None,
    localiser: Localiser,
    size: tuple[float, float],
    virtual: Mapping[int, Place] = NOBODY,
) -> Image:
    """A picture with its markers and their ids, robots with their numbers and headings, and the edges of the field.

    Virtual robots are rings, as if they stood there.

    Args:
        image: the picture
        seen: corners of its markers, by their ids
        looked: what it says; None: nobody knows where the camera is
        localiser: that has looked at it
        size: of the field (m)
        virtual: where robots are that are not really there, by their numbers
    """
    cv2 = opencv()
    picture = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR) if image.ndim == 2 else image.copy()
    for marker, corners in seen.items():
        _line(picture, corners, MARKER, closed=True)
        _text(picture, corners.max(axis=0), f"{marker}", MARKER)
    pose = localiser.pose
    if looked is not None and pose is not None:
        _line(picture, pixels_of(_edges(*size), pose, localiser.lens), FIELD, closed=True)
        for robot, place in looked.places.items():
            ends = pixels_of(_arrow(place, localiser.plan.height), pose, localiser.lens)
            tail, tip = (tuple(map(int, np.rint(end))) for end in ends)
            cv2.arrowedLine(picture, tail, tip, ROBOT[::-1], 2, cv2.LINE_AA)
            _text(picture, ends[1], f"robot {robot}", ROBOT)
        for robot, place in virtual.items():
            ring = pixels_of(_ring(place, localiser.plan.height), pose, localiser.lens)
            _line(picture, ring, VIRTUAL, closed=True)
            _text(picture, ring.max(axis=0), f"virtual {robot}", VIRTUAL)
    return np.asarray(picture, dtype=np.uint8)


class DrawnFile:
    """A JPEG that always holds the newest picture; who reads it never sees half of one.

    Args:
        path: of the file
        localiser: that looks at the pictures
        size: of the field (m)
        virtual: tells where virtual robots are, by their numbers
        monotonic: tells the time (s)

    Raises:
        CameraError: the file's name is that of a folder
    """

    def __init__(
        self,
        path: Path,
        localiser: Localiser,
        size: tuple[float, float],
        virtual: Callable[[], Mapping[int, Place]] = dict,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        if path.is_dir():
            raise CameraError(f"{path} is a folder: name a file")
        self._path = path
        self._localiser = localiser
        self._size = size
        self._virtual = virtual
        self._monotonic = monotonic
        self._next = -inf

    def __call__(self, image: Image, looked: LookedAt | None) -> None:
        """Write a picture, unless the last one is very new.

        Raises:
            CameraError: it cannot be written
        """
        now = self._monotonic()
        if now < self._next:
            return
        self._next = now + OFTEN
        cv2 = opencv()
        picture = drawn(image, self._localiser.seen, looked, self._localiser, self._size, self._virtual())
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            new.write_bytes(data)
            new.replace(self._path)
        except OSError as error:
            raise CameraError(f"{self._path} cannot be written ({error.strerror}): name another file") from error


def _edges(width: float, height: float) -> NDArray[np.float64]:
    share = np.linspace(0.0, 1.0, STEPS, endpoint=False)
    zero, one = np.zeros(STEPS), np.ones(STEPS)
    x = np.concatenate([share, one, 1.0 - share, zero]) * width
    y = np.concatenate([zero, share, one, 1.0 - share]) * height
    return np.column_stack([x, y, np.zeros(len(x))])


def _ring(place: Place, height: float) -> NDArray[np.float64]:
    """Round a robot, with a line from its middle to its front."""
    x, y, heading = place
    angle = heading + np.linspace(0.0, 2.0 * pi, STEPS)
    round_it = np.column_stack([x + RADIUS * np.cos(angle), y + RADIUS * np.sin(angle), np.full(STEPS, height)])
    return np.concatenate([round_it, [[x, y, height]]])


def _arrow(place: Place, height: float) -> NDArray[np.float64]:
    x, y, heading = place
    return np.array([[x, y, height], [x + AHEAD * cos(heading), y + AHEAD * sin(heading), height]])


def _line(picture: Image, points: NDArray[np.float64], colour: tuple[int, int, int], *, closed: bool) -> None:
    cv2 = opencv()
    cv2.polylines(picture, [np.rint(points).astype(np.int32)], closed, colour[::-1], 1, cv2.LINE_AA)


def _text(picture: Image, at: NDArray[np.float64], text: str, colour: tuple[int, int, int]) -> None:
    cv2 = opencv()
    column, row = int(at[0]) + 5, int(at[1]) + 5
    for right, down, shade in (*((right, down, BLACK) for right in (-1, 1) for down in (-1, 1)), (0, 0, colour[::-1])):
        place = column + right, row + down
        cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, shade, 1, cv2.LINE_AA)
