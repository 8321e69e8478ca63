"""Samples of ranges, drawn by SALib so that SALib can analyse what comes of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any, Literal

from devs_robotics.core.extras import needed
from devs_robotics.scenarios.errors import DesignError
from devs_robotics.scenarios.sweeps.axes import Range

Kind = Literal["sobol", "morris"]

LEVELS = 4
"""Of the grid on which Morris' trajectories move, as is usual."""

SECOND_ORDER = False
"""Indices of the second order would cost nearly twice as many runs."""


def sample_size(kind: Kind, keys: int, samples: int | None) -> int:
    """How many points a sample has.

    Args:
        kind: of sample
        keys: how many there are
        samples: N, the base sample of Sobol indices or the number of Morris' trajectories

    Raises:
        DevsRoboticsError: N is missing, or not fit for this kind
    """
    if samples is None:
        raise DesignError(f"--{kind} needs --samples N: try {'64' if kind == 'sobol' else '10'}")
    if kind == "morris":
        if samples < 2:
            raise DesignError(f"--samples {samples} gives no spread of effects: make it at least 2, better 10")
        return samples * (keys + 1)
    if samples < 2 or samples & (samples - 1):
        near = 1 << max(1, samples.bit_length())
        raise DesignError(f"--samples {samples} would not fill the space evenly: take a power of 2, such as {near}")
    return samples * (keys + 2)


def sample(kind: Kind, ranges: Sequence[Range], samples: int, seed: int) -> list[tuple[float, ...]]:
    """The points of a sample, in SALib's order; whole numbers where a range is one of those.

    Raises:
        DevsRoboticsError: SALib is not installed
    """
    with needed(f"--{kind} needs", DesignError):
        from SALib.sample import morris, sobol
    problem: dict[str, Any] = {
        "num_vars": len(ranges),
        "names": [each.key for each in ranges],
        "bounds": [[each.low, each.high + each.whole] for each in ranges],  # all whole numbers are equally likely
    }
    if kind == "sobol":
        rows = sobol.sample(problem, samples, calc_second_order=SECOND_ORDER, seed=seed)
    else:
        rows = morris.sample(problem, samples, num_levels=LEVELS, seed=seed)
    return [tuple(_value(each, value) for each, value in zip(ranges, row, strict=True)) for row in rows.tolist()]


def _value(place: Range, value: float) -> float:
    return min(floor(value), int(place.high)) if place.whole else value
