"""How often intervals hold and tests are wrong: ``python -m tests.benchmarks.statistics`` (about two minutes).

It prints the tables and rates of docs/statistics.md, and of the docstrings in `experimental_frames.statistics`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.random import Generator

from devs_robotics.experimental_frames.statistics import (
    batch_means,
    mann_kendall,
    mean_over_replications,
    mser5,
    paired_comparison,
    replicate_until,
    trend,
)
from devs_robotics.experimental_frames.statistics.distributions import student_quantile
from devs_robotics.experimental_frames.statistics.estimates import bootstrap_interval
from devs_robotics.experimental_frames.statistics.series import Array
from devs_robotics.experimental_frames.sweep.ratios import log_ratio_interval
from tests.experimental_frames.statistics.known import autoregressive, waits

SEED = 21

Sides = tuple[Array, ...]
"""The two values of each pair."""


def percent(found: Iterable[bool]) -> str:
    """How many of them are true."""
    return f"{100.0 * float(np.mean(list(found))):.1f}"


def table(*rows: Sequence[object]) -> None:
    """Print it, its heads first."""
    heads, *others = rows
    for row in (heads, ["---"] * len(heads), *others):
        print("|", " | ".join(map(str, row)), "|")
    print(flush=True)


def replications(draw: Generator) -> None:
    """Student's and bootstrap intervals."""
    sizes = (5, 10, 20, 40)
    normal, skewed, resampled = [], [], []
    for n in sizes:
        normal.append(percent(mean_over_replications(row).interval.holds(0.0) for row in draw.normal(size=(4000, n))))
        rows = draw.exponential(size=(4000, n))
        skewed.append(percent(mean_over_replications(row).interval.holds(1.0) for row in rows))
        resampled.append(percent(bootstrap_holds(row, 0.0) for row in draw.normal(size=(1000, n))))
    table(
        ["of", *sizes],
        ["normal, Student's", *normal],
        ["exponential, Student's", *skewed],
        ["normal, bootstrap", *resampled],
    )
    means = waits(draw, 0.5, 10_000, 1000)[:, 100:].mean(axis=1).reshape(1000, 10)
    print(
        f"ten runs of M/M/1 at load 0.5: {percent(mean_over_replications(row).interval.holds(1.0) for row in means)}\n"
    )


def bootstrap_holds(values: Array, truth: float) -> bool:
    """Whether the interval holds it."""
    return bootstrap_interval(values, "benchmark", resamples=999).holds(truth)


def pairs(draw: Generator) -> None:
    """Common random numbers in a queue whose server is 5 % faster."""
    seeds = draw.integers(1 << 30, size=200)
    gains, held = [], []
    truth = 0.475 * 0.95 / (1.0 - 0.475) - 1.0
    for seed in seeds:
        usual, faster = (
            waits(np.random.default_rng(seed), 0.5, 20, 1000, service)[:, 100:].mean(axis=1) for service in (1.0, 0.95)
        )
        found = paired_comparison(faster, usual)
        gains.append(found.gain)
        held.append(found.interval.holds(truth))
    print(
        f"20 pairs of M/M/1: gain {np.quantile(gains, 0.05):.0f} to {np.quantile(gains, 0.95):.0f}, {percent(held)}\n"
    )


def ratio_intervals(draw: Generator) -> None:
    """Ratios of paired means: how often the interval holds 1, and how wide it is beside Student's with the same error.

    Below the fewest pairs for which there is an interval, its formula is asked all the same.
    """
    rows: list[list[object]] = [["pairs", *(f"{kind}: held; 10 %, 1 %" for kind in PAIRS)]]
    for pairs in (5, 6, 8, 10, 20):
        cells = []
        for values in PAIRS.values():
            held, wide = [], []
            for trial in range(500):
                over, under = values(draw, pairs)
                interval, error = log_ratio_interval(over, under, str(trial), level=0.95, resamples=999)
                held.append(interval.holds(0.0))
                wide.append(interval.half_width / (student_quantile(0.975, pairs - 1) * error))
            cells.append(f"{percent(held)}; {np.quantile(wide, 0.9):.1f}, {np.quantile(wide, 0.99):.1f}")
        rows.append([pairs, *cells])
    table(*rows)


def in_common(draw: Generator, pairs: int) -> Sides:
    """Log-normal pairs that have most of their scatter in common."""
    common, apart = draw.normal(0.0, 0.3, pairs), draw.normal(0.0, 0.1, (2, pairs))
    return np.exp(common + apart[0]), np.exp(common + apart[1])


PAIRS: dict[str, Callable[[Generator, int], Sides]] = {
    "in common": in_common,
    "apart": lambda draw, pairs: tuple(np.exp(draw.normal(0.0, 0.3, (2, pairs)))),
    "exponential": lambda draw, pairs: tuple(draw.exponential(1.0, (2, pairs))),
}


def batches(draw: Generator) -> None:
    """Batch means."""
    rows: list[list[object]] = [["series", "n", "held"]]
    for memory, n in ((0.0, 1000), (0.8, 1000), (0.8, 3000), (0.95, 3000), (0.95, 10_000)):
        held = percent(batch_means(row).interval.holds(0.0) for row in autoregressive(draw, memory, 1000, n))
        rows.append([f"AR(1), rho = {memory:g}", n, held])
    for load, n in ((0.5, 10_000), (0.8, 10_000), (0.8, 50_000)):
        series = waits(draw, load, 300, n + 1000)[:, 1000:]
        held = percent(batch_means(row).interval.holds(load / (1.0 - load)) for row in series)
        rows.append([f"waits in M/M/1, load {load}", n, held])
    table(*rows)


def warm_up(draw: Generator) -> None:
    """What MSER-5 takes of series that have no transient."""
    for memory in (0.0, 0.8, 0.9):
        found = [mser5(row) for row in autoregressive(draw, memory, 4000, 340)]
        length, unsettled = np.mean([one.length for one in found]), percent(not one.settled for one in found)
        print(f"MSER-5 of 340 values, rho = {memory}: {length:.1f} values are cut, not settled {unsettled}")
    print()


def stopping(draw: Generator) -> None:
    """Sequential stopping."""
    for ratio in (2, 4, 8):
        found = [
            replicate_until(lambda number, row=row: float(row[number]), 1.0 / ratio, most=600)  # type: ignore[misc]
            for row in draw.normal(size=(1000, 600))
        ]
        held, n = percent(one.interval.holds(0.0) for one in found), np.mean([one.mean.n for one in found])
        print(f"stopping at a half-width of 1/{ratio} of the deviation: {held}, after {n:.0f} replications")
    print()


def trends(draw: Generator) -> None:
    """The trend test, Sen's interval, and the power for the slope that is said to be detectable."""
    table_rows: list[list[object]] = [
        ["values", "rho", "at 5 %", "at 1 %", "at 1 %, worth 10", "plain at 5 %", "interval", "power"]
    ]
    for n in (320, 80):
        for memory in (0.0, 0.5, 0.8, 0.9, 0.95):
            rows = autoregressive(draw, memory, 1500, n)
            found = [trend(row) for row in rows]
            slope = np.mean([one.detectable(0.05, 0.9) for one in found])
            table_rows.append(
                [
                    n,
                    f"{memory:g}",
                    percent(one.p < 0.05 for one in found),
                    percent(one.p < 0.01 for one in found),
                    percent(one.p < 0.01 and one.independent >= 10.0 for one in found),
                    percent(mann_kendall(row, "up").p < 0.05 for row in rows[:400]),
                    percent(one.interval.holds(0.0) for one in found),
                    percent(trend(row + slope * np.arange(n)).p < 0.05 for row in rows[:700]),
                ]
            )
    table(*table_rows)
    slow = autoregressive(draw, 0.95, 1500, 320) + draw.normal(size=(1500, 320))
    print(f"AR(1) of 0.95 beneath as much white noise: {percent(trend(row).p < 0.01 for row in slow)} rise at 1 %")


if __name__ == "__main__":
    for part in (replications, pairs, ratio_intervals, batches, warm_up, stopping, trends):
        part(np.random.default_rng(SEED))
