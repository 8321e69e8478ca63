"""What the convoy's measurements come to: the metrics of Hu & Zeigler, section 4.2, and some more."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

import numpy as np
from msgspec import Struct

from experimental_frames.approach import Approaches
from experimental_frames.convoy.formation import Formation
from experimental_frames.convoy.waves import heading_error, synchronisation_delay


class PositionError(Struct, frozen=True):
    """Position error of a whole convoy, after the transient (m).

    Attributes:
        mean_over_all: E averaged over time, over all N robots (equation 7; the leader counts with 0)
        mean_over_followers: the same over the N - 1 robots that can have an error
        maximum_over_all: the largest E
    """

    mean_over_all: float
    mean_over_followers: float
    maximum_over_all: float


class Metrics(Struct, frozen=True):
    """The convoy's metrics; NaN where the run was too short for one.

    Attributes:
        transient_rounds: rounds that were left out at the beginning
        transient_end_s: when the last robot had completed them
        error_at_pose_changes: E sampled at every pose change
        error_at_completed_rounds: each robot sampled at the instant when it completed a round
        largest_error_m: of any one robot at a completed round
        heading_error_rad: how far a follower's heading is off the direction of its front robot at its completed rounds:
            mean absolute angle over followers and rounds, after the transient
        synchronisation_delay_s: time that a wave takes for one place of the line: from the leader's completing a round
            to the last robot's completing the same round, over the N - 1 followers; mean over rounds, after the
            transient
        leader_distance_m: way that the leader has come
        convoy_speed_m_per_s: that way over the time
        adjustments: in all
        adjustments_per_round: on average, over followers and rounds
        adjustments_per_robot: for each robot, the leader first
        rounds_completed: by every robot
        robot_rounds: completed by all robots together
        lost_at_s: when each lost robot was lost, by its number
        smallest_distance_m: between two robots' bodies, edge to edge, on all their ways; NaN if it was not measured
        collisions: how often a body came to touch another one, a wall or an obstacle; None if it was not measured
    """

    transient_rounds: int
    transient_end_s: float
    error_at_pose_changes: PositionError
    error_at_completed_rounds: PositionError
    largest_error_m: float
    heading_error_rad: float
    synchronisation_delay_s: float
    leader_distance_m: float
    convoy_speed_m_per_s: float
    adjustments: int
    adjustments_per_round: float
    adjustments_per_robot: tuple[int, ...]
    rounds_completed: int
    robot_rounds: int
    lost_at_s: dict[int, float]
    smallest_distance_m: float
    collisions: int | None

    @property
    def first_lost_at_s(self) -> float:
        """When the first robot was lost; NaN if none was."""
        return min(self.lost_at_s.values(), default=nan)


def measure(
    formation: Formation,
    transient_rounds: int,
    end_s: float,
    lost_at_s: Mapping[int, float] | None = None,
    approaches: Approaches | None = None,
) -> Metrics:
    """The metrics of a run.

    Args:
        formation: what was measured
        transient_rounds: at the beginning, left out of means
        end_s: of the run (s)
        lost_at_s: when robots were lost, by their numbers; none was, if absent
        approaches: how near bodies came to each other, if that was measured
    """
    robots = len(formation.poses)
    rows = formation.rows
    adjustments = [0] * robots
    rounds = [0] * robots
    transient_end = 0.0
    for row in rows:
        adjustments[row.robot - 1] += row.adjustments
        rounds[row.robot - 1] = row.round
        if row.round == transient_rounds:
            transient_end = max(transient_end, row.time_s)
    completed = min(rounds)
    if completed < transient_rounds:
        transient_end = nan
    followed = sum(rounds[1:])
    return Metrics(
        transient_rounds=transient_rounds,
        transient_end_s=transient_end,
        error_at_pose_changes=_at_pose_changes(formation, transient_end),
        error_at_completed_rounds=_at_completed_rounds(formation, transient_rounds, completed),
        largest_error_m=max((row.error_m for row in rows if row.robot > 1), default=nan),
        heading_error_rad=heading_error(rows, transient_rounds, completed),
        synchronisation_delay_s=synchronisation_delay(rows, robots, transient_rounds, completed),
        leader_distance_m=formation.leader_distance,
        convoy_speed_m_per_s=formation.leader_distance / end_s if end_s else nan,
        adjustments=sum(adjustments),
        adjustments_per_round=sum(adjustments) / followed if followed else nan,
        adjustments_per_robot=tuple(adjustments),
        rounds_completed=completed,
        robot_rounds=sum(rounds),
        lost_at_s=dict(lost_at_s or {}),
        smallest_distance_m=nan if approaches is None else approaches.between_robots,
        collisions=None if approaches is None else approaches.collisions,
    )


def _at_pose_changes(formation: Formation, transient_end: float) -> PositionError:
    times, sums = np.asarray(formation.times), np.asarray(formation.error_sums)
    return _position_error(sums[times > transient_end], len(formation.poses))


def _at_completed_rounds(formation: Formation, transient_rounds: int, completed: int) -> PositionError:
    """Sums over the robots, round by round, of the rounds that every robot has completed."""
    sums = np.zeros(completed + 1)
    for row in formation.rows:
        if row.robot > 1 and row.round <= completed:
            sums[row.round] += row.error_m
    return _position_error(sums[transient_rounds + 1 :], len(formation.poses))


def _position_error(sums: np.ndarray[tuple[int, ...], np.dtype[np.float64]], robots: int) -> PositionError:
    if not sums.size:
        return PositionError(nan, nan, nan)
    mean = float(sums.mean())
    return PositionError(mean / robots, mean / (robots - 1), float(sums.max()) / robots)
