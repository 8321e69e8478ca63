"""How much of a metric's variance each setting explains: indices of Sobol (2001), after Saltelli et al. (2010)."""

from __future__ import annotations

from math import isnan

from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.sensitivity.design_responses import Blocks, blocks_of
from devs_robotics.experimental_frames.sensitivity.salib import salib
from devs_robotics.experimental_frames.statistics.series import LEVEL, Interval
from devs_robotics.experimental_frames.sweep.reading import Sweep, SweepError, number
from devs_robotics.experimental_frames.sweep.wording import listed, percent, quantity, verb

FEWEST_ROWS = 16
"""Rows of the sample matrices that are needed for a conclusion."""

WIDEST = 0.25
"""Half-width of an index's interval from which on it is called too wide."""

NEGLIGIBLE = 0.05
"""A setting whose total index is surely below this can be held fixed."""


class Share(Struct, frozen=True):
    """What one setting explains of a metric's variance, while all settings vary evenly over their ranges.

    Estimates of small indices may be a little below zero.

    Attributes:
        key: of the setting
        first: S1, by itself
        first_interval: a bootstrap's
        total: ST, by itself and together with others
        total_interval: a bootstrap's
    """

    key: str
    first: float
    first_interval: Interval
    total: float
    total_interval: Interval

    @property
    def too_wide(self) -> bool:
        """Whether one of the intervals is too wide for a conclusion."""
        return max(self.first_interval.half_width, self.total_interval.half_width) > WIDEST


class Variance(Struct, frozen=True):
    """What Sobol's method says of one metric.

    Attributes:
        metric: which one
        samples: rows of the sample matrices from which it is computed
        replicates: runs behind a point, on average
        deviation: standard deviation of the metric over the design
        chance: share of the variance that is chance; NaN where no point has two replicates
        shares: the largest total first; empty where nothing is concluded
        withheld: why nothing is concluded; empty if something is
        conclusions: sentences, computed from the numbers
    """

    metric: Metric
    samples: int
    replicates: float
    deviation: float
    chance: float
    shares: tuple[Share, ...]
    withheld: str
    conclusions: tuple[str, ...]


def explain_variance(sweep: Sweep, metric: str, *, level: float = LEVEL) -> Variance:
    """Sobol's first-order and total indices of a metric, from a Sobol design.

    Args:
        sweep: points in the order in which SALib's `sample.sobol` gives them
        metric: name of its column
        level: of the confidence

    Raises:
        SweepError: the sweep is no Sobol design, or a varied key is not a number in some run
    """
    told = sweep.subject.column(metric)
    size = _block_size(sweep)
    blocks = blocks_of(sweep, metric, size, called="samples", fewest=FEWEST_ROWS)
    withheld = blocks.withheld
    deviation = float(blocks.responses.std()) if blocks.responses.size else 0.0
    shares = () if withheld else _shares(sweep, blocks, size == 2 * len(sweep.keys) + 2, level)
    return Variance(
        metric=told,
        samples=blocks.blocks,
        replicates=blocks.replicates,
        deviation=deviation,
        chance=blocks.chance_share,
        shares=shares,
        withheld=withheld,
        conclusions=blocks.conclusions(told, _findings(told, blocks, shares) if shares else []),
    )


def _block_size(sweep: Sweep) -> int:
    """Points per row of the sample matrices; more where the design has second-order indices.

    Each of the N points after a row's first differs from it in one setting, in which it is like the row's last.
    """
    keys = len(sweep.keys)
    inputs = {int(number(row, "point")): [number(row, key) for key in sweep.keys] for row in sweep.rows}
    points = 1 + max(inputs, default=-1)
    for size in (keys + 2, 2 * keys + 2):
        firsts = [start for start in range(0, points, size) if {*range(start, start + size)} <= inputs.keys()]
        if firsts and all(_is_row(inputs, start, size, keys) for start in firsts):
            return size
    raise SweepError(
        f"the {points} points are no Sobol design of {keys} keys: give the table as it was made, with all its points"
    )


def _is_row(inputs: dict[int, list[float]], start: int, size: int, keys: int) -> bool:
    return all(
        inputs[start + 1 + changed][place] == inputs[start + size - 1 if place == changed else start][place]
        for changed in range(keys)
        for place in range(keys)
    )


def _shares(sweep: Sweep, blocks: Blocks, second_order: bool, level: float) -> tuple[Share, ...]:
    keys = list(sweep.keys)
    found = salib("sobol").analyze(
        {"num_vars": len(keys), "names": keys, "bounds": [[0.0, 1.0]] * len(keys)},
        blocks.responses,
        calc_second_order=second_order,
        num_resamples=999,
        conf_level=level,
        seed=1,
    )

    def index(name: str, place: int) -> tuple[float, Interval]:
        value, half = float(found[name][place]), float(found[f"{name}_conf"][place])
        return value, Interval(value - half, value + half, level)

    shares = [Share(key, *index("S1", place), *index("ST", place)) for place, key in enumerate(keys)]
    return tuple(sorted(shares, key=lambda share: -share.total))


def _findings(metric: Metric, blocks: Blocks, shares: tuple[Share, ...]) -> list[str]:
    mean, deviation = float(blocks.responses.mean()), float(blocks.responses.std())
    over = f"a mean of {quantity(mean, metric)} and a standard deviation of {quantity(deviation, metric)}"
    sentences = [f"over the ranges, {metric.title} {verb(metric, 'has')} {over}"]
    wide = [share.key for share in shares if share.too_wide]
    if wide:
        sentences.append(
            f"{blocks.blocks} samples are too few to say how much of the variance of {metric.title} {listed(wide)} "
            f"{'explains' if len(wide) == 1 else 'explain'}: intervals reach further than {percent(WIDEST)} % to each "
            "side"
        )
    sentences += [_of_share(share, metric) for share in shares if not share.too_wide]
    sentences += [] if wide else _order(shares)
    if not isnan(blocks.chance_share):
        sentences.append(
            f"chance makes {percent(blocks.chance_share)} % of the variance; it counts among what settings do together"
        )
    return sentences


def _of_share(share: Share, metric: Metric) -> str:
    of = f"of the variance of {metric.title}"
    if share.total_interval.high < NEGLIGIBLE:
        return f"{of}, {share.key} explains less than {percent(NEGLIGIBLE)} % in all: it can be held fixed"
    together = f"{_in_words(share.total, share.total_interval)} together with the others"
    if share.first_interval.low <= 0.0:
        return f"{of}, {share.key} explains nothing by itself that can be told apart from chance, and {together}"
    return f"{of}, {share.key} explains {_in_words(share.first, share.first_interval)} by itself, and {together}"


def _order(shares: tuple[Share, ...]) -> list[str]:
    """Which setting surely explains the most, if one does."""
    first, *others = shares
    behind = [other.key for other in others if other.total_interval.high < first.total_interval.low]
    return [f"the most is explained by {first.key}, surely more than by {listed(behind)}"] if behind else []


def _in_words(share: float, interval: Interval) -> str:
    value, ends = share_texts(share, interval)
    return f"{value} ({ends})"


def share_texts(share: float, interval: Interval) -> tuple[str, str]:
    """A share and its interval, ended where a share ends: estimates of it may lie beyond."""
    value, low, high = (percent(min(1.0, max(0.0, some))) for some in (share, interval.low, interval.high))
    return f"{value} %", f"{low} to {high}"
