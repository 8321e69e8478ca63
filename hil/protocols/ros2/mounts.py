"""Where sensors are on a robot's body, by its static transforms."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, sin

from devs_robotics.hil.protocols.ros2.fixes import DEEPEST, MOST_FRAMES, Pose, composed
from devs_robotics.hil.protocols.ros2.messages import PlanarTransform

MIDDLE: Pose = (0.0, 0.0, 0.0)
"""In the middle of the body, and ahead: where nothing else is known."""


class SensorMounts:
    """The frames of a robot, as ``tf_static`` tells of them."""

    def __init__(self) -> None:
        self._above: dict[str, PlanarTransform] = {}

    def learn(self, transforms: Iterable[PlanarTransform]) -> None:
        """Frames are somewhere in others."""
        for each in transforms:
            if each.child in self._above or len(self._above) < MOST_FRAMES:
                self._above[each.child] = each

    def of(self, frame: str, base: str) -> Pose:
        """Where a frame is in that of the body (m, m, rad); in its middle if nothing leads from one to the other."""
        (root, pose), (other, body) = self._from_root(frame.lstrip("/")), self._from_root(base.lstrip("/"))
        return composed(_inverse(body), pose) if root == other else MIDDLE

    def _from_root(self, frame: str) -> tuple[str, Pose]:
        """The frame above all others of it, and where it is in that; a circle of frames has none."""
        pose = MIDDLE
        for _ in range(DEEPEST):
            above = self._above.get(frame)
            if above is None:
                return frame, pose
            pose = composed((above.x, above.y, above.heading), pose)
            frame = above.parent
        return "", MIDDLE


def _inverse(pose: Pose) -> Pose:
    x, y, heading = pose
    return -cos(heading) * x - sin(heading) * y, sin(heading) * x - cos(heading) * y, -heading
