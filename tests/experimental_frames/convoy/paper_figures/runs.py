"""Runs with known errors, as the paper's figures are made from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan

import numpy as np

from devs_robotics.experimental_frames.convoy.paper_figures.runs import Noise, PaperRun
from devs_robotics.experimental_frames.convoy.published import NOISE_SETS, ROBOTS, SIZES

STRETCHES = 12
SETTINGS: Sequence[tuple[Noise, int]] = [(noise, ROBOTS) for noise in NOISE_SETS] + [
    (NOISE_SETS[1], size) for size in SIZES if size != ROBOTS
]


def run(
    noise: Noise, robots: int, seed: int, average_cm: float, *, growth: float = 0.0, ended: str = "accepted"
) -> PaperRun:
    """A run whose E grows by a share from its beginning to its end."""
    errors = 0.01 * average_cm * (1.0 + growth * np.linspace(0.0, 1.0, STRETCHES))
    return PaperRun(noise, robots, seed, ended, "because", nan if ended == "failed" else 0.01 * average_cm, errors)


def runs(average_cm: Callable[[Noise, int, int], float], *, seeds: int = 5, growth: float = 0.0) -> list[PaperRun]:
    """Some seeds at each setting of the paper."""
    return [
        run(noise, robots, seed, average_cm(noise, robots, seed), growth=growth)
        for noise, robots in SETTINGS
        for seed in range(1, seeds + 1)
    ]
