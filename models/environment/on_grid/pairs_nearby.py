"""Pairs of bodies that may be near each other, found at once for a while."""

from __future__ import annotations

from math import inf

import numpy as np
from scipy.spatial import cKDTree  # type: ignore[import-untyped]

from devs_robotics.models.environment.on_grid.arc_columns import Floats, Numbers

HOLD = 2.0
"""How long pairs hold (s)."""

ROUNDING = 1e-9
"""Room for rounding in distances (m)."""

APART = 1e6
"""Distance of two replicas from each other along a third axis, along which nobody moves (m)."""


class PairsNearby:
    """The pairs of bodies that can come within reach of each other while they hold, each of them once.

    They say who is looked at, never what is found: lists that are made more or less often change nothing.

    Args:
        replica: of each body, in which of several worlds it is; None: there is one
    """

    def __init__(self, replica: Numbers | None = None) -> None:
        self._height = None if replica is None else replica * APART
        self._pairs: tuple[Numbers, Numbers] = np.empty(0, np.int64), np.empty(0, np.int64)
        self._until = -inf
        self._reach = self._fastest = 0.0

    def pairs(self, now: float, x: Floats, y: Floats, reach: float, fastest: float) -> tuple[Numbers, Numbers]:
        """Who may be within a distance of whom.

        Args:
            now: time (s)
            x, y: where bodies are now (m)
            reach: the distance (m)
            fastest: speed that none of them exceeds (m/s)
        """
        if now >= self._until or reach > self._reach or fastest > self._fastest:
            self._until, self._reach, self._fastest = now + HOLD, reach, fastest
            places = (x, y) if self._height is None else (x, y, self._height)
            tree = cKDTree(np.column_stack(places), balanced_tree=False, compact_nodes=False)
            found = tree.query_pairs(reach + 2.0 * fastest * HOLD + ROUNDING, output_type="ndarray")
            self._pairs = found[:, 0].copy(), found[:, 1].copy()
        return self._pairs
