"""What elasticities say, in plain words with stated thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING

from experimental_frames.statistics.series import Interval
from experimental_frames.sweep.columns import Column
from experimental_frames.sweep.counting import Counted
from experimental_frames.sweep.ratios import FEWEST
from experimental_frames.sweep.wording import capital, listed, percent, percent_span, plain, quantity, verb

if TYPE_CHECKING:
    from experimental_frames.sensitivity.elasticity import Change

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


def change_in_words(metric: Column, change: Change) -> str:
    """What a metric does between two levels."""
    way = f"from {_levels(change.start.values)} to {_levels(change.end.values)}"
    if change.withheld:
        return f"{way}: nothing is concluded, since {change.withheld}"
    if isnan(change.ratio.value):
        before, after = (quantity(level.mean, metric) for level in (change.start, change.end))
        goes = verb(metric, "goes")
        return f"{way}: {metric.title} {goes} from {before} to {after}, of which there is no relative change"
    share = change.ratio.value - 1.0
    interval = change.ratio.interval
    if interval is None:
        return (
            f"{way}: {metric.title} {_moves(metric, share)}; {change.ratio.pairs} pairs of runs are too few to tell "
            f"that from chance ({FEWEST} are needed)"
        )
    shares = Interval(interval.low - 1.0, interval.high - 1.0, interval.level)
    if interval.low == interval.high == 1.0:
        return f"{way}: {metric.title} {verb(metric, 'stays')} the same"
    if interval.holds(1.0):
        said = f"no effect on {metric.title} can be told apart from chance ({percent_span(shares)} %)"
    else:
        said = f"{metric.title} {_moves(metric, share, shares)}"
    return f"{way}: {said}{_graded(change)}"


def summary_in_words(metric: Column, changes: Sequence[Change], whole: Change, count: Counted) -> tuple[str, ...]:
    """The conclusions from all changes: the whole of them first, then each by itself, then what was left out."""
    sentences = [_overall(metric, changes, whole)] if whole.interval is not None and not whole.withheld else []
    each = [*changes, whole] if len(changes) > 1 else list(changes)
    sentences += [change.reading for change in each]
    if count.note:
        sentences.append(count.note)
    return tuple(capital(sentence) for sentence in sentences)


def _overall(metric: Column, changes: Sequence[Change], whole: Change) -> str:
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
    said, word = f"{metric.title} {verb(metric, 'is')}", _either(interval)
    over = f"from {_levels(whole.start.values)} to {_levels(whole.end.values)} as a whole"
    if reached is whole.start:
        return f"{said} {word} to {keys}, {over}: {doubling}"
    said += f" {CLASSES[0][1]} to {keys} up to {_levels(reached.values)}"
    if reached is whole.end:
        return f"{said}, the largest tried: {doubling}"
    return f"{said}, and {word} {over}: {doubling}"


def _graded(change: Change) -> str:
    """The elasticity, and what it is called."""
    if change.interval is None:
        return ""
    low, high = change.interval.low, change.interval.high
    word = _either(change.interval)
    doubt = "" if " or " not in word else ", which more replicates would tell"
    return f"; elasticity {plain(change.elasticity, 2)} ({plain(low, 2)} to {plain(high, 2)}): {word}{doubt}"


def _either(interval: Interval) -> str:
    """What is called by an interval of elasticities: one word, or two."""
    least, most = grades(interval)
    return least if least == most else f"{least} or {most}"


def _moves(metric: Column, share: float, shares: Interval | None = None) -> str:
    word = verb(metric, "rises" if share > 0.0 else "falls")
    if shares is None:
        return f"{word} by {percent(abs(share))} %"
    ends = sorted((abs(shares.low), abs(shares.high)))
    return f"{word} by {percent(abs(share))} % ({percent(ends[0])} to {percent(ends[1])})"


def _levels(values: Mapping[str, float]) -> str:
    return ", ".join(f"{key} = {plain(value)}" for key, value in values.items())
