"""What lies between the two clocks of a computer: the one that tells the date, and the one that only goes on."""

from __future__ import annotations

import time

TRIES = 5
"""Number of readings of which the best counts: a busy computer may do something else between two clocks."""


def unix_epoch() -> float:
    """Unix time less the monotonic clock (s)."""
    readings = []
    for _ in range(TRIES):
        before, unix, after = time.monotonic(), time.time(), time.monotonic()
        readings.append((after - before, unix - (before + after) / 2.0))
    return min(readings)[1]
