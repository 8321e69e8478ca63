"""Morris' screening: which of many settings matter, from few runs (Morris, 1991; Campolongo et al., 2007)."""

from __future__ import annotations

from math import isnan, nan, pi, sqrt

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.sensitivity.design_responses import Blocks, blocks_of
from devs_robotics.experimental_frames.sensitivity.salib import salib
from devs_robotics.experimental_frames.statistics.means import mean_over_replications
from devs_robotics.experimental_frames.statistics.series import LEVEL, Array, Interval
from devs_robotics.experimental_frames.sweep.reading import Sweep, SweepError
from devs_robotics.experimental_frames.sweep.wording import plain, quantity, span

LEVELS = 4
"""Of the grid on which trajectories move, where the design does not say."""

FEWEST_TRAJECTORIES = 5
"""Trajectories that are needed for a conclusion."""

SHAPES = ((0.1, "almost linearly"), (0.5, "in one direction"), (1.0, "mostly in one direction"))
"""Up to which sigma / mu* an effect is called so (Garcia Sanchez et al., 2014, Energy and Buildings 68, 741-750)."""

MIXED = "in different directions, or together with other settings"


class Effect(Struct, frozen=True):
    """The elementary effects of one setting: changes of the metric, scaled to the whole range of the setting.

    Attributes:
        key: of the setting
        low, high: its range
        mean: mu, of the effects with their signs
        mean_interval: Student's
        size: mu*, of the effects without their signs
        size_interval: a bootstrap's; it never reaches below zero
        spread: sigma, the standard deviation of the effects
        chance: mu* that a setting without any effect would have; NaN where no point has two replicates
        told_apart: from chance: mu's interval does not hold 0, or mu* is surely above that of chance
        shape: how the metric follows the setting
        unit: of the setting; empty if it has none
    """

    key: str
    low: float
    high: float
    mean: float
    mean_interval: Interval
    size: float
    size_interval: Interval
    spread: float
    chance: float
    told_apart: bool
    shape: str
    unit: str = ""

    @property
    def range_text(self) -> str:
        """As in "0.1 to 0.4 m"."""
        return f"{plain(self.low)} to {plain(self.high)} {self.unit}".rstrip()


class Screening(Struct, frozen=True):
    """What Morris' method says of one metric.

    Attributes:
        metric: which one
        trajectories: from which it is computed
        replicates: runs behind a point, on average
        effects: the largest mu* first; empty where nothing is concluded
        withheld: why nothing is concluded; empty if something is
        conclusions: sentences, computed from the numbers
    """

    metric: Metric
    trajectories: int
    replicates: float
    effects: tuple[Effect, ...]
    withheld: str
    conclusions: tuple[str, ...]


def screen(sweep: Sweep, metric: str, *, level: float = LEVEL) -> Screening:
    """Morris' measures of a metric, from a Morris design.

    Args:
        sweep: points in the order in which SALib's `sample.morris` gives them
        metric: name of its column
        level: of the confidence

    Raises:
        SweepError: the sweep is no Morris design, or a varied key is not a number in some run
    """
    told, keys = sweep.subject.column(metric), sweep.keys
    blocks = blocks_of(sweep, metric, len(keys) + 1, called="trajectories", fewest=FEWEST_TRAJECTORIES)
    effects = () if blocks.withheld else _effects(sweep, blocks, level)
    return Screening(
        metric=told,
        trajectories=blocks.blocks,
        replicates=blocks.replicates,
        effects=effects,
        withheld=blocks.withheld,
        conclusions=blocks.conclusions(told, [_of_effect(told, effect) for effect in effects]),
    )


def _effects(sweep: Sweep, blocks: Blocks, level: float) -> tuple[Effect, ...]:
    keys, levels = list(sweep.keys), sweep.design.levels or LEVELS
    step = levels / (2.0 * (levels - 1))  # of the design, in shares of a range
    signed = _elementary_effects(blocks, len(keys), step)
    bounds = _bounds(sweep, blocks.inputs)
    found = salib("morris").analyze(
        {"num_vars": len(keys), "names": keys, "bounds": [list(bounds[key]) for key in keys]},
        blocks.inputs,
        blocks.responses,
        num_levels=levels,
        conf_level=level,
        num_resamples=999,
        seed=1,
    )
    chance = sqrt(2.0 * blocks.chance) / step * sqrt(2.0 / pi) if not isnan(blocks.chance) else nan
    effects = []
    for place, key in enumerate(keys):
        size, half = float(found["mu_star"][place]), float(found["mu_star_conf"][place])
        mean = mean_over_replications(signed[:, place], level=level)
        around = Interval(max(0.0, size - half), size + half, level)
        told_apart = not mean.interval.holds(0.0) or (not isnan(chance) and around.low > chance)
        effects.append(
            Effect(
                key=key,
                low=bounds[key][0],
                high=bounds[key][1],
                mean=mean.mean,
                mean_interval=mean.interval,
                size=size,
                size_interval=around,
                spread=float(found["sigma"][place]),
                chance=chance,
                told_apart=told_apart,
                shape=_shape(size, float(found["sigma"][place])),
                unit=sweep.units.get(key, ""),
            )
        )
    return tuple(sorted(effects, key=lambda effect: -effect.size))


def _elementary_effects(blocks: Blocks, keys: int, step: float) -> Array:
    """(trajectories, keys), with their signs, which SALib does not give; in each step one setting changes."""
    inputs = blocks.inputs.reshape(blocks.blocks, keys + 1, keys)
    changes = np.diff(inputs, axis=1)
    if (np.count_nonzero(changes, axis=2) != 1).any():
        raise SweepError(
            "the points are no Morris design, in which one key changes from each point to the next: give the table as "
            "it was made; a key of whole numbers needs a range that its levels divide"
        )
    moved = np.abs(np.sign(changes)).argmax(axis=2)
    signs = np.take_along_axis(np.sign(changes), moved[:, :, None], axis=2)[:, :, 0]
    found = np.zeros((blocks.blocks, keys))
    steps = np.diff(blocks.responses.reshape(blocks.blocks, keys + 1), axis=1)
    np.put_along_axis(found, moved, signs * steps / step, axis=1)
    return found


def _bounds(sweep: Sweep, inputs: Array) -> dict[str, tuple[float, float]]:
    seen = zip(inputs.min(axis=0).tolist(), inputs.max(axis=0).tolist(), strict=True)
    return dict(zip(sweep.keys, sweep.design.bounds or seen, strict=True))


def _shape(size: float, spread: float) -> str:
    return next((word for most, word in SHAPES if spread <= most * size), MIXED)


def _of_effect(metric: Metric, effect: Effect) -> str:
    where = f"over its range from {effect.range_text}"
    if not effect.told_apart:
        return f"{where}, no effect of {effect.key} on {metric.title} can be told apart from chance or interactions"
    return (
        f"{where}, {effect.key} changes {metric.title} by {quantity(effect.size, metric)} on average "
        f"({span(effect.size_interval, metric)}), {effect.shape}{_direction(effect)}"
    )


def _direction(effect: Effect) -> str:
    if effect.mean_interval.holds(0.0) or effect.shape == MIXED:
        return ""
    return ": up when it grows" if effect.mean > 0.0 else ": down when it grows"
