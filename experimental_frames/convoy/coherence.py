"""The coherence of a convoy, from what its frame has measured."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from devs_robotics.experimental_frames.coherence.verdict import DEFAULT, Coherence, Criteria, coherence
from devs_robotics.experimental_frames.convoy import Formation, error_sums_by_round, rounds_completed
from devs_robotics.experimental_frames.statistics.series import Array


def errors_by_round(formation: Formation) -> tuple[Array, Array]:
    """The numbers of the rounds that every robot has completed, and the followers' mean position error in each (m).

    Each follower counts once per round, at the instant when it has completed it. The errors after each pose change,
    which a formation has too, are not what a trend can be read from: they are crowded where robots adjust, so that
    trouble counts more, and they rise and fall with the waves along the line, by up to a step of the leader.
    """
    rounds = min(rounds_completed(formation))
    errors = error_sums_by_round(formation, rounds) / (len(formation.poses) - 1)
    return np.arange(1.0, rounds + 1.0), errors


def coherence_of(
    formation: Formation,
    robots_lost: Collection[int],
    margin: float,
    transient_rounds: int | None = None,
    criteria: Criteria = DEFAULT,
) -> Coherence:
    """The verdict on a convoy's run.

    Args:
        formation: what was measured
        robots_lost: their numbers
        margin: of the followers' mean position error (m), as `sight_margin` gives it
        transient_rounds: to leave out; absent: MSER-5 finds them
        criteria: how sure the verdict is to be

    Raises:
        StatisticsError: the margin is none
    """
    times, errors = errors_by_round(formation)
    return coherence(times, errors, robots_lost, margin, transient=transient_rounds, criteria=criteria)
