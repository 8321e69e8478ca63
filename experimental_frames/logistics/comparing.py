"""Every published result of the intralogistics task that is a number, beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import mean, stdev

from devs_robotics.experimental_frames.logistics.published import (
    MEAN_WITHIN,
    POWERS,
    PUBLISHED_LIVES,
    TABLE_V,
    USABLE,
)
from devs_robotics.experimental_frames.papers import PaperResult, PaperVerdict
from devs_robotics.experimental_frames.statistics.distributions import student_quantile

FEWEST = 5
"""Number of runs from which on something follows."""

CARRIERS = 5

FEW = "The runs were too few, or over before."
SLOWER = "Robots here are faster and vary less than the published ones; no parameter was tuned to the published times."
TOTALS = "The parts of the table that are known do not add up to the printed total."


def compared(runs: Sequence[Mapping[str, float]], *, whole: bool) -> list[PaperResult]:
    """Published values beside ours.

    Args:
        runs: what the frame of each run measured
        whole: whether runs were as long as the task
    """
    return [*_of_runs(runs, whole=whole), *_lives()]


def _of_runs(runs: Sequence[Mapping[str, float]], *, whole: bool) -> Iterator[PaperResult]:
    times = [each["seconds"] for each in runs]
    done = sum(each["carriers_retrieved"] == CARRIERS for each in runs)
    enough = whole and len(runs) >= FEWEST
    half = student_quantile(0.975, len(times) - 1) * stdev(times) / sqrt(len(times)) if enough else 0.0
    ours = mean(times)
    yield PaperResult(
        "Table V",
        "mean time of the task (s)",
        f"{mean(TABLE_V):.0f} (of five runs; 95 %: {MEAN_WITHIN[0]:.0f} to {MEAN_WITHIN[1]:.0f})",
        f"{ours:.0f}",
        f"{ours - half:.0f} to {ours + half:.0f}" if enough else "",
        _verdict(enough=enough, agrees=MEAN_WITHIN[0] <= ours <= MEAN_WITHIN[1]),
        "" if enough else FEW,
    )
    inside = min(times) <= min(TABLE_V) and max(TABLE_V) <= max(times)
    yield PaperResult(
        "Table V",
        "least and longest time (s)",
        f"{min(TABLE_V):.0f}, {max(TABLE_V):.0f}",
        f"{min(times):.0f}, {max(times):.0f}",
        "",
        _verdict(enough=enough, agrees=inside),
        FEW if not enough else "" if inside else SLOWER,
    )
    yield PaperResult(
        "Table V",
        "runs in which all carriers are retrieved",
        "5 of 5",
        f"{done} of {len(runs)}",
        "",
        _verdict(enough=enough, agrees=done >= 0.95 * len(runs)),
        FEW if not enough else "" if done >= 0.95 * len(runs) else "Some runs are not over after 10 min.",
    )


def _lives() -> Iterator[PaperResult]:
    for use, parts in POWERS.items():
        power, hours = PUBLISHED_LIVES[use]
        same = abs(sum(parts) - power) < 0.05
        yield PaperResult(
            "Table IV",
            f"power (W) and life of the battery (h), {use}",
            f"{power:g}, {hours:g}",
            f"{sum(parts):g}, {USABLE / sum(parts):.1f}",
            "",
            "agrees" if same else "differs",
            "" if same else TOTALS,
        )


def _verdict(*, enough: bool, agrees: bool) -> PaperVerdict:
    return "undecided" if not enough else "agrees" if agrees else "differs"
