"""At how many robots a metric is forecast to reach a margin."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.scalability.trend import Fit, Model, SizeTrend
from devs_robotics.experimental_frames.sweep.wording import quantity

MOST_MISSED = 0.05
"""From a curve that chance cannot explain, and that misses a mean by a larger share than this, nothing is forecast."""

FURTHEST = 10
"""Nothing is forecast for more robots than so many times the largest number that was tried."""


class Forecast(Struct, frozen=True):
    """When a metric reaches a margin, as far as its trend tells.

    Attributes:
        margin: in the metric's SI unit
        furthest: nothing is forecast beyond so many robots
        earliest: so many robots at which a run may reach it, by the most pessimistic curve that cannot be ruled out
        expected: at which the mean reaches it, by the chosen curve
        latest: at which nearly every run reaches it, by the most optimistic curve; these three are None if beyond
        reading: in plain words
    """

    margin: float
    furthest: int
    earliest: int | None
    expected: int | None
    latest: int | None
    reading: str


def forecast(trend: SizeTrend, metric: Metric, margin: float) -> Forecast:
    """When the prediction band of a trend reaches a margin: from above for a metric of which more is better.

    Args:
        trend: of the metric
        metric: which one
        margin: in its SI unit
    """
    largest = trend.sizes[-1]
    furthest = FURTHEST * largest
    if trend.miss > MOST_MISSED and not trend.describes:
        reading = (
            f"no curve describes {metric.title} well enough to forecast when {quantity(margin, metric)} is reached"
        )
        return Forecast(margin, furthest, None, None, None, reading)
    sign = -1.0 if metric.better == "more" else 1.0

    def reached(value: Callable[[Fit, float], float], fit: Fit) -> int | None:
        return _first(lambda size: sign * (value(fit, float(size)) - margin) >= 0.0, trend.sizes[0], furthest)

    def worst(fit: Fit, size: float) -> float:
        band = fit.at(size).run_band
        return band.low if sign < 0.0 else band.high

    def best(fit: Fit, size: float) -> float:
        band = fit.at(size).run_band
        return band.high if sign < 0.0 else band.low

    firsts = [size for fit in trend.plausible if (size := reached(worst, fit)) is not None]
    lasts = [reached(best, fit) for fit in trend.plausible]
    known = [size for size in lasts if size is not None]
    expected = reached(lambda fit, size: fit.at(size).mean, trend.chosen)
    earliest = min(firsts, default=None)
    latest = max(known) if len(known) == len(lasts) else None
    unseen = [(size, fit.model) for fit in trend.slight if (size := reached(worst, fit)) is not None]
    reading = _reading(trend, quantity(margin, metric), metric.title, (earliest, expected, latest), unseen)
    return Forecast(margin, furthest, earliest, expected, latest, reading)


def _first(holds: Callable[[int], bool], least: int, most: int) -> int | None:
    """The smallest number from which on something holds, if it holds for the largest: found by halving."""
    if holds(least):
        return least
    if not holds(most):
        return None
    while most - least > 1:
        middle = (least + most) // 2
        if holds(middle):
            most = middle
        else:
            least = middle
    return most


def _reading(
    trend: SizeTrend,
    margin: str,
    title: str,
    sizes: tuple[int | None, int | None, int | None],
    unseen: Sequence[tuple[int, Model]],
) -> str:
    earliest, expected, latest = sizes
    largest = trend.sizes[-1]
    if earliest is None:
        reach = f"{FURTHEST} times the largest N that was tried ({largest})"
        none = f"{title} is not forecast to reach {margin} within {reach}"
        if unseen:
            size, model = min(unseen)
            return f"{none}; but a {model} trend too slight for these runs to show may reach it from N = {size} on"
        return f"{none}; nothing is said of more robots"
    beyond = f"beyond {FURTHEST} times the largest N that was tried"
    middle = f"is expected at N = {expected}" if expected is not None else f"is expected {beyond}, if ever"
    end = f"all but surely by N = {latest}" if latest is not None else f"not surely even {beyond}"
    curves = " or ".join(fit.model for fit in trend.plausible)
    where = "within the N that were tried" if earliest <= largest else "by extrapolation"
    return (
        f"{title} may reach {margin} in a run from N = {earliest} on ({where}, by a {curves} trend); its mean {middle}"
        f", and a run reaches it {end}"
    )
