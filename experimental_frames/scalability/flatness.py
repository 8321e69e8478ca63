"""Whether a metric is the same at every number of robots: ratios to the smallest."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.statistics.series import LEVEL, Interval
from devs_robotics.experimental_frames.sweep.counting import Counted, by_replicate
from devs_robotics.experimental_frames.sweep.ratios import Ratio, ratio_of_means
from devs_robotics.experimental_frames.sweep.wording import few_pairs, percent, percent_span, plain, verb

FLAT_WITHIN = 1.5
"""What is never more than so many times as large, or as small, is called flat."""

MOST_AS_SHARE = 0.5
"""A change below this is told in per cent."""


class Flatness(Struct, frozen=True):
    """How a metric compares with that of the smallest number of robots.

    Attributes:
        smallest: number of robots
        ratios: to the mean at the smallest, by number of robots; paired by replicate
        within: the limit
        flat: whether every ratio is surely within the limit; None where the runs do not tell
        reading: in plain words
    """

    smallest: int
    ratios: dict[int, Ratio]
    within: float
    flat: bool | None
    reading: str


def flatness(
    sizes: Sequence[tuple[int, Counted]], metric: Metric, *, within: float = FLAT_WITHIN, level: float = LEVEL
) -> Flatness:
    """Compare a metric at each number of robots with that at the smallest.

    Args:
        sizes: numbers of robots, rising, each with its runs; two at least
        metric: which one
        within: what is never more than so many times as large is flat
        level: of the confidence
    """
    smallest, first = sizes[0]
    reference = by_replicate(first.rows, metric.name)
    ratios = {}
    for size, count in sizes[1:]:
        values = by_replicate(count.rows, metric.name)
        ratios[size] = ratio_of_means(values, reference, f"{metric.name} {smallest} {size}", level=level)
    flat = _flat(list(ratios.values()), within)
    return Flatness(smallest, ratios, within, flat, _reading(metric, smallest, ratios, within, flat))


def _flat(ratios: Sequence[Ratio], within: float) -> bool | None:
    intervals = [ratio.interval for ratio in ratios if ratio.interval is not None]
    if any(interval.low > within or interval.high < 1.0 / within for interval in intervals):
        return False
    if len(intervals) == len(ratios) and all(
        interval.high <= within and interval.low >= 1.0 / within for interval in intervals
    ):
        return True
    return None


def _reading(metric: Metric, smallest: int, ratios: dict[int, Ratio], within: float, flat: bool | None) -> str:
    largest, last = list(ratios.items())[-1]
    way = f"from N = {smallest} to {largest} robots {metric.title}"
    if isnan(last.value):
        return f"{way} {verb(metric, 'has')} no relative change"
    interval = last.interval
    if interval is None:
        return f"{way} {_moves(metric, last)}; {few_pairs(last.pairs)}"
    if interval.low == interval.high == 1.0:
        said = f"{way} {verb(metric, 'does')} not change at all"
    elif interval.holds(1.0):
        shares = Interval(interval.low - 1.0, interval.high - 1.0, interval.level)
        said = f"{way} {verb(metric, 'shows')} no change beyond chance ({percent_span(shares)} %)"
    else:
        said = f"{way} {_moves(metric, last)}"
    near = f"within a factor of {plain(within)} of the one at N = {smallest}"
    words = {
        True: f"the values at all N are {near}",
        False: f"the values at some N are not {near}",
        None: f"more replicates would tell whether the values at all N are {near}",
    }
    return f"{said}; {words[flat]}"


def _moves(metric: Metric, ratio: Ratio) -> str:
    """A small change as a share, and a large one as a factor, with its interval if there is one."""
    interval = ratio.interval
    if abs(ratio.value - 1.0) >= MOST_AS_SHARE:
        ends = "" if interval is None else f" ({plain(interval.low)} to {plain(interval.high)})"
        return f"{verb(metric, 'becomes')} {plain(ratio.value)} times as large{ends}"
    shares = () if interval is None else sorted((abs(interval.low - 1.0), abs(interval.high - 1.0)))
    ends = f" ({' to '.join(map(percent, shares))})" if shares else ""
    return f"{verb(metric, 'rises' if ratio.value > 1.0 else 'falls')} by {percent(abs(ratio.value - 1.0))} %{ends}"
