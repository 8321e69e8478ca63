"""Many equal bodies in arrays, as they stand at first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from devs_robotics import ModelError
from devs_robotics.models.environment.motion.trajectory import Pose


class Crowd:
    """Round bodies of one size.

    Args:
        poses: of each x (m), y (m) and heading (rad): an array of three columns, or one pose after the other
        radius: of all (m)

    Raises:
        ModelError: a pose is no three finite numbers
    """

    def __init__(self, poses: Iterable[Pose] | Any, radius: float) -> None:
        import numpy as np  # slow to load, and most fields do without

        given = poses if isinstance(poses, np.ndarray) else list(poses)
        self.poses = np.asarray(given, np.float64)
        self.radius = radius
        if self.poses.ndim != 2 or self.poses.shape[1] != 3 or not np.isfinite(self.poses).all():
            raise ModelError("poses of robots must be x (m), y (m) and heading (rad), three finite numbers for each")

    def __len__(self) -> int:
        return len(self.poses)

    def __iter__(self) -> Iterator[Pose]:
        """Where each stands."""
        return ((x, y, heading) for x, y, heading in self.poses.tolist())

    def pose(self, place: int) -> Pose:
        """Where one stands."""
        x, y, heading = self.poses[place].tolist()
        return x, y, heading

    def columns(self) -> tuple[Any, Any, Any, Any]:
        """x (m), y (m), heading (rad) and radius (m) of each."""
        import numpy as np

        x, y, heading = self.poses.T
        return x, y, heading, np.full(len(x), self.radius)
