"""How often trends with N and forecasts are right: ``python -m tests.benchmarks.scalability`` (about a minute).

It prints the tables of docs/statistics.md on trends and forecasts.
"""

from __future__ import annotations

from math import exp, sqrt

import numpy as np

from devs_robotics.experimental_frames.convoy.metrics import metric_named
from devs_robotics.experimental_frames.scalability.forecast import forecast
from devs_robotics.experimental_frames.scalability.trend import fit_trend
from devs_robotics.experimental_frames.statistics.distributions import normal_tail
from tests.benchmarks.statistics import percent, table
from tests.experimental_frames.scalability.test_breaking import made as losses_made
from tests.experimental_frames.scalability.test_trend import NARROW, SLOPES, WIDE, made, made_narrow, truth

TRIALS = 500
SEED = 11
ERROR = metric_named("error_at_pose_changes_m")
GROWTHS = (-0.3, 0.0, 0.3)
FAR = 10_000
RUN = sqrt(0.01**2 + 0.004**2)
"""Standard deviation of one run about the true curve."""


def choices() -> None:
    """Which curve is chosen, and whether the true one is among those that are not ruled out: with growing scatter."""
    rows: list[list[object]] = [["N", "true curve", *(f"scatter as N^{growth:g}" for growth in GROWTHS)]]
    for sizes, make in ((WIDE, lambda *some: made(some[0], WIDE, *some[1:])), (NARROW, made_narrow)):
        for model in SLOPES:
            cells = []
            for growth in GROWTHS:
                rng = np.random.default_rng(SEED)
                found = [fit_trend(sizes, make(model, rng, growth)) for _ in range(TRIALS)]
                chosen = percent(trend.chosen.model == model for trend in found)
                plausible = percent(model in {fit.model for fit in trend.plausible} for trend in found)
                cells.append(f"{chosen} / {plausible}")
            rows.append([f"{sizes[0]} to {sizes[-1]}", model, *cells])
    table(*rows)


def bands() -> None:
    """How often the band of the true curve holds it at ten times the largest N."""
    held = {}
    for model in SLOPES:
        rng = np.random.default_rng(SEED)
        found = [fit_trend(WIDE, made(model, WIDE, rng)) for _ in range(TRIALS)]
        fits = [next(fit for fit in trend.fits if fit.model == model) for trend in found]
        held[model] = percent(fit.at(FAR).band.holds(truth(model, FAR)) for fit in fits)
    print(
        "bands hold the true curve at N = 10,000:", ", ".join(f"{model} {share}" for model, share in held.items()), "\n"
    )


def forecasts() -> None:
    """How many runs reach a margin at the N at which they may, and at which they all but surely do."""
    rows: list[list[object]] = [
        ["true curve", "margin (cm)", "runs beyond at the earliest N", "short of it at the latest"]
    ]
    for model, margin in (("logarithmic", 0.285), ("square root", 0.28), ("linear", 0.35)):
        rng = np.random.default_rng(SEED)
        beyond, short, n = 0.0, [], 0
        for _ in range(TRIALS):
            found = forecast(fit_trend(WIDE, made(model, WIDE, rng)), ERROR, margin)  # type: ignore[arg-type]
            n += 1
            if found.earliest is not None:
                beyond += normal_tail((margin - truth(model, found.earliest)) / RUN)  # type: ignore[arg-type]
            if found.latest is not None:
                short.append(normal_tail((truth(model, found.latest) - margin) / RUN))  # type: ignore[arg-type]
        share = f"{100.0 * float(np.mean(short)):.1f} ({100.0 * len(short) / n:.0f} % have one)" if short else "none"
        rows.append([model, f"{100.0 * margin:g}", f"{100.0 * beyond / n:.1f}", share])
    table(*rows)


def breaking() -> None:
    """Whether the interval of the N at which half of the runs lose a robot holds it, and growth that is none."""
    for runs in (10, 20):
        rng = np.random.default_rng(SEED)
        found = [losses_made(rng, -8.0, 1.6, runs) for _ in range(TRIALS)]
        told = [one.interval for one in found if one.interval is not None]
        held = percent(interval.holds(exp(8.0 / 1.6)) for interval in told)
        print(f"{runs} runs a size: told in {100.0 * len(told) / TRIALS:.1f}, held in {held}")
        growth = percent(losses_made(rng, -1.0, 0.0, runs).size is not None for _ in range(TRIALS))
        print(f"{runs} runs a size, as many lost at every N: growth is seen in {growth}")


if __name__ == "__main__":
    for part in (choices, bands, forecasts, breaking):
        part()
