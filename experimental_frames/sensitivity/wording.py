"""What elasticities say, in plain words with stated thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.statistics.series import Interval
from devs_robotics.experimental_frames.sweep.counting import Counted
from devs_robotics.experimental_frames.sweep.ratios import FEWEST_PAIRS
from devs_robotics.experimental_frames.sweep.wording import (
    capital,
    few_pairs,
    listed,
    percent,
    percent_span,
    plain,
    quantity,
    span,
    verb,
)

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.sensitivity.elasticity import Change

CLASSES = ((0.1, "insensitive"), (0.5, "weakly sensitive"), (1.0, "sensitive"))
"""Up to which elasticity e, of either sign, a metric is called so: a change of x % changes it by about e times x %."""

BEYOND = "more than proportionally sensitive"


def grade(elasticity: float) -> str:
    """What an elasticity is called."""
    return next((word for most, word in CLASSES if abs(elasticity) <= most), BEYOND)


def grades(interval: Interval) -> tuple[str, str]:
    """What the smallest and the largest effect in an interval of elasticities are called."""
    ends = sorted((abs(interval.low), abs(interval.high)))
    return grade(0.0 if interval.holds(0.0) else ends[0]), grade(ends[1])


def graded(interval: Interval) -> str:
    """What is called by an interval of elasticities: one word, or two."""
    least, most = grades(interval)
    return least if least == most else f"{least} or {most}"


def change_in_words(metric: Metric, change: Change) -> str:
    """What a metric does between two levels."""
    if change.same and not change.withheld:
        return _never_changes(metric, change)
    way = f"from {change.start.text} to {change.end.text}"
    if change.withheld:
        return f"{way}: nothing is concluded, since {change.withheld}"
    if isnan(change.ratio.value):
        return f"{way}: {metric.title} {_goes(metric, change)}"
    share = change.ratio.value - 1.0
    interval = change.ratio.interval
    if interval is None:
        return f"{way}: {metric.title} {_moves(metric, share)}; {few_pairs(change.ratio.pairs)}"
    shares = Interval(interval.low - 1.0, interval.high - 1.0, interval.level)
    if interval.holds(1.0):
        said = f"no effect on {metric.title} can be told apart from chance ({percent_span(shares)} %)"
    else:
        said = f"{metric.title} {_moves(metric, share, shares)}"
    return f"{way}: {said}{_graded(change)}"


def summary_in_words(metric: Metric, changes: Sequence[Change], whole: Change, count: Counted) -> tuple[str, ...]:
    """The conclusions from all changes: the whole of them first, then each by itself, then what was left out."""
    if all(change.same and not change.withheld for change in (*changes, whole)):
        sentences = [_never_changes(metric, whole)]
    else:
        sentences = [_overall(metric, changes, whole)] if whole.interval is not None and not whole.withheld else []
        each = [whole, *changes] if len(changes) > 1 else list(changes)
        sentences += [change.reading for change in each]
    if count.note:
        sentences.append(count.note)
    return tuple(capital(sentence) for sentence in sentences)


def _never_changes(metric: Metric, change: Change) -> str:
    pairs = change.ratio.pairs
    where = f"in both runs of each of {pairs} pairs" if pairs > 1 else "in both runs"
    way = f"from {change.start.text} to {change.end.text}"
    return f"{metric.title} {verb(metric, 'does')} not change at all {way}: it is the same {where}"


def _overall(metric: Metric, changes: Sequence[Change], whole: Change) -> str:
    interval = whole.interval
    assert interval is not None
    keys = listed(list(whole.start.values))
    double = Interval(2.0**interval.low - 1.0, 2.0**interval.high - 1.0, interval.level)
    what = "when it doubles" if len(whole.start.values) == 1 else "when they double together"
    doubling = f"{what}, {metric.title} {_moves(metric, 2.0**whole.elasticity - 1.0, double)}"
    if interval.holds(0.0):
        doubling = f"{what}, {metric.title} {verb(metric, 'changes')} by {percent_span(double)} %, which may be chance"
    reached = whole.start
    for change in changes:
        if change.withheld or change.interval is None or grades(change.interval)[1] != CLASSES[0][1]:
            break
        reached = change.end
    said, word = f"{metric.title} {verb(metric, 'is')}", graded(interval)
    over = f"from {whole.start.text} to {whole.end.text} as a whole"
    if reached is whole.start:
        return f"{said} {word} to {keys}, {over}: {doubling}"
    said += f" {CLASSES[0][1]} to {keys} up to {reached.text}"
    if reached is whole.end:
        return f"{said}, the largest tried: {doubling}"
    return f"{said}, and {word} {over}: {doubling}"


def _graded(change: Change) -> str:
    """The elasticity, and what it is called."""
    if change.interval is None:
        return ""
    low, high = change.interval.low, change.interval.high
    word = graded(change.interval)
    doubt = "" if " or " not in word else ", which more replicates would tell"
    return f"; elasticity {plain(change.elasticity, 2)} ({plain(low, 2)} to {plain(high, 2)}): {word}{doubt}"


def _goes(metric: Metric, change: Change) -> str:
    """Where there is no relative change, since a mean is not above zero."""
    before, after = (quantity(level.mean, metric) for level in (change.start, change.end))
    said = f"{verb(metric, 'goes')} from {before} to {after}, of which there is no relative change"
    paired = change.difference
    if paired is None or paired.difference.n < FEWEST_PAIRS or metric.rare:
        return said
    chance = ", which may be chance" if paired.interval.holds(0.0) else ""
    unit = f" {metric.unit}" if metric.unit else ""
    return f"{said}; the difference of pairs is {span(paired.interval, metric)}{unit}{chance}"


def _moves(metric: Metric, share: float, shares: Interval | None = None) -> str:
    word = verb(metric, "rises" if share > 0.0 else "falls")
    if shares is None:
        return f"{word} by {percent(abs(share))} %"
    ends = sorted((abs(shares.low), abs(shares.high)))
    return f"{word} by {percent(abs(share))} % ({percent(ends[0])} to {percent(ends[1])})"
