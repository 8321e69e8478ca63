"""Levels 3 and 4: whether a whole team did what it is for; how its robots did it is not asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import isnan

from devs_robotics.experimental_frames.coherence import Coherence
from devs_robotics.experimental_frames.conformance.records import Finding
from devs_robotics.experimental_frames.convoy import Metrics, RoundRow

SETTLED = 240
"""Rounds without which an error that rises, or is large, is not held against a team.

A formation's error takes its time to come to its level, some 40 rounds of 30 robots with the most noise, so that the
error of a short run rises although it is bounded.
"""


def is_settled(rounds: int, robots_lost: Collection[int], coherence: Coherence) -> bool:
    """Whether a longer run would say no more of a formation than one of so many rounds."""
    return coherence.verdict == "coherent" or bool(robots_lost) or (coherence.verdict == "not" and rounds >= SETTLED)


def rounds_ahead(rows: Sequence[RoundRow], robots: int) -> int:
    """By how many rounds one of so many robots was ahead of its back robot at most; by the protocol, one."""
    rounds = [0] * robots
    most = 0
    at = None
    for row in rows:
        if row.time_s != at:  # what was completed at one instant has no order
            most = max(most, _most(rounds))
            at = row.time_s
        rounds[row.robot - 1] = row.round
    return max(most, _most(rounds))


def _most(rounds: Sequence[int]) -> int:
    return max((front - back for front, back in pairwise(rounds)), default=0)


def task(
    title: str,
    rounds: int,
    rows: Sequence[RoundRow],
    metrics: Metrics,
    robots_lost: dict[int, str],
    coherence: Coherence,
    remedy: str,
) -> Iterator[Finding]:
    """Whether the team did its task.

    Args:
        title: of the situation
        rounds: wanted
        rows: of completed rounds, in their order
        metrics: of the run
        robots_lost: why, by robot
        coherence: the verdict on the formation
        remedy: what to do where the run is too short for one
    """
    lost = "; ".join(f"robot {robot}, {why}" for robot, why in robots_lost.items())
    ahead = rounds_ahead(rows, len(metrics.adjustments_per_robot))
    delay = metrics.synchronisation_delay_s
    yield Finding(f"{title}: rounds", metrics.rounds_completed >= rounds, f"{metrics.rounds_completed} of {rounds}")
    yield Finding(f"{title}: robots lost", not robots_lost, lost or "none")
    yield Finding(
        f"{title}: synchronisation",
        ahead <= 1,
        f"{ahead} round{'s' if ahead != 1 else ''} ahead at most; "
        + ("no wave came through" if isnan(delay) else f"a wave takes {delay:.2f} s per robot"),
    )
    yield formation(f"{title}: formation", metrics.rounds_completed, robots_lost, coherence, remedy)


def formation(title: str, rounds: int, lost: Collection[int], coherence: Coherence, remedy: str) -> Finding:
    """What is held against a formation, or left undecided, after so many rounds."""
    if coherence.verdict == "coherent":
        return Finding(title, True, "coherent")
    why = "; ".join(coherence.reasons)
    if is_settled(rounds, lost, coherence):
        return Finding(title, False, f"not coherent: {why}")
    return Finding(title, None, f"undecided, {rounds} rounds are too few: {why}; {remedy}")
