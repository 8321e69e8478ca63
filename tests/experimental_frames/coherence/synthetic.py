"""Position errors of formations whose coherence is known, all about 7 cm at first and with a margin of 15 cm."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from scipy.signal import lfilter  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.statistics.series import Array

MARGIN = 0.15
LEVEL = 0.07
DEVIATION = 0.01
ROUNDS = 340
SETTLING = 200


def bounded(draw: Generator, memory: float = 0.8, rounds: int = ROUNDS, mean: float = LEVEL) -> Array:
    """A stationary AR(1)."""
    noise = draw.normal(0.0, DEVIATION * np.sqrt(1.0 - memory**2), rounds + SETTLING)
    series: Array = mean + np.asarray(lfilter([1.0], [1.0, -memory], noise))[SETTLING:]
    return series


def transient(draw: Generator, rounds: int = ROUNDS) -> Array:
    """From nothing to the level, most of it within twenty rounds, and bounded ever after."""
    series: Array = bounded(draw, rounds=rounds) - LEVEL * np.exp(-np.arange(rounds) / 8.0)
    return series


def drifting(draw: Generator, rise: float = MARGIN - LEVEL) -> Array:
    """Rises evenly, by all of the margin that is left unless told otherwise (m)."""
    return bounded(draw) + rise * np.linspace(0.0, 1.0, ROUNDS)


def slowing(draw: Generator) -> Array:
    """Rises as the square root of time, as a heading error that is summed up does."""
    series: Array = bounded(draw) + (MARGIN - LEVEL) * np.sqrt(np.linspace(0.0, 1.0, ROUNDS))
    return series


def wandering(draw: Generator) -> Array:
    """A random walk, that will leave any bounds some day and has no direction."""
    return LEVEL + 0.002 * np.cumsum(draw.normal(size=ROUNDS))


def bursting(draw: Generator) -> Array:
    """Bounded, but that in one round of fifty the error leaps up by 5 cm on average, which dies away in some rounds."""
    leaps = (draw.random(ROUNDS) < 0.02) * draw.exponential(0.05, ROUNDS)
    series: Array = bounded(draw) + np.asarray(lfilter([1.0], [1.0, -0.7], leaps))
    return series


def stepping(draw: Generator, place: float) -> Array:
    """Rises at once by 4 cm, at a share of the time, and stays there."""
    return bounded(draw) + 0.04 * (np.arange(ROUNDS) >= place * ROUNDS)
