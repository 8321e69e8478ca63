"""Markers in pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from devs_robotics.hil.camera.camera_plan import FAMILIES
from devs_robotics.hil.camera.edges import sharpened
from devs_robotics.hil.camera.opencv import CameraError, opencv

Corners = NDArray[np.float64]
"""Four rows of x and y (pixels, from the middle of the upper left one): of the code's upper left corner, clockwise."""

Image = NDArray[np.uint8]
"""Grey levels by row from the top and column from the left; or blue, green and red of each pixel."""


def dictionary(family: str) -> Any:
    """OpenCV's dictionary of a family.

    Raises:
        CameraError: there is no such family, or no OpenCV
    """
    if family not in FAMILIES:
        raise CameraError(f"there is no family {family!r} of markers: take one of {', '.join(FAMILIES)}")
    aruco = opencv().aruco
    return aruco.getPredefinedDictionary(getattr(aruco, FAMILIES[family]))


class MarkerDetector:
    """Finds the markers of a family, with corners to a fraction of a pixel.

    Args:
        family: of `camera_plan.FAMILIES`
        refined: whether corners are refined, those of large markers by their edges

    Attributes:
        twice: ids that were seen twice in the last picture, and so are not told

    Raises:
        CameraError: there is no such family, or no OpenCV
    """

    def __init__(self, family: str, *, refined: bool = True) -> None:
        aruco = opencv().aruco
        parameters = aruco.DetectorParameters()
        parameters.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX if refined else aruco.CORNER_REFINE_NONE
        kind = dictionary(family)
        self._detector = aruco.ArucoDetector(kind, parameters)
        self._cells = int(kind.markerSize) + 2
        self._refined = refined
        self.twice: tuple[int, ...] = ()

    def detect(self, image: Image) -> dict[int, Corners]:
        """The corners of each marker, by its id; ascending."""
        grey = image if image.ndim == 2 else opencv().cvtColor(image, opencv().COLOR_BGR2GRAY)
        quads, ids, _ = self._detector.detectMarkers(grey)
        if ids is None or not len(ids):
            self.twice = ()
            return {}
        found = [int(each) for each in ids.ravel()]
        corners = np.array(quads, dtype=np.float64).reshape(-1, 4, 2)
        if self._refined:
            corners = sharpened(grey, corners, self._cells)
        self.twice = tuple(sorted({each for each in found if found.count(each) > 1}))
        seen = dict(zip(found, corners, strict=True))
        return {each: seen[each] for each in sorted(seen) if each not in self.twice}
