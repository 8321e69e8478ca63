"""A metric's trend with the number of robots: the simplest curve that its numbers ask for.

Five curves ``y = a + b g(N)`` are weighed: constant (b = 0), levelling off (g = 1/N), logarithmic (g = ln N), square
root and linear. An average over all N robots to which one adds nothing levels off with 1/N; independent errors
that add up along a line grow with the square root.

Each replicate is fitted by itself, and what is told is the mean over replicates with Student's interval. So nothing
need be assumed of the numbers within a replicate: under common random numbers they belong together, and they may
scatter more at one N than at another. The rule of choice:

1. A curve takes part only if its slope b is told apart from chance: the interval over replicates does not hold 0.
2. Of those and the constant, the one with the least AICc (Hurvich & Tsai, 1989), each replicate having a level of its
   own; the constant already if its AICc is within 2 of the least.
3. Curves within 4 of the least cannot be ruled out, and take part in forecasts.
4. The chosen curve describes the trend unless a test for lack of fit against the means of each N refuses it at 1 %.
   Of many runs that test refuses curves that are very near; so it is told by how much the curve misses those means.

How often that is right is in docs/statistics.md and comes from ``python -m tests.benchmarks.scalability``: where there
is no trend, one is seen in 3 to 9 % of all cases; over two decades of N the true curve is nearly always chosen; over a
factor of four curves are much alike, and the true one is chosen in 49 to 97 % but not ruled out in 93 to 99 %.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log, sqrt
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from scipy import stats  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.statistics.distributions import student_quantile
from devs_robotics.experimental_frames.statistics.means import mean_over_replications
from devs_robotics.experimental_frames.statistics.series import LEVEL, Array, Interval

Model = Literal["constant", "levelling off", "logarithmic", "square root", "linear"]

CURVES: dict[Model, Callable[[Array], Array]] = {
    "constant": lambda robots: np.zeros(robots.shape),
    "levelling off": lambda robots: 1.0 / robots,
    "logarithmic": np.log,
    "square root": np.sqrt,
    "linear": np.asarray,
}

FEWEST_SIZES = 3
"""Of two sizes there is no shape to be seen."""

FEWEST_REPLICATES = 2

SIMPLER = 2.0
"""So much more AICc than the best one the constant may have and is chosen."""

NOT_RULED_OUT = 4.0

REFUSED = 0.01
"""Level of the test for lack of fit."""


class SizePoint(Struct, frozen=True):
    """A trend at one size.

    Attributes:
        size: number of robots
        mean: of the metric
        band: of the mean
        run_band: of one run to come
    """

    size: float
    mean: float
    band: Interval
    run_band: Interval


class Fit(Struct, frozen=True):
    """One curve, fitted.

    Attributes:
        model: which curve
        level: a; its interval
        slope: b; its interval; both 0 for the constant
        aicc: less the least of those that are admitted
        admitted: its slope is told apart from chance; the constant always is
        coefficients: a and b of each replicate
        scatter: standard deviation of runs at one size
    """

    model: Model
    level: float
    level_interval: Interval
    slope: float
    slope_interval: Interval
    aicc: float
    admitted: bool
    coefficients: tuple[tuple[float, float], ...]
    scatter: float

    def at(self, size: float) -> SizePoint:
        """The trend at a size, which need not have been tried."""
        shape = float(CURVES[self.model](np.array([size], dtype=np.float64))[0])
        values = np.array([level + slope * shape for level, slope in self.coefficients])
        wanted = self.level_interval.level
        mean = mean_over_replications(values, level=wanted)
        error = sqrt(mean.deviation**2 / mean.n + self.scatter**2)
        half = student_quantile((1.0 + wanted) / 2.0, mean.n - 1) * error
        return SizePoint(size, mean.mean, mean.interval, Interval(mean.mean - half, mean.mean + half, wanted))


class SizeTrend(Struct, frozen=True):
    """The trend of a metric with the number of robots.

    Attributes:
        sizes: that it was fitted to
        replicates: so many
        fits: all curves, the chosen one first and then by AICc
        describes: the chosen curve passes the test for lack of fit
        lack_of_fit: p-value of that test
        miss: largest distance of the mean at a size from the chosen curve, as a share of the mean over all
    """

    sizes: tuple[int, ...]
    replicates: int
    fits: tuple[Fit, ...]
    describes: bool
    lack_of_fit: float
    miss: float

    @property
    def chosen(self) -> Fit:
        """The curve that was chosen."""
        return self.fits[0]

    @property
    def plausible(self) -> tuple[Fit, ...]:
        """The curves that cannot be ruled out, the chosen one first."""
        return tuple(fit for fit in self.fits if fit is self.fits[0] or (fit.admitted and fit.aicc <= NOT_RULED_OUT))

    @property
    def slight(self) -> tuple[Fit, ...]:
        """The curves that would not be ruled out, but are not told apart from a constant by these runs."""
        return tuple(fit for fit in self.fits if not fit.admitted and fit.aicc <= NOT_RULED_OUT)


def fit_trend(sizes: Sequence[int], values: Array, *, level: float = LEVEL) -> SizeTrend:
    """Fit all curves and choose one.

    Args:
        sizes: numbers of robots, at least `FEWEST_SIZES`
        values: of the metric (replicates, sizes), of at least `FEWEST_REPLICATES` replicates
        level: of the confidence
    """
    robots = np.array(sizes, dtype=np.float64)
    fits = [_fit(model, robots, values, level) for model in CURVES]
    least = min(fit.aicc for fit in fits if fit.admitted)
    fits.sort(key=lambda fit: (not fit.admitted, fit.aicc))
    constant = next(fit for fit in fits if fit.model == "constant")
    chosen = constant if constant.aicc <= least + SIMPLER else fits[0]
    others = [fit for fit in fits if fit is not chosen]
    doubt = _lack_of_fit(chosen, robots, values)
    return SizeTrend(
        sizes=tuple(sizes),
        replicates=values.shape[0],
        fits=tuple(replace(fit, aicc=fit.aicc - least) for fit in [chosen, *others]),
        describes=doubt >= REFUSED,
        lack_of_fit=doubt,
        miss=_miss(chosen, robots, values),
    )


def _fit(model: Model, robots: Array, values: Array, level: float) -> Fit:
    shape = CURVES[model](robots)
    replicates = values.shape[0]
    if model == "constant":
        slopes = np.zeros(replicates)
    else:
        slopes = values @ (shape - shape.mean()) / ((shape - shape.mean()) ** 2).sum()
    levels = values.mean(axis=1) - slopes * shape.mean()
    told_level, told_slope = (mean_over_replications(some, level=level) for some in (levels, slopes))
    return Fit(
        model=model,
        level=told_level.mean,
        level_interval=told_level.interval,
        slope=told_slope.mean,
        slope_interval=told_slope.interval,
        aicc=_aicc(_unexplained(told_slope.mean, shape, values), values, 0 if model == "constant" else 1),
        admitted=model == "constant" or not told_slope.interval.holds(0.0),
        coefficients=tuple(zip(levels.tolist(), slopes.tolist(), strict=True)),
        scatter=sqrt(float(values.var(axis=0, ddof=1).mean())),
    )


def _unexplained(slope: float, shape: Array, values: Array) -> float:
    """Sum of squares that is left when each replicate has a level of its own."""
    left = values - values.mean(axis=1, keepdims=True) - slope * (shape - shape.mean())
    return _above_rounding(left, values)


def _aicc(unexplained: float, values: Array, slopes: int) -> float:
    """Of the differences within replicates, of which each has one less than there are sizes."""
    count = values.shape[0] * (values.shape[1] - 1)
    parameters = slopes + 1
    correction = 2.0 * parameters * (parameters + 1) / max(1, count - parameters - 1)
    return count * log(unexplained / count) + 2.0 * parameters + correction


def _lack_of_fit(fit: Fit, robots: Array, values: Array) -> float:
    """p-value of the F-test of a curve against a mean for each size."""
    replicates, sizes = values.shape
    slopes = 0 if fit.model == "constant" else 1
    left = _unexplained(fit.slope, CURVES[fit.model](robots), values)
    apart = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0, keepdims=True) + values.mean()
    pure = _above_rounding(apart, values)
    more, free = sizes - 1 - slopes, (replicates - 1) * (sizes - 1)
    ratio = max(0.0, left - pure) / more / (pure / free)
    return float(stats.f.sf(ratio, more, free))


def _miss(fit: Fit, robots: Array, values: Array) -> float:
    away = np.abs(values.mean(axis=0) - fit.level - fit.slope * CURVES[fit.model](robots)).max()
    return float(away / abs(values.mean())) if values.mean() else inf


def _above_rounding(left: Array, values: Array) -> float:
    """A sum of squares, but at least what rounding leaves of values that fit exactly."""
    return max(float((left**2).sum()), values.size * (1e-12 * float(np.abs(values).max())) ** 2, 1e-300)
