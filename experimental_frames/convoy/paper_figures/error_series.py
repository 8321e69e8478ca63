"""The position error of a convoy along a run, in stretches in which runs with other seeds can be averaged."""

from __future__ import annotations

import numpy as np

from devs_robotics.experimental_frames.convoy import Formation
from devs_robotics.experimental_frames.report.thinning import Floats


def stretches(formation: Formation, width: int, count: int) -> Floats:
    """E (m, over all robots) averaged over the pose changes of each stretch of `width` robot moves.

    A robot move is a round that one robot has completed. Two runs make their moves at different times, but stretch for
    stretch they have come equally far.

    Args:
        formation: measurements of one run
        width: robot moves a stretch
        count: of the stretches, from the first move on; NaN where the run did not come so far
    """
    ends = np.array([row.time_s for row in formation.rows])
    moves = np.searchsorted(ends, np.asarray(formation.times), side="left")
    places = moves // width
    errors = np.asarray(formation.error_sums) / len(formation.poses)
    kept = places < count
    totals = np.bincount(places[kept], errors[kept], minlength=count)
    sizes = np.bincount(places[kept], minlength=count)
    means: Floats = np.divide(totals, sizes, out=np.full(count, np.nan), where=sizes > 0)
    return means


def ends(width: int, count: int) -> Floats:
    """Robot moves at the end of each stretch."""
    return width * np.arange(1, count + 1, dtype=np.float64)
