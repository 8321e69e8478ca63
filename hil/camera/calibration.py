"""The lens of a camera, from pictures of a ChArUco board."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from msgspec import Struct

from devs_robotics.hil.camera.camera_plan import Lens
from devs_robotics.hil.camera.detection import Image, dictionary
from devs_robotics.hil.camera.opencv import CameraError, opencv

LEAST_CORNERS = 8
"""Corners of the board that a picture has to show."""

LEAST_VIEWS = 8
"""Pictures that are needed."""

ENOUGH = 40
"""Pictures after which further ones add little, and only time."""

STILL = 1.5
"""Distance by which a board that is held still moves from one picture to the next (pixels)."""

APART = 0.04
"""Distance by which the board has to have moved from every earlier view, in widths of the picture."""


class BoardPlan(Struct, frozen=True):
    """A board of squares with markers in the white ones.

    Attributes:
        columns, rows: of squares
        square, marker: sides of them (m)
        family: of its markers, another one than the robots'
    """

    columns: int = 7
    rows: int = 5
    square: float = 0.036
    marker: float = 0.027
    family: str = "5x5"


def charuco_board(plan: BoardPlan) -> Any:
    """OpenCV's board of a plan."""
    aruco = opencv().aruco
    return aruco.CharucoBoard((plan.columns, plan.rows), plan.square, plan.marker, dictionary(plan.family))


class LensCalibration:
    """Takes pictures of a board in, and finds the lens.

    Args:
        plan: of the board
        live: whether pictures come as the board is moved about: then those are of use in which it is still, and
            elsewhere than before
    """

    def __init__(self, plan: BoardPlan | None = None, *, live: bool = False) -> None:
        self._board = charuco_board(plan or BoardPlan())
        self._detector = opencv().aruco.CharucoDetector(self._board)
        self._size: tuple[int, int] | None = None
        self._live = live
        self._last: dict[int, Any] = {}
        self._views: list[dict[int, Any]] = []
        """Where the board's corners were, by their numbers: in the last picture, and in those of use."""
        self._points: list[Any] = []
        self._pixels: list[Any] = []

    @property
    def views(self) -> int:
        """How many pictures were of use."""
        return len(self._points)

    def add(self, image: Image) -> int:
        """Take a picture in; returns how many corners of the board it shows, 0 where it is of no use.

        Raises:
            CameraError: it has another size than those before
        """
        height, width = image.shape[:2]
        if self._size not in (None, (width, height)):
            raise CameraError(
                f"a picture of {width} x {height} pixels came after others of another size: take one size"
            )
        self._size = (width, height)
        grey = image if image.ndim == 2 else opencv().cvtColor(image, opencv().COLOR_BGR2GRAY)
        corners, ids, _, _ = self._detector.detectBoard(grey)
        seen = {} if ids is None else dict(zip(np.ravel(ids).tolist(), np.reshape(corners, (-1, 2)), strict=True))
        before, self._last = self._last, seen
        if len(seen) < LEAST_CORNERS or (self._live and not self._is_wanted(seen, before)):
            return 0
        self._views.append(seen)
        points, pixels = self._board.matchImagePoints(corners, ids)
        self._points.append(np.asarray(points, dtype=np.float32))
        self._pixels.append(np.asarray(pixels, dtype=np.float32))
        return len(ids)

    def _is_wanted(self, seen: dict[int, Any], before: dict[int, Any]) -> bool:
        """Whether the board is still, and elsewhere than in the views so far."""
        apart = APART * (self._size or (0, 0))[0]
        return _distance(seen, before) < STILL and all(_distance(seen, view) > apart for view in self._views)

    def lens(self) -> Lens:
        """The lens that fits all pictures best.

        Raises:
            CameraError: there are too few of them
        """
        if self.views < LEAST_VIEWS or self._size is None:
            raise CameraError(
                f"the board was found in {self.views} pictures, and {LEAST_VIEWS} are needed: hold it at other places, "
                "near the edges too, and at a slant, each time still"
            )
        error, matrix, bent, _, _ = opencv().calibrateCamera(self._points, self._pixels, self._size, None, None)
        k = [float(each) for each in np.ravel(bent)[:5]]
        width, height = self._size
        return Lens(
            width,
            height,
            float(matrix[0, 0]),
            float(matrix[1, 1]),
            float(matrix[0, 2]),
            float(matrix[1, 2]),
            (k[0], k[1], k[2], k[3], k[4]),
            float(error),
        )


def _distance(seen: dict[int, Any], other: dict[int, Any]) -> float:
    """Mean distance of corners that both show (pixels); infinite where there are none."""
    both = [np.linalg.norm(seen[corner] - other[corner]) for corner in seen if corner in other]
    return float(np.mean(both)) if both else inf
