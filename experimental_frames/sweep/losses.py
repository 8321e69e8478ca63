"""How many runs of a setting lose a robot."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from scipy.stats import binomtest  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.statistics.series import LEVEL, Interval
from devs_robotics.experimental_frames.sweep.counting import finished, lost
from devs_robotics.experimental_frames.sweep.reading import Row
from devs_robotics.experimental_frames.sweep.subject import Subject
from devs_robotics.experimental_frames.sweep.wording import percent_span


class Losses(Struct, frozen=True):
    """The share of runs in which a robot is lost, of those that came to a verdict.

    Attributes:
        runs: that came to one
        lost: of them, so many lost a robot
        interval: of the share that is to be expected, exact (Clopper & Pearson); None where there are no runs
    """

    runs: int
    lost: int
    interval: Interval | None

    def __str__(self) -> str:
        if self.interval is None:
            return "no run came to a verdict"
        return f"{self.lost or 'none'} of {self.runs} runs lost a robot ({percent_span(self.interval)} %)"


def losses(rows: Iterable[Row], subject: Subject, *, level: float = LEVEL) -> Losses | None:
    """How many of these runs lost a robot; None where the case knows no lost robots.

    Args:
        rows: runs
        subject: what was swept
        level: of the confidence
    """
    if not subject.lost:
        return None
    fates = [lost(row, subject) for row in rows if finished(row)]
    if not fates:
        return Losses(0, 0, None)
    ends = binomtest(sum(fates), len(fates)).proportion_ci(level, method="exact")
    return Losses(len(fates), sum(fates), Interval(float(ends.low), float(ends.high), level))
