"""OpenCV, which is loaded when it is used, and missing where nobody has asked for it."""

from __future__ import annotations

from types import ModuleType

from devs_robotics.core.errors import DevsRoboticsError

MISSING = "cameras need OpenCV, which is not installed: pip install 'devs-robotics[camera]'"
OLD = "cameras need OpenCV 4.7 or newer, with its ArUco markers: pip install --upgrade opencv-python-headless"


class CameraError(DevsRoboticsError):
    """What a camera, or its pictures, cannot do."""


def opencv() -> ModuleType:
    """The module.

    Raises:
        CameraError: it is not installed, or too old
    """
    try:
        import cv2
    except ImportError as error:
        raise CameraError(MISSING) from error
    if not hasattr(getattr(cv2, "aruco", None), "CharucoDetector"):
        raise CameraError(OLD)
    return cv2
