"""What the convoy's measurements come to: the metrics of Hu & Zeigler, section 4.2, and some more."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from math import isnan, nan

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.convoy.formation import Formation
from devs_robotics.experimental_frames.convoy.waves import heading_error, synchronisation_delay
from devs_robotics.experimental_frames.frame.metric import Metric, metric, metrics_of
from devs_robotics.experimental_frames.frame.run_metrics import (
    collision_count,
    processor_time,
    simulated_time,
    smallest_distance,
    transition_count,
)
from devs_robotics.experimental_frames.instruments.approach import Approached, Approaches

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


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


NOTHING = PositionError(nan, nan, nan)


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
    approaches: Approaches | Approached | None = None,
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
    rounds = rounds_completed(formation)
    adjustments = np.zeros(robots, np.int64)
    transient_end, largest_error = 0.0, nan
    for block in rows.blocks():
        np.add.at(adjustments, block["robot"] - 1, block["adjustments"])
        transient_end = block["time_s"].max(where=block["round"] == transient_rounds, initial=transient_end)
        largest_error = np.fmax.reduce(block["error_m"], initial=largest_error)  # the leader has none
    completed = min(rounds)
    if completed < transient_rounds:
        transient_end = nan
    followed, adjusted = sum(rounds[1:]), int(adjustments.sum())
    return Metrics(
        transient_rounds=transient_rounds,
        transient_end_s=float(transient_end),
        error_at_pose_changes=_at_pose_changes(formation, transient_end),
        error_at_completed_rounds=_at_completed_rounds(formation, transient_rounds, completed),
        largest_error_m=float(largest_error),
        heading_error_rad=heading_error(rows, transient_rounds, completed),
        synchronisation_delay_s=synchronisation_delay(rows, robots, transient_rounds, completed),
        leader_distance_m=formation.leader_distance,
        convoy_speed_m_per_s=formation.leader_distance / end_s if end_s else nan,
        adjustments=adjusted,
        adjustments_per_round=adjusted / followed if followed else nan,
        adjustments_per_robot=tuple(adjustments.tolist()),
        rounds_completed=completed,
        robot_rounds=sum(rounds),
        lost_at_s=dict(lost_at_s or {}),
        smallest_distance_m=nan if approaches is None else approaches.between_robots,
        collisions=None if approaches is None else approaches.collisions,
    )


def rounds_completed(formation: Formation) -> list[int]:
    """How many rounds each robot has completed, the leader first."""
    rounds = np.zeros(len(formation.poses), np.int64)
    for block in formation.rows.blocks():
        np.maximum.at(rounds, block["robot"] - 1, block["round"])
    counts: list[int] = rounds.tolist()
    return counts


def error_sums_by_round(formation: Formation, completed: int) -> Array:
    """The followers' position errors (m), added up for each of the first rounds, which every robot has completed."""
    sums = np.zeros(completed + 1)
    for block in formation.rows.blocks():
        counts = (block["robot"] > 1) & (block["round"] <= completed)
        np.add.at(sums, block["round"][counts], block["error_m"][counts])
    return sums[1:]


def _at_pose_changes(formation: Formation, transient_end: float) -> PositionError:
    sums = formation.error_sums
    first = len(sums) if isnan(transient_end) else bisect_right(formation.times, transient_end)
    if first == len(sums):
        return NOTHING
    return _position_error(sums.mean(first), sums.max(first), len(formation.poses))


def _at_completed_rounds(formation: Formation, transient_rounds: int, completed: int) -> PositionError:
    """Sums over the robots, round by round, of the rounds that every robot has completed."""
    sums = error_sums_by_round(formation, completed)[transient_rounds:]
    return _position_error(float(sums.mean()), float(sums.max()), len(formation.poses)) if sums.size else NOTHING


def _position_error(mean: float, largest: float, robots: int) -> PositionError:
    return PositionError(mean / robots, mean / (robots - 1), largest / robots)


class Measures(Struct, frozen=True):
    """The declared metrics of a convoy's run, in the order of a sweep's table.

    Args:
        metrics: what the frame measured
        lost: number of robots lost
        verdict: gives the verdict on the formation's coherence, in a word; asked only where it is wanted
        end_s: simulated time at the end (s)
        model_transitions: of all models
        processor_s: processor time of the simulation (s)
    """

    metrics: Metrics
    lost: int
    verdict: Callable[[], str]
    end_s: float
    model_transitions: int
    processor_s: float

    @metric("mean position error E", unit="cm", better="less", brief="E")
    def error_at_pose_changes_m(self) -> float:
        """Over all robots, sampled at every pose change (equation 7)."""
        return self.metrics.error_at_pose_changes.mean_over_all

    @metric("mean position error of the followers", unit="cm", better="less")
    def error_at_pose_changes_followers_m(self) -> float:
        """The same over the robots that can have an error."""
        return self.metrics.error_at_pose_changes.mean_over_followers

    @metric("mean position error at completed rounds", unit="cm", better="less", brief="E")
    def error_at_completed_rounds_m(self) -> float:
        """Each robot sampled at the instant when it completed a round."""
        return self.metrics.error_at_completed_rounds.mean_over_all

    @metric("mean position error of the followers at completed rounds", unit="cm", better="less")
    def error_at_completed_rounds_followers_m(self) -> float:
        """The same over the robots that can have an error."""
        return self.metrics.error_at_completed_rounds.mean_over_followers

    @metric("largest position error of one robot at a completed round", unit="cm", better="less", brief="largest")
    def largest_error_m(self) -> float:
        """Of any one robot."""
        return self.metrics.largest_error_m

    @metric("mean heading error at completed rounds", unit="deg", better="less")
    def heading_error_rad(self) -> float:
        """Of a follower's heading from the direction of its front robot."""
        return self.metrics.heading_error_rad

    @metric("synchronisation delay per robot", unit="s", digits=2, better="less", brief="a wave takes")
    def synchronisation_delay_s(self) -> float:
        """Time that a wave takes for one place of the line."""
        return self.metrics.synchronisation_delay_s

    @metric("convoy speed", unit="cm/s", digits=2, better="more", brief="speed")
    def convoy_speed_m_per_s(self) -> float:
        """Way of the leader over the time."""
        return self.metrics.convoy_speed_m_per_s

    @metric("adjustments per follower and round", digits=2, better="less", brief="adjustments per round")
    def adjustments_per_round(self) -> float:
        """On average."""
        return self.metrics.adjustments_per_round

    @metric("robots lost", digits=0, better="less", rare=True, even_rejected=True)
    def robots_lost(self) -> int:
        """By the end."""
        return self.lost

    @metric("first robot lost at", unit="s", better="more", rare=True, even_rejected=True)
    def first_lost_at_s(self) -> float:
        """NaN if none was."""
        return self.metrics.first_lost_at_s

    @smallest_distance
    def smallest_distance_m(self) -> float:
        """Edge to edge, on all ways of two robots; NaN if it was not measured."""
        return self.metrics.smallest_distance_m

    @collision_count
    def collisions(self) -> float:
        """With other robots, walls and obstacles; NaN if they were not counted."""
        return nan if self.metrics.collisions is None else self.metrics.collisions

    @metric("rounds completed by every robot", digits=0, better="more", even_rejected=True)
    def rounds_completed(self) -> int:
        """So many waves have run through the whole line."""
        return self.metrics.rounds_completed

    @metric("rounds completed by all robots together", digits=0, even_rejected=True)
    def robot_rounds(self) -> int:
        """What a run costs is about proportional to them."""
        return self.metrics.robot_rounds

    @metric("formation coherence", words=("coherent", "undecided", "not"), brief="formation")
    def coherence(self) -> str:
        """The verdict on the formation."""
        return self.verdict()

    @simulated_time
    def simulated_s(self) -> float:
        """At the end of the run."""
        return self.end_s

    @transition_count
    def transitions(self) -> int:
        """A confluent one is one."""
        return self.model_transitions

    @processor_time
    def cpu_s(self) -> float:
        """Of the simulation, its frame included."""
        return self.processor_s

    @metric("processor time per robot and round", unit="µs", digits=0, better="less", even_rejected=True)
    def cpu_per_robot_round_s(self) -> float:
        """NaN if no robot completed one."""
        return self.processor_s / self.metrics.robot_rounds if self.metrics.robot_rounds else nan


METRICS = metrics_of(Measures)
"""In the order of a sweep's table, where further frames' results (``frames.NAME.KEY``) come after them."""


def metric_named(name: str) -> Metric:
    """One of them, by its name."""
    return next(each for each in METRICS if each.name == name)
