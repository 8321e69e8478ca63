"""How well the convoy keeps its formation: ``python -m tests.benchmarks.formation`` (about three minutes).

Ten seeds at each of the paper's three noise sets for 10, 20, 30 and 40 robots, 340 rounds each, with the defaults or
with what ``--set`` changes. Averages are over the runs in which no robot was lost.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import nan
from statistics import fmean

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.convoy import published_error_cm
from devs_robotics.scenarios.convoy.runs import load, run

NOISE_SETS = ((0.04, 0.04), (0.1, 0.08), (0.2, 0.1))
SIZES = (10, 20, 30, 40)
SEEDS = 10

Job = tuple[tuple[float, float], int, int]
"""Noise set, robots, seed."""


class Kept(Struct, frozen=True):
    """One run: position errors (cm), growth from the first to the second half, adjustments, and how it ended."""

    accepted: bool
    at_pose_changes: float
    at_completed_rounds: float
    growth: float
    adjustments: float
    speed: float


def measure(settings: list[str], job: Job) -> Kept:
    """Run one job."""
    (dnf, anf), robots, seed = job
    own = [f"noise.dnf={dnf}", f"noise.anf={anf}", f"convoy.robots={robots}", f"run.seed={seed}"]
    outcome = run(load("convoy", [*settings, *own]))
    metrics = outcome.metrics
    errors = np.asarray(outcome.formation.error_sums)[np.asarray(outcome.formation.times) > metrics.transient_end_s]
    first, second = np.array_split(errors, 2)
    return Kept(
        outcome.ended == "accepted",
        100.0 * metrics.error_at_pose_changes.mean_over_all,
        100.0 * metrics.error_at_completed_rounds.mean_over_all,
        float(second.mean() / first.mean() - 1.0) if second.size else nan,
        metrics.adjustments_per_round,
        100.0 * metrics.convoy_speed_m_per_s,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", dest="settings", metavar="KEY=VALUE", action="append", default=[])
    parser.add_argument("--first-seed", type=int, default=1, help="of ten (default: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: one per core)")
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + SEEDS)
    jobs: list[Job] = [(noise, robots, seed) for noise in NOISE_SETS for robots in SIZES for seed in seeds]
    with ProcessPoolExecutor(options.jobs) as pool:
        results = dict(zip(jobs, pool.map(partial(measure, options.settings), jobs), strict=True))
    print(" DNF   ANF  robots  kept  E moving cm  published  E at rounds cm  growth  adjustments  speed cm/s")
    for noise in NOISE_SETS:
        for robots in SIZES:
            runs = [results[noise, robots, seed] for seed in seeds]
            kept = [run for run in runs if run.accepted] or runs
            published = published_error_cm(robots, *noise)
            print(
                f"{noise[0]:4.2f}  {noise[1]:4.2f}  {robots:6}  {sum(run.accepted for run in runs):4}"
                f"  {fmean(run.at_pose_changes for run in kept):11.1f}  {published or '':>9}"
                f"  {fmean(run.at_completed_rounds for run in kept):14.1f}  {fmean(run.growth for run in kept):6.1%}"
                f"  {fmean(run.adjustments for run in kept):11.2f}  {fmean(run.speed for run in kept):10.1f}"
            )


if __name__ == "__main__":
    main()
