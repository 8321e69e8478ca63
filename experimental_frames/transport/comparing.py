"""Every published result of swarm transportation that is a number, beside ours.

What is published is one run of each mode. So a published value agrees where it lies within the interval in which one
more run of ours would come to lie (Student's prediction interval, at 95 %).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isnan, sqrt
from statistics import mean, stdev

from devs_robotics.experimental_frames.papers import PaperResult
from devs_robotics.experimental_frames.statistics.distributions import student_quantile
from devs_robotics.experimental_frames.transport.published import MODES, ROWS, FrameResults, PublishedRow

FEWEST = 3
"""Number of runs from which on there is an interval."""

WHY = {
    "minutes": "A run here ends at 100 deliveries, the published ones at 100 trips with 90 deliveries.",
    "round_trip_s": "Meetings take most of it; at the published speed alone nothing would resemble the results.",
    "with_path_at_15": "The report's rule of exploring is faster than its program, which made the published runs.",
    "found_by_themselves": "The report's rule of exploring is faster than its program, which made the published runs.",
    "with_path": "Not looked into.",
    "fewest": "Who carries how much depends on who finds a path when, which differs from run to run.",
    "most": "Who carries how much depends on who finds a path when, which differs from run to run.",
    "distinct": "Not looked into.",
    "completed": "Nothing is lost here, and who has failed to talk with a robot leaves it alone for 10 s.",
    "talk_s": "Nobody misses messages when nothing is lost.",
}
"""Why ours may be another value, by the key of the row (docs/transport.md)."""


def compared(runs: Mapping[str, Sequence[FrameResults]], items: int) -> list[PaperResult]:
    """Published values beside ours.

    Args:
        runs: what the frames of each run measured, by mode
        items: that each was to deliver
    """
    return [
        _result(row, mode, [{**frames["paths"], **frames["transport"]} for frames in runs[mode]], items)
        for row in ROWS
        for mode in MODES
        if row.paper.get(mode)
    ]


def _result(row: PublishedRow, mode: str, runs: Sequence[Mapping[str, float | str]], items: int) -> PaperResult:
    published = row.paper[mode]
    numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", published)]
    values = [value for value in _values(row, runs) if not isnan(value)]
    ours = f"{mean(values):.{row.digits}f}" if values else "-"
    cut = row.until and any(sum(float(each[key]) for key in row.until) < items for each in runs)
    result = PaperResult(
        f"mode {mode}", row.head(items), published, f"more than {ours}" if cut else ours, "", "undecided"
    )
    if not numbers:
        return _because(result, "No number is published.")
    if cut or len(values) < FEWEST:
        return _because(result, "The runs were too few, or over before.")
    half = student_quantile(0.975, len(values) - 1) * stdev(values) * sqrt(1.0 + 1.0 / len(values))
    low, high = mean(values) - half, mean(values) + half
    half_digit = 0.5 * 10.0**-row.digits
    inside = any(low - half_digit <= number <= high + half_digit for number in numbers)
    interval = f"{low:.{row.digits}f} to {high:.{row.digits}f}, of one run"
    return PaperResult(
        result.where,
        result.what,
        published,
        ours,
        interval,
        "agrees" if inside else "differs",
        "" if inside else WHY[row.key],
    )


def _values(row: PublishedRow, runs: Sequence[Mapping[str, float | str]]) -> Iterator[float]:
    return (row.factor * float(each[row.key]) for each in runs)


def _because(result: PaperResult, why: str) -> PaperResult:
    return PaperResult(result.where, result.what, result.published, result.ours, "", "undecided", why)
