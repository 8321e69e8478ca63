"""The transducer that keeps where robots go: for pictures from above, and for who wants to measure afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from devs_robotics import Atomic, In
from devs_robotics.core.tables import Table
from devs_robotics.models.environment import Pose, PoseChange


class TrackRow(Struct, frozen=True):
    """Where a robot stands from a time on."""

    time_s: float
    robot: int
    x_m: float
    y_m: float
    heading_rad: float


TRACKS_HEADER = ",".join(TrackRow.__struct_fields__)


class Tracks(Atomic):
    """Keeps every pose of every robot.

    Args:
        poses: where the robots stand at first, robot 1 first

    Attributes:
        poses: the same
        rows: one for each pose change
    """

    pose_change = In(PoseChange)

    def __init__(self, name: str, poses: Sequence[Pose]) -> None:
        super().__init__(name)
        self.poses = tuple(poses)
        self.rows: Table[TrackRow] = Table(TrackRow)
        self._time = 0.0

    def deltext(self, e: float) -> None:
        """Keep the new poses."""
        self._time += e
        for change in self.pose_change.values:
            self.rows.append(TrackRow(self._time, change.robot, change.x, change.y, change.heading))


def track_lines(tracks: Tracks, first: int = 0) -> Iterator[str]:
    """One line per pose change, from number `first` on."""
    for block in tracks.rows.blocks(first):
        for row in block.tolist():
            yield ",".join(map(repr, row))
