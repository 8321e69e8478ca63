"""How much a metric changes when some settings change: elasticities between the levels of a sweep.

Between two levels a and b, the elasticity of a metric y to settings x that change together is::

    e = ln(y_b / y_a) / mean over the settings of ln(x_b / x_a)

This is the arc elasticity with logarithms for relative changes. Of a power law y = c x^e it is e, however far the
levels are apart, and the same in both directions, which the ratio of plain relative changes is not. Where several
settings change by different factors (from the paper's noise set 1 to its set 2, DNF by 2.5 and ANF by 2) the factor
is their geometric mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import exp, log, nan

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.sensitivity.wording import change_in_words, summary_in_words
from devs_robotics.experimental_frames.statistics.means import Paired, mean_over_replications, paired_comparison
from devs_robotics.experimental_frames.statistics.series import LEVEL, Interval
from devs_robotics.experimental_frames.sweep.counting import Counted, by_replicate, counted
from devs_robotics.experimental_frames.sweep.ratios import Ratio, ratio_of_means
from devs_robotics.experimental_frames.sweep.reading import CellValue, Sweep, numbers
from devs_robotics.experimental_frames.sweep.settings import grouped, moved_together, numeric, settings_text


class Level(Struct, frozen=True):
    """One level of the settings that change together.

    Attributes:
        values: of the settings, by key
        text: the same for people, with units
        runs: that count
        left_out: that do not
        mean: of the metric over the runs that count; NaN where none does
        interval: Student's; None where there are fewer than two
    """

    values: dict[str, float]
    text: str
    runs: int
    left_out: int
    mean: float
    interval: Interval | None


class Change(Struct, frozen=True):
    """What a metric does from one level to another.

    Attributes:
        start, end: the levels
        factor: by which the settings grow, their geometric mean; NaN where there is none: one of them is not above
            zero, or they do not grow all together
        ratio: of the metric's means, paired by replicate
        difference: of the metric, paired by replicate; None where there are fewer than two pairs
        same: whether the metric is the same in both runs of every pair
        elasticity: NaN where there is none
        interval: of the elasticity; None where there is none
        withheld: why nothing is concluded; empty if something is
        reading: in plain words
    """

    start: Level
    end: Level
    factor: float
    ratio: Ratio
    difference: Paired | None
    same: bool
    elasticity: float
    interval: Interval | None
    withheld: str
    reading: str


class Elasticities(Struct, frozen=True):
    """The elasticities of one metric to settings that change together, all others being held.

    Attributes:
        metric: which one
        keys: that change together
        held: values of the other varied keys
        levels: in the order in which the settings grow
        changes: from each level to the next
        whole: from the first level to the last
        left_out: how many runs are left out, and why, in words; empty if none is
        conclusions: sentences, computed from the numbers
    """

    metric: Metric
    keys: tuple[str, ...]
    held: dict[str, CellValue]
    levels: tuple[Level, ...]
    changes: tuple[Change, ...]
    whole: Change
    left_out: str
    conclusions: tuple[str, ...]


def elasticities(sweep: Sweep, metric: str, *, level: float = LEVEL) -> list[Elasticities]:
    """The elasticities of a metric in a factorial design, to each bundle of numbers that change together.

    Args:
        sweep: its design is factorial; of others there are none
        metric: name of its column
        level: of the confidence
    """
    if sweep.design.kind != "factorial":
        return []
    found = []
    for keys in moved_together(sweep.rows, sweep.keys):
        if not numeric(sweep.rows, keys):
            continue
        others = tuple(key for key in sweep.keys if key not in keys)
        for held, rows in grouped(sweep.rows, others).items():
            if len(grouped(rows, keys)) > 1:
                part = replace(sweep, rows=tuple(rows))
                found.append(_of_bundle(part, metric, keys, dict(zip(others, held, strict=True)), level))
    return found


def factor_between(start: Mapping[str, float], end: Mapping[str, float]) -> float:
    """By how much settings grow, the geometric mean of those that change; NaN where that says nothing."""
    changing = [key for key in start if start[key] != end[key]]
    if not changing or any(start[key] <= 0.0 or end[key] <= 0.0 for key in changing):
        return nan
    growths = [log(end[key] / start[key]) for key in changing]
    together = all(growth > 0.0 for growth in growths) or all(growth < 0.0 for growth in growths)
    return exp(sum(growths) / len(growths)) if together else nan


def _of_bundle(
    part: Sweep, metric: str, keys: tuple[str, ...], held: dict[str, CellValue], level: float
) -> Elasticities:
    """Of the part of a sweep in which the other keys are held."""
    subject = part.subject
    count = counted(part.rows, metric, subject)
    by_level = grouped(part.rows, keys)
    settings = sorted(by_level, key=lambda values: tuple(float(value or 0.0) for value in values))
    groups = [counted(by_level[values], metric, subject) for values in settings]
    levels = []
    for values, group in zip(settings, groups, strict=True):
        at = {key: float(value or 0.0) for key, value in zip(keys, values, strict=True)}
        levels.append(_level(at, settings_text(at, part.units), group, metric, level))
    told = subject.column(metric)
    ends = list(zip(levels, groups, strict=True))
    changes = tuple(_change(start, end, told, level) for start, end in pairwise(ends))
    whole = _change(ends[0], ends[-1], told, level)
    return Elasticities(
        metric=told,
        keys=keys,
        held=held,
        levels=tuple(levels),
        changes=changes,
        whole=whole,
        left_out=count.note,
        conclusions=summary_in_words(told, changes, whole, count),
    )


def _level(values: dict[str, float], text: str, count: Counted, metric: str, level: float) -> Level:
    known = numbers(count.rows, metric)
    known = known[np.isfinite(known)]
    interval = mean_over_replications(known, level=level).interval if known.size > 1 else None
    mean = float(known.mean()) if known.size else nan
    return Level(values, text, known.size, count.runs - len(count.rows), mean, interval)


def _change(start: tuple[Level, Counted], end: tuple[Level, Counted], metric: Metric, level: float) -> Change:
    (before, counted_before), (after, counted_after) = start, end
    reference, values = (by_replicate(count.rows, metric.name) for count in (counted_before, counted_after))
    both = sorted(values.keys() & reference.keys())
    pairs = [[side[replicate] for replicate in both] for side in (values, reference)]
    ratio = ratio_of_means(values, reference, f"{metric.name} {before.values} {after.values}", level=level)
    factor = factor_between(before.values, after.values)
    scale = log(factor) if factor == factor and factor != 1.0 else nan
    elasticity = log(ratio.value) / scale if ratio.value > 0.0 else nan
    interval = None
    if ratio.interval is not None and elasticity == elasticity:
        ends = sorted(log(end) / scale for end in (ratio.interval.low, ratio.interval.high))
        interval = Interval(ends[0], ends[1], level)
    withheld = _withheld(counted_before, counted_after)
    change = Change(
        start=before,
        end=after,
        factor=factor,
        ratio=ratio,
        difference=paired_comparison(*pairs, level=level) if len(both) > 1 else None,
        same=bool(both) and pairs[0] == pairs[1],
        elasticity=elasticity,
        interval=interval,
        withheld=withheld,
        reading="",
    )
    return replace(change, reading=change_in_words(metric, change))


def _withheld(*counts: Counted) -> str:
    for count in counts:
        if count.too_few:
            why = count.note or "there is no run"
            return f"at one of its ends {why}: what is left would flatter the {count.team}"
    return ""
