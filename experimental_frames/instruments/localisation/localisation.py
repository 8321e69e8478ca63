"""The transducer that holds dead reckoning and the environment model against what a tracking system sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, hypot, inf, pi, remainder, sin

from msgspec import Struct

from devs_robotics import Atomic, Fix, In, TrackChange
from devs_robotics.core.tables import Table
from devs_robotics.models.environment import ArcMotion, Motion, Pose, PoseChange


class FixRow(Struct, frozen=True):
    """One robot at the instant of a fix; errors are what is believed less what was seen, positions as distances.

    Attributes:
        x_m, y_m, heading_rad: as the tracking system saw it
        odom_error_m, odom_heading_error_rad: of dead reckoning from the motions that the robot reported
        map_error_m, map_heading_error_rad: of its counterpart in the environment model, before this fix corrected it
    """

    time_s: float
    robot: int
    x_m: float
    y_m: float
    heading_rad: float
    odom_error_m: float
    odom_heading_error_rad: float
    map_error_m: float
    map_heading_error_rad: float


class Localisation(Atomic):
    """Measures the errors of two beliefs where each real robot is, in the terms of REP-105.

    `odom` adds up the motions that the robot reported: it jumps never and drifts without bound. `map` is the robot's
    counterpart in the environment model: where fixes correct it, it jumps and does not drift. A fix is taken for the
    truth, so that errors contain the tracking system's own.

    Fixes have to be of robots at rest: the counterpart makes each motion at once, when the robot has ended it. What
    comes at one instant is taken in the order motions, fixes; the map is asked for a robot's pose when its
    counterpart has made all motions that were reported before the fix.

    Args:
        poses: where each real robot stands at first, by its number

    Attributes:
        odom: where dead reckoning has each robot now
        map: where its counterpart is now
        rows: one for each fix
        losses: how often the tracking system has lost each robot, of those that it has lost
    """

    pose_change = In(PoseChange)
    reported: In[Motion | ArcMotion] = In(Motion | ArcMotion)
    fixed = In(Fix)
    track = In(TrackChange)

    def __init__(self, name: str, poses: Mapping[int, Pose]) -> None:
        super().__init__(name)
        self.odom = dict(poses)
        self.map = dict(poses)
        self.rows = Table(FixRow)
        self.losses: dict[int, int] = {}
        self._time = 0.0
        self._pending: dict[int, int] = dict.fromkeys(poses, 0)
        """Motions of each robot that its counterpart has still to make."""
        self._waiting: dict[int, list[tuple[Fix, float, Pose]]] = {robot: [] for robot in poses}
        """Fixes that came after such motions, each with its time and what dead reckoning said then."""

    def deltext(self, e: float) -> None:
        """Take what the environment did in answer to what came before, then what has come now."""
        self._time += e
        for change in self.pose_change.values:
            if change.robot in self.map:
                self._follow(change)
        for motion in self.reported.values:
            if motion.robot in self.odom:
                self._add(motion)
        for fix in self.fixed.values:
            if fix.robot in self.odom:
                self._see(fix)
        for track in self.track.values:
            if not track.sure:
                self.losses[track.robot] = self.losses.get(track.robot, 0) + 1
        self.sigma = inf

    def _add(self, motion: Motion | ArcMotion) -> None:
        robot = motion.robot
        x, y, heading = self.odom[robot]
        if isinstance(motion, ArcMotion):
            self.odom[robot] = motion.end(x, y, heading)
        else:
            heading = remainder(heading + motion.turn, 2.0 * pi)
            self.odom[robot] = (x + motion.distance * cos(heading), y + motion.distance * sin(heading), heading)
        if motion.turn or motion.distance:  # the environment says nothing of a motion that is none
            self._pending[robot] += 1

    def _follow(self, change: PoseChange) -> None:
        robot = change.robot
        self.map[robot] = (change.x, change.y, change.heading)
        if self._pending[robot]:
            self._pending[robot] -= 1
        if not self._pending[robot]:
            for fix, time, odom in self._waiting[robot]:
                self._compare(fix, time, odom)
            self._waiting[robot].clear()

    def _see(self, fix: Fix) -> None:
        if self._pending[fix.robot]:
            self._waiting[fix.robot].append((fix, self._time, self.odom[fix.robot]))
        else:
            self._compare(fix, self._time, self.odom[fix.robot])

    def _compare(self, fix: Fix, time: float, odom: Pose) -> None:
        self.rows.append(
            FixRow(
                time,
                fix.robot,
                fix.x,
                fix.y,
                fix.heading,
                *_difference(odom, fix),
                *_difference(self.map[fix.robot], fix),
            )
        )


def _difference(pose: Pose, fix: Fix) -> tuple[float, float]:
    """Distance (m), and how far the heading is turned counter-clockwise from the one seen (rad)."""
    x, y, heading = pose
    return hypot(x - fix.x, y - fix.y), remainder(heading - fix.heading, 2.0 * pi)


LOCALISATION_HEADER = ",".join(FixRow.__struct_fields__)
"""The first line of the table of fixes as CSV."""


def localisation_lines(localisation: Localisation, first: int = 0) -> Iterator[str]:
    """The table of fixes as lines of CSV, from number `first` on: the same bytes for the same measurements."""
    for block in localisation.rows.blocks(first):
        for row in block.tolist():
            yield ",".join(map(repr, row))


def localisation_csv(localisation: Localisation) -> str:
    """The table of fixes as a CSV text."""
    return "\n".join([LOCALISATION_HEADER, *localisation_lines(localisation)]) + "\n"
