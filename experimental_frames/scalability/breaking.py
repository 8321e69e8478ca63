"""The share of runs that lose a robot, against the number of robots: a logistic regression.

The logarithm of the odds of losing one is ``a + b ln N``. It is fitted with Firth's penalty (Firth, 1993, Biometrika
80, 27-38; Heinze & Schemper, 2002), so that it has an answer even where no small team and every large one breaks.
The interval of N is that of the likelihood ratio, without the penalty, which would have an opinion where the runs have
none. Runs are taken to be independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, log, nan

import numpy as np
from msgspec import Struct
from scipy import stats  # type: ignore[import-untyped]
from scipy.optimize import brentq, minimize, minimize_scalar  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.scalability.forecast import FURTHEST
from devs_robotics.experimental_frames.statistics.series import LEVEL, Array, Interval
from devs_robotics.experimental_frames.sweep.losses import Losses
from devs_robotics.experimental_frames.sweep.wording import percent

FEWEST_LOST = 3
"""With fewer runs that lost a robot, and with fewer that did not, there is no curve to be seen."""

SHARE = 0.5
"""Of runs that lose a robot, at which the team is called broken."""

STEEPEST = 50.0
"""Of slopes that are looked at: the odds grow by more than a thousand where N grows by a sixth."""


class Breaking(Struct, frozen=True):
    """At how many robots so large a share of runs loses a robot.

    Attributes:
        share: which share
        level, slope: a and b of the regression; NaN where there is none
        p_value: of there being no dependence on N; NaN where there is no regression
        size: number of robots; None where it is not told
        interval: of it, with infinite or zero ends where the runs do not bound it; None where it is not told
        reading: in plain words
    """

    share: float
    level: float
    slope: float
    p_value: float
    size: float | None
    interval: Interval | None
    reading: str

    def share_at(self, size: float) -> float:
        """The share of runs of so many robots that lose one; NaN where there is no regression."""
        return 1.0 / (1.0 + exp(-(self.level + self.slope * log(size))))


def breaking_size(
    losses: Sequence[tuple[int, Losses]], *, team: str = "team", share: float = SHARE, level: float = LEVEL
) -> Breaking:
    """Fit the regression and say when the team breaks.

    Args:
        losses: number of robots, and how many runs of so many lost one
        team: what the robots are together, for people
        share: of runs that lose a robot, at which the team is called broken
        level: of the confidence
    """
    known = [(robots, found) for robots, found in losses if found.runs]
    runs, lost = sum(found.runs for _, found in known), sum(found.lost for _, found in known)
    untold = _untold(known, runs, lost, team)
    if untold:
        return Breaking(share, nan, nan, nan, None, None, untold)
    data = _Data(known)
    base, slope, best = data.fit()
    flat = data.best_level(0.0)[1]
    doubt = float(stats.chi2.sf(max(0.0, 2.0 * (best - flat)), 1))
    largest = known[-1][0]
    if slope <= 0.0 or doubt > 1.0 - level:
        reading = (
            f"{lost} of {runs} runs lost a robot, and no growth with N can be told apart from chance: no forecast of "
            f"where the {team} breaks"
        )
        return Breaking(share, base, slope, doubt, None, None, reading)
    odds = log(share / (1.0 - share))
    size = exp((odds - base) / slope)
    interval = data.interval(odds, log(size), level)
    return Breaking(share, base, slope, doubt, size, interval, _reading(share, size, interval, largest))


class _Data:
    """The runs, and the likelihood of a curve through them."""

    def __init__(self, known: Sequence[tuple[int, Losses]]) -> None:
        self.robots = np.log([robots for robots, _ in known])
        self.runs = np.array([found.runs for _, found in known], dtype=np.float64)
        self.lost = np.array([found.lost for _, found in known], dtype=np.float64)

    def likelihood(self, base: float, slope: float) -> float:
        """Its logarithm."""
        odds = base + slope * self.robots
        return float((self.lost * odds - self.runs * np.logaddexp(0.0, odds)).sum())

    def penalised(self, base: float, slope: float) -> float:
        """The likelihood with Firth's penalty: half the logarithm of the determinant of the information."""
        odds = base + slope * self.robots
        weights = self.runs * np.exp(-np.logaddexp(0.0, odds) - np.logaddexp(0.0, -odds))
        total = weights.sum()
        if total <= 1e-290:
            return -inf
        centre = (weights * self.robots).sum() / total
        spread = (weights * (self.robots - centre) ** 2).sum()
        if total * spread <= 1e-290:
            return -inf
        return self.likelihood(base, slope) + 0.5 * log(total * spread)

    def fit(self) -> tuple[float, float, float]:
        """Level, slope and their penalised likelihood; curves are searched by their level in the middle and slope."""
        centre = float(self.robots.mean())
        found = minimize(
            lambda both: -self.penalised(both[0] - both[1] * centre, both[1]),
            np.array([log((self.lost.sum() + 0.5) / ((self.runs - self.lost).sum() + 0.5)), 1.0]),
            method="Nelder-Mead",
            options={"xatol": 1e-8, "fatol": 1e-10, "maxiter": 4000, "maxfev": 4000},
        )
        base, slope = float(found.x[0] - found.x[1] * centre), float(found.x[1])
        return base, slope, self.penalised(base, slope)

    def best_level(self, slope: float) -> tuple[float, float]:
        """The best level of curves with a slope, and its penalised likelihood."""
        found = minimize_scalar(lambda base: -self.penalised(base, slope), bounds=(-50.0, 50.0), method="bounded")
        return float(found.x), -float(found.fun)

    def best_through(self, odds: float, place: float) -> float:
        """The largest likelihood of rising curves that have these odds at a logarithm of N."""
        slopes = np.geomspace(1e-3, STEEPEST, 60)
        curves = odds + slopes[:, None] * (self.robots - place)
        values: Array = (self.lost * curves - self.runs * np.logaddexp(0.0, curves)).sum(axis=1)
        best = int(values.argmax())
        ends = slopes[max(0, best - 1)], slopes[min(len(slopes) - 1, best + 1)]
        found = minimize_scalar(
            lambda slope: -self.likelihood(odds - slope * place, slope), bounds=ends, method="bounded"
        )
        return max(-float(found.fun), float(values[best]))

    def interval(self, odds: float, best: float, level: float) -> Interval:
        """Of N: where curves through the odds are likely enough, as far as ten times beyond what was tried."""
        reach = log(FURTHEST)
        low, high = min(best, float(self.robots[0])) - reach, max(best, float(self.robots[-1])) + reach
        likeliest = max((best, *np.linspace(low, high, 60).tolist()), key=lambda place: self.best_through(odds, place))
        least = self.best_through(odds, likeliest) - float(stats.chi2.ppf(level, 1)) / 2.0

        def end(far: float, none: float) -> float:
            if self.best_through(odds, far) >= least:
                return none
            return exp(float(brentq(lambda place: self.best_through(odds, place) - least, likeliest, far, xtol=1e-4)))

        return Interval(end(low, 0.0), end(high, inf), level)


def _untold(known: Sequence[tuple[int, Losses]], runs: int, lost: int, team: str) -> str:
    if not runs:
        return f"no run came to a verdict: no forecast of where the {team} breaks"
    if not lost:
        largest, found = known[-1]
        assert found.interval is not None
        return (
            f"none of {runs} runs lost a robot: no forecast of where the {team} breaks (at N = {largest}, the "
            f"largest that was tried, at most {percent(found.interval.high)} % of runs do)"
        )
    if len(known) < 2 or min(lost, runs - lost) < FEWEST_LOST:
        return (
            f"{lost} of {runs} runs lost a robot: to forecast where the {team} breaks it takes two sizes, and "
            f"{FEWEST_LOST} runs that lose a robot and as many that lose none"
        )
    return ""


def _reading(share: float, size: float, interval: Interval, largest: int) -> str:
    what = f"{percent(share)} % of runs of this length lose a robot"
    if size > FURTHEST * largest:
        return f"{what} at no N within {FURTHEST} times the largest that was tried ({largest}): no forecast"
    low = f"{interval.low:.0f}" if interval.low > 0.0 else "fewer"
    high = f"{interval.high:.0f}" if interval.high < inf else "more than can be told"
    where = "within the N that were tried" if size <= largest else "by extrapolation"
    return f"{what} at N = {size:.0f} ({low} to {high}), {where}"
