"""What a sweep over the number of robots says of one metric."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.scalability.breaking import Breaking, breaking_size
from devs_robotics.experimental_frames.scalability.flatness import Flatness, flatness
from devs_robotics.experimental_frames.scalability.forecast import Forecast, forecast
from devs_robotics.experimental_frames.scalability.trend import (
    FEWEST_REPLICATES,
    FEWEST_SIZES,
    Fit,
    SizeTrend,
    fit_trend,
)
from devs_robotics.experimental_frames.statistics.means import mean_over_replications
from devs_robotics.experimental_frames.statistics.series import LEVEL, Interval
from devs_robotics.experimental_frames.sweep.counting import MOST_LEFT_OUT, Counted, by_replicate, counted
from devs_robotics.experimental_frames.sweep.losses import Losses, losses
from devs_robotics.experimental_frames.sweep.reading import CellValue, Sweep, number, numbers
from devs_robotics.experimental_frames.sweep.settings import grouped, numeric
from devs_robotics.experimental_frames.sweep.wording import capital, listed, percent, plain, quantity


class Size(Struct, frozen=True):
    """A metric at one number of robots.

    Attributes:
        robots: how many
        runs: that count
        left_out: that do not
        mean: of the metric over the runs that count; NaN where none does
        interval: Student's; None where there are fewer than two
        lost: how many runs lost a robot; None where the case knows no lost robots
        concluded: whether the size takes part in the trend: not too many of its runs are left out
    """

    robots: int
    runs: int
    left_out: int
    mean: float
    interval: Interval | None
    lost: Losses | None
    concluded: bool


class Scaling(Struct, frozen=True):
    """How one metric depends on the number of robots, all other settings being held.

    Attributes:
        metric: which one
        held: values of the other varied keys
        sizes: rising
        flatness: ratios to the smallest of the sizes that are concluded from; None where there are fewer than two
        trend: over those sizes; None where there are too few, or too few replicates that have them all
        forecast: of when it reaches the margin; None without a margin or a trend, or where the largest of the sizes is
            not concluded from
        breaking: of when robots are lost; None where the case knows no lost robots
        conclusions: sentences, computed from the numbers
    """

    metric: Metric
    held: dict[str, CellValue]
    sizes: tuple[Size, ...]
    flatness: Flatness | None
    trend: SizeTrend | None
    forecast: Forecast | None
    breaking: Breaking | None
    conclusions: tuple[str, ...]


def scalings(sweep: Sweep, metric: str, *, margin: float | None = None, level: float = LEVEL) -> list[Scaling]:
    """How a metric depends on the number of robots, for each setting of the other varied keys.

    Args:
        sweep: of a factorial design, over the number of robots; of others there is nothing
        metric: name of its column
        margin: that is forecast, in the metric's SI unit; None for no forecast
        level: of the confidence
    """
    key = sweep.size_key
    if sweep.design.kind != "factorial" or not key or not numeric(sweep.rows, (key,)):
        return []
    others = tuple(other for other in sweep.keys if other != key)
    groups = grouped(sweep.rows, others)
    return [
        _scaling(replace(sweep, rows=tuple(rows)), metric, margin, dict(zip(others, held, strict=True)), level)
        for held, rows in groups.items()
        if len(grouped(rows, (key,))) > 1
    ]


def _scaling(part: Sweep, metric: str, margin: float | None, held: dict[str, CellValue], level: float) -> Scaling:
    """Of the part of a sweep in which the other keys are held."""
    subject, key = part.subject, part.size_key
    told, by_size = subject.column(metric), grouped(part.rows, (key,))
    of_size = {int(number(rows[0], key)): rows for rows in by_size.values()}
    counts = {robots: counted(of_size[robots], metric, subject) for robots in sorted(of_size)}
    lost = {robots: losses(of_size[robots], subject, level=level) for robots in counts}
    sizes = tuple(_size(robots, counts[robots], lost[robots], metric, level) for robots in counts)
    used = [(size.robots, counts[size.robots]) for size in sizes if size.concluded]
    ratios = flatness(used, told, level=level) if len(used) > 1 else None
    trend = _trend(used, metric, level)
    broken = not sizes[-1].concluded  # beyond it, a trend of the teams that hold together says nothing
    reached = None if margin is None or trend is None or broken else forecast(trend, told, margin)
    known = [(robots, some) for robots, some in lost.items() if some is not None]
    breaking = breaking_size(known, team=subject.team, level=level) if known else None
    found = Scaling(told, held, sizes, ratios, trend, reached, breaking, conclusions=())
    return replace(found, conclusions=_conclusions(found, counted(part.rows, metric, subject)))


def _size(robots: int, count: Counted, lost: Losses | None, metric: str, level: float) -> Size:
    values = numbers(count.rows, metric)
    return Size(
        robots=robots,
        runs=values.size,
        left_out=count.runs - values.size,
        mean=float(values.mean()) if values.size else nan,
        interval=mean_over_replications(values, level=level).interval if values.size > 1 else None,
        lost=lost,
        concluded=not count.too_few,
    )


def _trend(used: Sequence[tuple[int, Counted]], metric: str, level: float) -> SizeTrend | None:
    """Over the replicates that have all sizes."""
    if len(used) < FEWEST_SIZES:
        return None
    values = [by_replicate(count.rows, metric) for _, count in used]
    common = sorted(set.intersection(*(set(known) for known in values)))
    if len(common) < FEWEST_REPLICATES:
        return None
    table = np.array([[known[replicate] for known in values] for replicate in common])
    return fit_trend([robots for robots, _ in used], table, level=level)


def _conclusions(found: Scaling, count: Counted) -> tuple[str, ...]:
    sentences = [found.flatness.reading] if found.flatness is not None else []
    sentences.append(_of_trend(found))
    if found.forecast is not None:
        sentences.append(found.forecast.reading)
    if found.breaking is not None:
        sentences.append(found.breaking.reading)
    dropped = [str(size.robots) for size in found.sizes if not size.concluded]
    if dropped:
        unsaid = "" if found.sizes[-1].concluded else ", and nothing is forecast beyond"
        sentences.append(
            f"at N = {listed(dropped)} more than {percent(MOST_LEFT_OUT)} % of the runs are left out: what is left "
            f"would flatter the {count.team}, and takes no part{unsaid}"
        )
    if count.note:
        sentences.append(count.note)
    return tuple(map(capital, sentences))


def _formula(fit: Fit, metric: Metric) -> str:
    """As in "13.9 − 10.2 (9.1 to 11.4) / N cm"."""
    shape = {"levelling off": "/ N", "logarithmic": "ln N", "square root": "sqrt(N)", "linear": "N"}[fit.model]
    ends = sorted(abs(end) for end in (fit.slope_interval.low, fit.slope_interval.high))
    level, slope, low, high = (plain(metric.scale * value) for value in (fit.level, abs(fit.slope), *ends))
    unit = f" {metric.unit}" if metric.unit else ""
    return f"{level} {'+' if fit.slope > 0.0 else '−'} {slope} ({low} to {high}) {shape}{unit}"


def _of_trend(found: Scaling) -> str:
    trend, metric = found.trend, found.metric
    if trend is None:
        return (
            f"no trend of {metric.title} is fitted: that takes {FEWEST_SIZES} sizes, and {FEWEST_REPLICATES} "
            "replicates with a run at each of them"
        )
    fit = trend.chosen
    sizes = f"between N = {trend.sizes[0]} and {trend.sizes[-1]}"
    if fit.model == "constant":
        said = f"no trend of {metric.title} can be told apart from chance {sizes}: {quantity(fit.level, metric)}"
    else:
        said = f"{sizes} the trend of {metric.title} is {fit.model}: {_formula(fit, metric)}"
    others = [other.model for other in trend.plausible[1:]]
    if others:
        said += f"; {listed(others)} cannot be ruled out"
    if not trend.describes:
        said += f"; the curve is off by up to {percent(trend.miss)} %, more than chance explains"
    return said
