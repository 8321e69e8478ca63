"""Which runs of a sweep count for a metric, and why the others do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isnan

from msgspec import Struct

from devs_robotics.experimental_frames.sweep.reading import Row, number

MOST_LEFT_OUT = 0.2
"""Largest share of runs that may be left out before a conclusion is withheld.

What is left out is the worst. Where the worst fifth of normal values is missing, the mean of the others is low by a
third of their standard deviation: as much as the standard error of eight runs.
"""

OF_BROKEN_CONVOYS = {
    "robots_lost",
    "first_lost_at_s",
    "collisions",
    "rounds_completed",
    "robot_rounds",
    "simulated_s",
    "transitions",
    "cpu_s",
    "cpu_per_robot_round_s",
}
"""Metrics that say the same of a run in which the convoy broke up as of others."""


class Counted(Struct, frozen=True):
    """The runs that count for a metric.

    Attributes:
        rows: those that count
        runs: how many there are in all
        left_out: how many do not count, by why
        worst_share: largest share of runs of one design point that do not count
    """

    rows: tuple[Row, ...]
    runs: int
    left_out: dict[str, int]
    worst_share: float

    @property
    def too_few(self) -> bool:
        """Whether too many are left out for a conclusion."""
        return not self.rows or self.worst_share > MOST_LEFT_OUT

    @property
    def note(self) -> str:
        """How many are left out, and why, in words; empty if none is."""
        if not self.left_out:
            return ""
        left_out = sum(self.left_out.values())
        why = ", ".join(f"{times} {reason}" for reason, times in self.left_out.items())
        return f"{left_out} of {self.runs} runs {'is' if left_out == 1 else 'are'} left out ({why})"


def counted(rows: Sequence[Row], metric: str) -> Counted:
    """Those of the rows that count for a metric.

    A run in which the convoy broke up ended early, so that its averages are not those of the others; only metrics
    that are not averages over a formation (`OF_BROKEN_CONVOYS`) are taken from it.
    """
    kept: list[Row] = []
    reasons: Counter[str] = Counter()
    out: Counter[float] = Counter()
    of_point: Counter[float] = Counter()
    for row in rows:
        point = number(row, "point")
        of_point[point] += 1
        reason = _why_not(row, metric)
        if reason:
            reasons[reason] += 1
            out[point] += 1
        else:
            kept.append(row)
    worst = max((out[point] / runs for point, runs in of_point.items()), default=0.0)
    return Counted(tuple(kept), len(rows), dict(reasons), worst)


def lost(row: Row) -> bool:
    """Whether a robot was lost in a run."""
    return number(row, "robots_lost") > 0


def finished(row: Row) -> bool:
    """Whether a run came to the acceptor's verdict, whichever it was."""
    return row["ended"] in {"accepted", "rejected"}


def by_replicate(rows: Iterable[Row], metric: str) -> dict[int, float]:
    """A metric of runs of one design point, by replicate."""
    return {int(number(row, "replicate")): number(row, metric) for row in rows}


def _why_not(row: Row, metric: str) -> str:
    if not finished(row):
        return str(row["ended"] or "unfinished")
    if metric not in OF_BROKEN_CONVOYS and row["ended"] == "rejected":
        return "lost a robot" if lost(row) else "rejected"
    return "without such a number" if isnan(number(row, metric)) else ""
