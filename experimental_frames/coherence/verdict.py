"""Formation coherence: a definition, and a verdict on a run.

A formation is *coherent* in a run if, after the transient,

1. no robot is lost;
2. its position error is bounded: it shows no upward trend, in a run that is long enough to have shown one;
3. its position error stays within the margin but for a small share of the time.

It is *not* coherent if a robot is lost, the error rises, or it is beyond the margin for more than that share of the
time. In all other cases the run is too short to tell, and the verdict is *undecided*.
"""

from __future__ import annotations

from collections.abc import Collection
from math import inf, nan
from typing import Literal

import numpy as np
from msgspec import Struct, structs

from devs_robotics.experimental_frames.statistics import Interval, StatisticsError, Trend, batch_means, mser5, trend
from devs_robotics.experimental_frames.statistics.series import Array, Numbers, checked

Verdict = Literal["coherent", "not", "undecided"]
"""What is said of a formation."""

FEWEST_SETTLED = 40
"""Values after the transient, without which nothing is said of the error."""

INDEPENDENT = 10.0
"""So many independent values must a run be worth for a trend to be told from slow wandering."""

NEGLIGIBLE = 0.001
"""Share of the margin; a trend of less than this is none, however sure: without noise there are such."""

NOTHING = Interval(nan, nan)


class Criteria(Struct, frozen=True):
    """How sure a verdict is to be.

    Attributes:
        alpha: an error rises if the trend test finds less than this probability of such a rise by chance
        doubt: it may rise, and is not called bounded, if the probability is less than this
        power: probability with which a drift must have been found that would use up the margin
        horizon: within so many times the observed length it would
        beyond: share of the time for which the error may be beyond the margin
    """

    alpha: float = 0.01
    doubt: float = 0.05
    power: float = 0.9
    horizon: float = 1.0
    beyond: float = 0.1


class Coherence(Struct, frozen=True):
    """Whether a formation was coherent; numbers are NaN where the run was too short for them.

    Attributes:
        verdict: coherent, not, or undecided
        reasons: for the verdict, sentences
        transient: values that were left out at the beginning
        mean: of the error after it (m)
        margin: that it has (m)
        margin_left: from the mean to the margin (m)
        beyond: share of the time for which the error was beyond the margin
        p: of the upward trend
        slope: of the error (m per unit of time)
        interval: of the slope, at 95 %
        detectable: slope that would have been found with the wanted power (m per unit of time)
    """

    verdict: Verdict
    reasons: tuple[str, ...]
    transient: int
    mean: float
    margin: float
    margin_left: float
    beyond: float
    p: float = nan
    slope: float = nan
    interval: Interval = NOTHING
    detectable: float = nan


DEFAULT = Criteria()

Finding = tuple[Verdict, str]
"""What one part of the definition says, and why."""


def coherence(
    times: Numbers,
    errors: Numbers,
    robots_lost: Collection[int],
    margin: float,
    *,
    transient: int | None = None,
    unit: str = "round",
    criteria: Criteria = DEFAULT,
) -> Coherence:
    """The verdict on one run.

    Args:
        times: of the errors, about equally spaced, in `unit`
        errors: the formation's position error (m)
        robots_lost: their numbers
        margin: that the error has (m), as `sight_margin` gives it
        transient: values to leave out at the beginning; absent: MSER-5 finds them, within the first half
        unit: of time, in the singular, for people
        criteria: how sure the verdict is to be

    Raises:
        StatisticsError: times and errors do not fit each other, a value is not finite, or the margin is none
    """
    clock, series = checked(times, 0, "coherence"), checked(errors, 0, "coherence")
    if clock.size != series.size:
        raise StatisticsError(
            f"coherence got {series.size} errors and {clock.size} times: give one time for each error"
        )
    if not 0.0 < margin < inf:
        raise StatisticsError(f"a margin of {margin:g} m is not possible: give a positive length")
    if transient is not None and transient < 0:
        raise StatisticsError(f"a transient of {transient} values is not possible: give 0 or more")
    findings: list[Finding] = [_lost(robots_lost)]
    cut, settled = (transient, True) if transient is not None else _transient(series)
    clock, series = clock[cut:], series[cut:]
    mean = float(series.mean()) if series.size else nan
    left = margin - mean
    share = float((series > margin).mean()) if series.size else nan
    if series.size < FEWEST_SETTLED:
        why = f"{series.size} values after the transient are too few to tell: {FEWEST_SETTLED} are the fewest"
        return _conclude([*findings, ("undecided", why)], Coherence("coherent", (), cut, mean, margin, left, share))
    found = trend(series, clock)
    detectable = found.detectable(criteria.alpha, criteria.power)
    findings += [
        _bounded(found, detectable, mean, margin, float(clock[-1] - clock[0]), unit, criteria),
        _within(series, margin, criteria.beyond),
    ]
    if not settled:
        findings.append(("undecided", "the transient takes up half of the run or more: run longer"))
    numbers = (cut, mean, margin, left, share, found.p, found.slope, found.interval, detectable)
    return _conclude(findings, Coherence("coherent", (), *numbers))


def _transient(series: Array) -> tuple[int, bool]:
    """By MSER-5; nothing where the series is too short for it, and for a verdict."""
    try:
        found = mser5(series)
    except StatisticsError:
        return 0, True
    return found.length, found.settled


def _lost(robots: Collection[int]) -> Finding:
    if not robots:
        return "coherent", "no robot is lost"
    numbers = sorted(robots)
    listed = ", ".join(map(str, numbers))
    return "not", f"robot {listed} is lost" if len(numbers) == 1 else f"robots {listed} are lost"


def _bounded(
    found: Trend, detectable: float, mean: float, margin: float, length: float, unit: str, criteria: Criteria
) -> Finding:
    """Whether the error rises, or would have been seen to."""
    rise = f"{_rate(found.slope)} cm per 100 {unit}s (p = {found.p:.2g})"
    steepest = max(-found.interval.low, found.interval.high)
    if steepest * length * criteria.horizon < NEGLIGIBLE * margin:
        return "coherent", f"the error does not rise: {rise}"
    if found.independent < INDEPENDENT:
        return "undecided", (
            f"the error wanders too slowly for so short a run: it is worth {found.independent:.1f} independent values, "
            f"and {INDEPENDENT:.0f} are needed to tell a drift from a slow return"
        )
    if found.p < criteria.alpha:
        return "not", f"the error rises by {rise}"
    if found.p < criteria.doubt:
        return "undecided", f"the error may be rising, by {rise}"
    if 0.0 < margin - mean < detectable * length * criteria.horizon:
        return "undecided", (
            f"no rise is seen, but the run is too short to rule out one that uses up the margin in "
            f"{criteria.horizon * length:g} {unit}s: it shows rises of {_rate(detectable)} cm or more"
        )
    return "coherent", f"the error does not rise: {rise}, {_rate(detectable)} would show"


def _rate(slope: float) -> str:
    """Centimetres per hundred units of time."""
    return f"{1e4 * slope:z.2f}"


def _within(series: Array, margin: float, allowed: float) -> Finding:
    """Whether the error is beyond the margin for no more than a share of the time."""
    outside = series > margin
    found = batch_means(outside.astype(np.float64))
    share = f"{100.0 * outside.mean():.1f} % of the time ({100.0 * allowed:g} % allowed)"
    beyond = f"error beyond the margin of {100.0 * margin:.1f} cm for {share}"
    if found.interval.low > allowed:
        return "not", beyond
    if found.interval.high > allowed:
        return "undecided", f"{beyond}, and the run is too short to decide whether that is more than allowed"
    return "coherent", beyond


def _conclude(findings: list[Finding], numbers: Coherence) -> Coherence:
    """What the parts come to, with the sentences of those that decide."""
    said = {verdict for verdict, _ in findings}
    verdict: Verdict = "not" if "not" in said else "undecided" if "undecided" in said else "coherent"
    return structs.replace(numbers, verdict=verdict, reasons=tuple(why for part, why in findings if part == verdict))
