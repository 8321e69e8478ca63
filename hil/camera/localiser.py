"""Where robots are, picture by picture."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from devs_robotics.hil.camera.camera_plan import Lens, MarkerPlan, Place, on_a_line
from devs_robotics.hil.camera.detection import Corners, Image, MarkerDetector
from devs_robotics.hil.camera.geometry import CameraPose, camera_pose, marker_place, unseen_corners
from devs_robotics.hil.camera.opencv import CameraError

KNOCKED = 2.0
"""Distance by which a corner marker's corner may be off its mean before the camera has been moved (pixels)."""

LONGEST_MEAN = 50
"""Pictures over which the corner markers' corners are taken together."""


class LookedAt(Struct, frozen=True):
    """What a picture says.

    Attributes:
        places: of each robot that is seen, by its number
        covered: corner markers that are not seen; the camera's place is that of earlier pictures then
        strange: ids of markers that belong to no robot of the plan
        twice: ids that are seen twice, and so not told
        moved: whether the camera has been moved while a corner marker is covered, so that nobody is told of
    """

    places: dict[int, Place]
    covered: tuple[int, ...] = ()
    strange: tuple[int, ...] = ()
    twice: tuple[int, ...] = ()
    moved: bool = False


class Localiser:
    """Finds robots in the pictures of one camera, which may be knocked, and of which a corner marker may be covered.

    Its place follows from the corner markers in the pictures in which all are seen, taken together; where one is
    covered, it stays as it was.

    Args:
        plan: of the markers
        lens: of the camera
        refined: whether corners are refined

    Attributes:
        pose: of the camera; None: not yet known
        seen: corners of the markers in the last picture, by their ids
        pictures: how many have been taken together for it

    Raises:
        CameraError: the plan cannot be, or there is no OpenCV
    """

    def __init__(self, plan: MarkerPlan, lens: Lens, *, refined: bool = True) -> None:
        _check(plan)
        self.plan = plan
        self.lens = lens
        self.pose: CameraPose | None = None
        self.pictures = 0
        self.seen: dict[int, Corners] = {}
        self._detector = MarkerDetector(plan.family, refined=refined)
        self._means: dict[int, Corners] = {}

    def look(self, image: Image) -> LookedAt:
        """Find the robots in a picture.

        Raises:
            CameraError: the picture has another size than the lens, or nobody knows yet where the camera is
        """
        if image.shape[:2] != (self.lens.height, self.lens.width):
            raise CameraError(
                f"a picture of {image.shape[1]} x {image.shape[0]} pixels came, and the lens is that of "
                f"{self.lens.width} x {self.lens.height}: calibrate the lens with pictures of this size"
            )
        seen, plan = self._detector.detect(image), self.plan
        self.seen = seen
        covered = unseen_corners(seen, plan)
        if not covered or self.pose is None:
            self._place_camera(seen)
        assert self.pose is not None
        if covered and self._is_knocked(seen):
            return LookedAt({}, covered, twice=self._detector.twice, moved=True)
        places = {
            plan.robots[marker]: marker_place(corners, plan.height, self.pose, self.lens)
            for marker, corners in seen.items()
            if marker in plan.robots
        }
        strange = tuple(marker for marker in seen if marker not in plan.robots and marker not in plan.corners)
        return LookedAt(places, covered, strange, self._detector.twice)

    def _place_camera(self, seen: dict[int, Corners]) -> None:
        corners = {marker: seen[marker] for marker in self.plan.corners if marker in seen}
        if self._is_knocked(corners):
            self._means = {}
        if not self._means:
            self.pictures = 0
        pictures = min(self.pictures + 1, LONGEST_MEAN)
        means = {
            marker: self._means[marker] + (each - self._means[marker]) / pictures if marker in self._means else each
            for marker, each in corners.items()
        }
        self.pose = camera_pose(means, self.plan, self.lens)
        self._means, self.pictures = means, pictures

    def _is_knocked(self, seen: dict[int, Corners]) -> bool:
        """Whether corner markers are not where they were."""
        return any(
            np.abs(mean - seen[marker]).max() > KNOCKED for marker, mean in self._means.items() if marker in seen
        )


def _check(plan: MarkerPlan) -> None:
    if both := sorted(set(plan.robots) & set(plan.corners)):
        raise CameraError(f"marker {both[0]} is a robot's and lies in a corner: give one of them another id")
    if len(set(plan.robots.values())) < len(plan.robots):
        raise CameraError("two markers are those of one robot: give each robot one")
    if len(plan.corners) < 4:
        raise CameraError(f"a camera needs four corner markers, not {len(plan.corners)}: say where four lie")
    if on_a_line(plan.corners.values()):
        raise CameraError("the corner markers lie on one line, by which no camera's place can be told: spread them")
