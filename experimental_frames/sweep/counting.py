"""Which runs of a sweep count for a metric, and why the others do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isnan

from msgspec import Struct

from devs_robotics.experimental_frames.sweep.reading import Row, number
from devs_robotics.experimental_frames.sweep.subject import Subject

MOST_LEFT_OUT = 0.2
"""Largest share of runs that may be left out before a conclusion is withheld.

What is left out is the worst. Where the worst fifth of normal values is missing, the mean of the others is low by a
third of their standard deviation: as much as the standard error of eight runs.
"""


class Counted(Struct, frozen=True):
    """The runs that count for a metric.

    Attributes:
        rows: those that count
        runs: how many there are in all
        left_out: how many do not count, by why
        worst_share: largest share of runs of one design point that do not count
        team: what the robots are together, for people
    """

    rows: tuple[Row, ...]
    runs: int
    left_out: dict[str, int]
    worst_share: float
    team: str

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


def counted(rows: Sequence[Row], metric: str, subject: Subject) -> Counted:
    """Those of the rows that count for a metric.

    A run that was rejected ended early, so that its averages are not those of the others; only metrics that say the
    same `even_rejected` are taken from it.

    Args:
        rows: runs
        metric: name of its column
        subject: what was swept
    """
    even_rejected = subject.column(metric).even_rejected
    kept: list[Row] = []
    reasons: Counter[str] = Counter()
    out: Counter[float] = Counter()
    of_point: Counter[float] = Counter()
    for row in rows:
        point = number(row, "point")
        of_point[point] += 1
        reason = _why_not(row, metric, subject, even_rejected=even_rejected)
        if reason:
            reasons[reason] += 1
            out[point] += 1
        else:
            kept.append(row)
    worst = max((out[point] / runs for point, runs in of_point.items()), default=0.0)
    return Counted(tuple(kept), len(rows), dict(reasons), worst, subject.team)


def lost(row: Row, subject: Subject) -> bool:
    """Whether a robot was lost in a run."""
    return bool(subject.lost) and number(row, subject.lost) > 0


def finished(row: Row) -> bool:
    """Whether a run came to the acceptor's verdict, whichever it was."""
    return row["ended"] in {"accepted", "rejected"}


def by_replicate(rows: Iterable[Row], metric: str) -> dict[int, float]:
    """A metric of runs of one design point, by replicate."""
    return {int(number(row, "replicate")): number(row, metric) for row in rows}


def _why_not(row: Row, metric: str, subject: Subject, *, even_rejected: bool) -> str:
    if not finished(row):
        return str(row["ended"] or "unfinished")
    if row["ended"] == "rejected" and not even_rejected:
        return "lost a robot" if lost(row, subject) else "rejected"
    return "without such a number" if isnan(number(row, metric)) else ""
