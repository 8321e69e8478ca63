"""From corners in a picture to places in the field, for a camera whose lens and place are known."""

from __future__ import annotations

from math import atan2, cos, sin

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from devs_robotics.hil.camera.camera_plan import Lens, MarkerPlan, Place
from devs_robotics.hil.camera.detection import Corners
from devs_robotics.hil.camera.opencv import CameraError, opencv

Floats = NDArray[np.float64]

ROUNDS = 20
"""Steps in which the bend of a lens is undone; each leaves less than half of the error."""

LEAST_CORNERS = 4
"""Corner markers that have to be seen for the place of a camera."""


class CameraPose(Struct, frozen=True):
    """Where a camera is, as its own picture says.

    Attributes:
        rotation: from the field's axes to the camera's: right, down, ahead (3 rows of 3)
        place: of the camera in the field (m)
        error: root mean square distance of corner markers' corners from where they should be seen (pixels)
    """

    rotation: tuple[tuple[float, float, float], ...]
    place: tuple[float, float, float]
    error: float


def marker_corners(place: Place, size: float, height: float = 0.0) -> Floats:
    """Where the corners of a marker are (m): of its code's upper left corner, clockwise; 4 rows of x, y and z."""
    x, y, heading = place
    ahead = 0.5 * size * np.array([cos(heading), sin(heading), 0.0])
    left = 0.5 * size * np.array([-sin(heading), cos(heading), 0.0])
    middle = np.array([x, y, height])
    return np.array([middle - ahead + left, middle + ahead + left, middle + ahead - left, middle - ahead - left])


def camera_pose(seen: dict[int, Corners], plan: MarkerPlan, lens: Lens) -> CameraPose:
    """Where the camera is, by the corner markers that it sees (IPPE, refined by Levenberg and Marquardt).

    Raises:
        CameraError: fewer of them are seen than are needed; it names those that are not
    """
    missing = unseen_corners(seen, plan)
    known = [marker for marker in plan.corners if marker in seen]
    if len(known) < LEAST_CORNERS:
        names = ", ".join(map(str, missing))
        raise CameraError(
            f"corner marker{'s' if len(missing) > 1 else ''} {names} cannot be seen, so that nobody knows where the "
            "camera is: uncover, light or print anew"
        )
    cv2 = opencv()
    points = np.concatenate([marker_corners(plan.corners[marker], plan.corner_size) for marker in known])
    pixels = np.concatenate([seen[marker] for marker in known])
    matrix, bent = camera_matrix(lens), np.array(lens.distortion)
    _, turn, shift = cv2.solvePnP(points, pixels, matrix, bent, flags=cv2.SOLVEPNP_IPPE)
    if not (np.isfinite(turn).all() and np.isfinite(shift).all()):  # of a camera that looks exactly straight down
        _, turn, shift = cv2.solvePnP(points, pixels, matrix, bent, flags=cv2.SOLVEPNP_ITERATIVE)
    turn, shift = cv2.solvePnPRefineLM(points, pixels, matrix, bent, turn, shift)
    rotation = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
    again, _ = cv2.projectPoints(points, turn, shift, matrix, bent)
    off = np.linalg.norm(again.reshape(-1, 2) - pixels, axis=1)
    place = (-rotation.T @ shift.reshape(3)).tolist()
    rows = tuple((float(row[0]), float(row[1]), float(row[2])) for row in rotation)
    return CameraPose(rows, (place[0], place[1], place[2]), float(np.sqrt(np.mean(off * off))))


def unseen_corners(seen: dict[int, Corners], plan: MarkerPlan) -> tuple[int, ...]:
    """The corner markers that are not among those seen."""
    return tuple(marker for marker in sorted(plan.corners) if marker not in seen)


def on_plane(corners: Corners, height: float, pose: CameraPose, lens: Lens) -> Floats:
    """Where the rays of pixels meet a level plane: rows of x and y (m).

    Args:
        corners: rows of x and y (pixels)
        height: of the plane above the floor (m)
        pose, lens: of the camera
    """
    straight = undistorted(corners, lens)
    rays = np.column_stack([straight, np.ones(len(straight))]) @ np.array(pose.rotation)
    x, y, z = pose.place
    points: Floats = np.array([x, y]) + rays[:, :2] * ((height - z) / rays[:, 2])[:, None]
    return points


def undistorted(pixels: Floats, lens: Lens) -> Floats:
    """What a pinhole of focal length 1 would see: rows of x and y, from rows of pixels.

    OpenCV's function alone takes five steps, which leaves up to a pixel at the edges of a wide lens' pictures.
    """
    cv2, matrix, bent = opencv(), camera_matrix(lens), np.array(lens.distortion)
    wanted = np.ascontiguousarray(pixels, dtype=np.float64).reshape(-1, 2)
    found = np.asarray(cv2.undistortPoints(wanted[:, None, :], matrix, bent), dtype=np.float64).reshape(-1, 2)
    still = np.zeros(3)
    for _ in range(ROUNDS if any(lens.distortion) else 0):
        rays = np.column_stack([found, np.ones(len(found))])
        again = cv2.projectPoints(rays, still, still, matrix, bent)[0].reshape(-1, 2)
        found = found + (wanted - again) / (lens.fx, lens.fy)
    return found


def marker_place(corners: Corners, height: float, pose: CameraPose, lens: Lens) -> Place:
    """Where a level marker at a height is: the mean of its corners, and from its left ones to its right ones."""
    points = on_plane(corners, height, pose, lens)
    middle = points.mean(axis=0)
    ahead = points[1] + points[2] - points[0] - points[3]
    return float(middle[0]), float(middle[1]), atan2(ahead[1], ahead[0])


def camera_matrix(lens: Lens) -> Floats:
    """Its pinhole, as OpenCV has it."""
    return np.array([[lens.fx, 0.0, lens.cx], [0.0, lens.fy, lens.cy], [0.0, 0.0, 1.0]])
