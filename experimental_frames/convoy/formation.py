"""The transducer of the convoy's frame: how well the robots keep their formation (Hu & Zeigler, section 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, inf, nan, pi, remainder, sin

from msgspec import Struct

from devs_robotics import Atomic, In, Out
from devs_robotics.core.tables import GrowingColumn, Table
from devs_robotics.experimental_frames.frame import Measurements
from devs_robotics.models.convoy import RoundDone
from devs_robotics.models.environment import Pose, PoseChange


class RoundRow(Struct, frozen=True):
    """One robot at the instant when it completed a round; gap, bearing and error are NaN for the leader.

    Attributes:
        gap_m: distance to the front robot, centre to centre
        bearing_rad: direction of the front robot from the own heading
        error_m: distance to the desired position (equation 4)
    """

    round: int
    robot: int
    time_s: float
    x_m: float
    y_m: float
    heading_rad: float
    gap_m: float
    bearing_rad: float
    error_m: float
    adjustments: int


class Parted(Struct, frozen=True):
    """A robot has completed a round further from its front robot than the frame allows (m)."""

    robot: int
    gap: float


class Formation(Atomic):
    """Measures position errors at every pose change and at completed rounds.

    Args:
        poses: where the robots stand at first, the leader first
        spacing: desired distance D between neighbours (m)
        parted: a robot that completes a round further than this from its front robot has lost it (m)

    Attributes:
        poses: where the robots stand now
        times: of the pose changes (s)
        error_sums: the sum of all robots' position errors after each pose change (m)
        rows: one for each completed round of each robot
        leader_distance: way that the leader has come (m)
    """

    pose_change = In(PoseChange)
    round_done = In(RoundDone)
    parted = Out(Parted)

    def __init__(self, name: str, poses: Sequence[Pose], spacing: float, parted: float) -> None:
        super().__init__(name)
        self.spacing = spacing
        self.poses = list(poses)
        self.times = GrowingColumn()
        self.error_sums = GrowingColumn()
        self.rows = Table(RoundRow)
        self.leader_distance = 0.0
        self._limit = parted
        self._errors = [self._error(follower) for follower in range(len(poses))]
        self._sum = sum(self._errors)
        self._time = 0.0
        self._parted: list[Parted] = []

    def measurements(self) -> dict[str, Measurements]:
        """Completed rounds, and position errors over time."""
        from devs_robotics.experimental_frames.convoy.tables import measurements  # which knows formations, too

        return measurements(self)

    def deltext(self, e: float) -> None:
        """Take new poses into account, then the rounds that were completed with them."""
        self._time += e
        for change in self.pose_change.values:
            self._move(change)
        for done in self.round_done.values:
            row = self._row(done)
            self.rows.append(row)
            if row.gap_m > self._limit:
                self._parted.append(Parted(done.robot, row.gap_m))
        self.sigma = 0.0 if self._parted else inf

    def lambdaf(self) -> None:
        """Tell which robots have lost their front robot."""
        for parted in self._parted:
            self.parted.add(parted)

    def deltint(self) -> None:
        """Wait for the next change."""
        self._parted.clear()
        self.sigma = inf

    def _move(self, change: PoseChange) -> None:
        index = change.robot - 1
        if index == 0:
            x, y, _ = self.poses[0]
            self.leader_distance += hypot(change.x - x, change.y - y)
        self.poses[index] = (change.x, change.y, change.heading)
        for follower in (index, index + 1):  # a robot's pose counts for itself and for the one behind it
            if 0 < follower < len(self.poses):
                error = self._error(follower)
                self._sum += error - self._errors[follower]
                self._errors[follower] = error
        self.times.append(self._time)
        self.error_sums.append(self._sum)

    def _error(self, follower: int) -> float:
        """Distance of a robot from the point D behind its front robot (equations 4 to 6); 0 for the leader."""
        if follower == 0:
            return 0.0
        x, y, heading = self.poses[follower - 1]
        own_x, own_y, _ = self.poses[follower]
        return hypot(own_x - (x - self.spacing * cos(heading)), own_y - (y - self.spacing * sin(heading)))

    def _row(self, done: RoundDone) -> RoundRow:
        x, y, heading = self.poses[done.robot - 1]
        gap = bearing = error = nan
        if done.robot > 1:
            front_x, front_y, _ = self.poses[done.robot - 2]
            gap = hypot(front_x - x, front_y - y)
            bearing = remainder(atan2(front_y - y, front_x - x) - heading, 2.0 * pi)
            error = self._errors[done.robot - 1]
        return RoundRow(done.round, done.robot, self._time, x, y, heading, gap, bearing, error, done.adjustments)
