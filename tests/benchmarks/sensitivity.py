"""How often indices and elementary effects are right: ``python -m tests.benchmarks.sensitivity`` (half a minute).

It prints the table of docs/statistics.md on Morris' and Sobol's methods. Their truth is that of Ishigami and Homma's
function, whose measures of Morris are those of very many trajectories.
"""

from __future__ import annotations

from math import pi

import numpy as np
from SALib.sample import morris

from devs_robotics.experimental_frames.sensitivity import explain_variance, screen
from tests.benchmarks.statistics import percent, table
from tests.experimental_frames.sensitivity.test_variance import KEYS, ishigami, sweep_of
from tests.experimental_frames.sweep.made_sweeps import METRIC, Respond, made_sweep

FIRST = {"x1": 0.3139, "x2": 0.4424, "x3": 0.0}
TOTAL = {"x1": 0.5576, "x2": 0.4424, "x3": 0.2437}
TRIALS = 100


def sobol_intervals() -> None:
    """Of S1 and ST."""
    rows: list[list[object]] = [["samples", *(f"S1, ST of {key}" for key in KEYS)]]
    for samples in (16, 64, 256):
        held: dict[str, list[tuple[bool, bool]]] = {key: [] for key in KEYS}
        for seed in range(TRIALS):
            for share in explain_variance(sweep_of(ishigami, -pi, pi, samples, seed=seed), METRIC).shares:
                first, total = FIRST[share.key], TOTAL[share.key]
                held[share.key].append((share.first_interval.holds(first), share.total_interval.holds(total)))
        cells = (", ".join(percent(which) for which in zip(*held[key], strict=True)) for key in KEYS)
        rows.append([samples, *cells])
    table(*rows)


def screened(
    respond: Respond, trajectories: int, seed: int, replicates: int = 1
) -> dict[str, tuple[float, float, bool]]:
    """The interval of mu* of each key, and whether it is told apart."""
    problem = {"num_vars": 3, "names": KEYS, "bounds": [[-pi, pi]] * 3}
    points = morris.sample(problem, trajectories, num_levels=4, seed=seed).tolist()
    sweep = made_sweep("morris", KEYS, points, respond, replicates=replicates, bounds=[(-pi, pi)] * 3)
    effects = screen(sweep, METRIC).effects
    return {effect.key: (effect.size_interval.low, effect.size_interval.high, effect.told_apart) for effect in effects}


def noise(seed: int) -> Respond:
    """A metric that no setting changes."""
    draw = np.random.default_rng(seed)
    return lambda values, replicate: float(draw.normal())


def morris_intervals() -> None:
    """Of mu*, and how often a setting without effect is told apart from chance."""
    many = screened(ishigami, 5000, 1)
    truth = {key: (low + high) / 2.0 for key, (low, high, _) in many.items()}
    rows: list[list[object]] = [["trajectories", *(f"mu* of {key}" for key in KEYS), "no effect, told apart"]]
    for trajectories in (5, 10, 30):
        found = [screened(ishigami, trajectories, seed) for seed in range(TRIALS)]
        cells = [percent(one[key][0] <= truth[key] <= one[key][1] for one in found) for key in KEYS]
        nothing = [screened(noise(seed), trajectories, seed, replicates=3) for seed in range(TRIALS)]
        rows.append([trajectories, *cells, percent(told for one in nothing for *_, told in one.values())])
    table(*rows)


if __name__ == "__main__":
    sobol_intervals()
    morris_intervals()
