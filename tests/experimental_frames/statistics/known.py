"""Processes of which everything is known."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from scipy.signal import lfilter  # type: ignore[import-untyped]

Rows = np.ndarray[tuple[int, int], np.dtype[np.float64]]
"""One realisation a row."""

SETTLING = 300


def autoregressive(draw: Generator, memory: float, runs: int, length: int) -> Rows:
    """Stationary AR(1) of mean 0 and variance 1."""
    noise = draw.normal(0.0, np.sqrt(1.0 - memory**2), (runs, length + SETTLING))
    rows: Rows = np.asarray(lfilter([1.0], [1.0, -memory], noise, axis=1))[:, SETTLING:]
    return rows


def waits(draw: Generator, load: float, runs: int, customers: int, service: float = 1.0) -> Rows:
    """Waiting times in an M/M/1 queue that is empty at first, by Lindley's recursion; its mean is load / (1 - load).

    Args:
        load: of a server that needs one unit of time on average, which is the rate of arrivals
        service: takes so many times as long as that
    """
    between = draw.exponential(1.0 / load, (customers, runs))
    served = service * draw.exponential(1.0, (customers, runs))
    found, wait = np.zeros((customers, runs)), np.zeros(runs)
    for number in range(1, customers):
        wait = np.maximum(0.0, wait + served[number - 1] - between[number])
        found[number] = wait
    rows: Rows = found.T
    return rows
