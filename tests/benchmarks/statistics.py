"""How often intervals hold and tests are wrong: ``python -m tests.benchmarks.statistics`` (about two minutes)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.random import Generator

from experimental_frames.statistics import batch_means, mann_kendall, mean_over_replications, replicate_until, trend
from tests.experimental_frames.statistics.known import autoregressive, waits

SEED = 21


def percent(found: Iterable[bool]) -> str:
    """How many of them are true."""
    return f"{100.0 * float(np.mean(list(found))):.1f} %"


def replications(draw: Generator) -> None:
    """Student's intervals."""
    for n in (5, 10, 20, 40):
        normal = percent(mean_over_replications(row).interval.holds(0.0) for row in draw.normal(size=(4000, n)))
        skewed = percent(mean_over_replications(row).interval.holds(1.0) for row in draw.exponential(size=(4000, n)))
        print(f"Student's interval of {n} values: {normal} of normal ones, {skewed} of exponential ones")
    means = waits(draw, 0.5, 10_000, 1000)[:, 100:].mean(axis=1).reshape(1000, 10)
    held = percent(mean_over_replications(row).interval.holds(1.0) for row in means)
    print(f"of ten runs of M/M/1 at load 0.5: {held}")


def batches(draw: Generator) -> None:
    """Batch means."""
    for memory, n in ((0.0, 1000), (0.8, 1000), (0.8, 3000), (0.95, 3000), (0.95, 10_000)):
        held = percent(batch_means(row).interval.holds(0.0) for row in autoregressive(draw, memory, 1000, n))
        print(f"batch means of {n} values of an AR(1) of {memory}: {held}")
    for load, n in ((0.5, 10_000), (0.8, 10_000), (0.8, 50_000)):
        rows = waits(draw, load, 300, n + 1000)[:, 1000:]
        held = percent(batch_means(row).interval.holds(load / (1.0 - load)) for row in rows)
        print(f"batch means of {n} waits at load {load}: {held}")


def stopping(draw: Generator) -> None:
    """Sequential stopping."""
    for ratio in (2, 4, 8):
        found = [
            replicate_until(lambda number, row=row: float(row[number]), 1.0 / ratio, most=600)  # type: ignore[misc]
            for row in draw.normal(size=(1000, 600))
        ]
        held, n = percent(one.interval.holds(0.0) for one in found), np.mean([one.mean.n for one in found])
        print(f"stopping at a half-width of 1/{ratio} of the deviation: {held}, after {n:.0f} replications")


def trends(draw: Generator) -> None:
    """The trend test, Sen's interval, and the power for the slope that is said to be detectable."""
    for n in (320, 80):
        for memory in (0.0, 0.5, 0.8, 0.9, 0.95):
            rows = autoregressive(draw, memory, 1500, n)
            found = [trend(row) for row in rows]
            slope = np.mean([one.detectable(0.05, 0.9) for one in found])
            print(
                f"{n} values of an AR(1) of {memory}: rising at 5 %: {percent(one.p < 0.05 for one in found)}, "
                f"at 1 %: {percent(one.p < 0.01 for one in found)}, "
                f"and worth 10 values: {percent(one.p < 0.01 and one.independent >= 10.0 for one in found)}, "
                f"plain test at 5 %: {percent(mann_kendall(row, 'up').p < 0.05 for row in rows[:400])}, "
                f"interval: {percent(one.interval.holds(0.0) for one in found)}, "
                f"power: {percent(trend(row + slope * np.arange(n)).p < 0.05 for row in rows[:700])}"
            )


if __name__ == "__main__":
    for part in (replications, batches, stopping, trends):
        part(np.random.default_rng(SEED))
