"""What the paper's figures are made from: runs, and averages over their seeds with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan, nan

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.report.thinning import Floats
from devs_robotics.experimental_frames.statistics.means import mean_over_replications
from devs_robotics.models.environment import Pose

Noise = tuple[float, float]
"""DNF, ANF."""


class PaperRun(Struct, frozen=True):
    """One run.

    Attributes:
        noise, robots, seed: which one it is
        ended: accepted, rejected or failed
        reason: why it was over
        average_m: E over all robots and pose changes after the transient (m); NaN where it was over before that
        errors_m: E in each stretch of robot moves (m)
    """

    noise: Noise
    robots: int
    seed: int
    ended: str
    reason: str
    average_m: float
    errors_m: Floats

    @property
    def counts(self) -> bool:
        """Whether it enters averages: only convoys that held together have a formation to speak of."""
        return self.ended == "accepted" and not isnan(self.average_m)


class Snapshot(Struct, frozen=True):
    """Where the robots of a convoy are at one instant, and where they have been.

    Attributes:
        round: that the last robot has just completed
        time_s: simulated
        poses: the leader first
        tracks: of each robot, at its completed rounds (m)
    """

    round: int
    time_s: float
    poses: tuple[Pose, ...]
    tracks: tuple[tuple[tuple[float, float], ...], ...]


FEWEST_RUNS = 3
"""Of two runs, Student's interval is so wide that it says nothing."""


class Band(Struct, frozen=True):
    """Means over independent runs and their confidence intervals, point by point; NaN where fewer than three count.

    Attributes:
        mean, low, high: one entry per point
        runs: how many
    """

    mean: Floats
    low: Floats
    high: Floats
    runs: int

    @property
    def has_intervals(self) -> bool:
        """Whether enough runs count."""
        return self.runs >= FEWEST_RUNS


def band(rows: Sequence[Floats]) -> Band:
    """Each column's mean with its 95 % interval (Student's); rows are runs that are independent of each other."""
    if not rows:
        return Band(np.empty(0), np.empty(0), np.empty(0), 0)
    values = np.vstack(rows)
    if len(values) < FEWEST_RUNS:
        nothing = np.full(values.shape[1], nan)
        return Band(values.mean(axis=0), nothing, nothing, len(values))
    means = [mean_over_replications(column) for column in values.T]
    low, high = ([getattr(mean.interval, end) for mean in means] for end in ("low", "high"))
    return Band(values.mean(axis=0), np.array(low), np.array(high), len(values))


def point(values: Iterable[float]) -> Band:
    """The same of single numbers: a band with one point."""
    return band([np.array([value]) for value in values])


def of(runs: Iterable[PaperRun], noise: Noise, robots: int) -> list[PaperRun]:
    """The runs at these settings that count, by their seeds."""
    return sorted(
        (run for run in runs if run.noise == noise and run.robots == robots and run.counts), key=lambda run: run.seed
    )


def ratios(runs: Sequence[PaperRun], reference: Sequence[PaperRun]) -> list[float]:
    """E of each run by that of the reference's run with the same seed, which has the same random numbers."""
    by_seed = {run.seed: run.average_m for run in reference}
    return [run.average_m / by_seed[run.seed] for run in runs if run.seed in by_seed]
