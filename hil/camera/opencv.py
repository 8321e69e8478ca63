"""OpenCV, which is loaded when it is used, and missing where nobody has asked for it."""

from __future__ import annotations

from types import ModuleType

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.extras import needed

OLD = "cameras need OpenCV 4.7 or newer, with its ArUco markers: pip install --upgrade opencv-python-headless"


class CameraError(DevsRoboticsError):
    """What a camera, or its pictures, cannot do."""


def opencv() -> ModuleType:
    """The module.

    Raises:
        CameraError: it is not installed, or too old
    """
    with needed("cameras need", CameraError):
        import cv2
    if not hasattr(getattr(cv2, "aruco", None), "CharucoDetector"):
        raise CameraError(OLD)
    return cv2
