"""Where all bodies are at one instant, in arrays."""

from __future__ import annotations

from math import cos, inf, sin

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree  # type: ignore[import-untyped]

from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.nearby import HORIZON

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


class PoseArrays:
    """Poses of all bodies, computed in arrays with the very operations of `Bodies.pose`, so that the bits are equal.

    Sums, products and quotients of arrays are those of single numbers; sines and cosines need not be, so they are
    taken one by one, of the bodies that turn alone.

    Args:
        field: of the bodies
        reach: distance of centres within which pairs are wanted (m)

    Attributes:
        x, y: of the centres (m)
        heading: of the bodies (rad)
        cos, sin: of the headings
    """

    def __init__(self, field: Field, reach: float) -> None:
        self.field = field
        self.reach = reach
        self._arcs = np.array([field.bodies.row(body) for body in range(len(field.bodies))]).reshape(-1, 8).T.copy()
        self._stale: set[int] = set()
        self._pairs: tuple[Numbers, Numbers] = (np.empty(0, np.int64), np.empty(0, np.int64))
        self._pairs_until = -inf
        self._surprises = -1

    def changed(self, body: int) -> None:
        """A body is on another arc now."""
        self._stale.add(body)

    def take(self) -> None:
        """Work out where all are now."""
        field, now = self.field, self.field.now
        for body in self._stale:
            self._arcs[:, body] = field.bodies.row(body)
        self._stale.clear()
        start, x, y, heading, speed, rate, self.cos, self.sin = self._arcs
        gone = speed * (now - start)
        self.x, self.y, self.heading = x + gone * self.cos, y + gone * self.sin, heading
        turning = np.flatnonzero(rate)
        if turning.size:
            self.heading, self.cos, self.sin = heading.copy(), self.cos.copy(), self.sin.copy()
            poses = [field.bodies.pose(body, now) for body in turning.tolist()]
            self.x[turning], self.y[turning], self.heading[turning] = np.array(poses).T
            self.cos[turning] = [cos(pose[2]) for pose in poses]
            self.sin[turning] = [sin(pose[2]) for pose in poses]

    def pairs(self) -> tuple[Numbers, Numbers, Floats, Floats]:
        """Who is within reach of whom now: observers, others, and where the others are from the observers (m)."""
        field = self.field
        if field.now >= self._pairs_until or field.surprises != self._surprises:
            self._surprises = field.surprises
            self._pairs_until = field.now + HORIZON
            radius = self.reach + 2.0 * field.bodies.fastest * HORIZON
            there = np.flatnonzero(self.x == self.x)  # who has left is nowhere
            tree = cKDTree(np.column_stack((self.x[there], self.y[there])))
            found = there[tree.query_pairs(radius, output_type="ndarray")]
            first, second = found[:, 0], found[:, 1]
            self._pairs = np.concatenate((first, second)), np.concatenate((second, first))
        observers, others = self._pairs
        dx, dy = self.x[others] - self.x[observers], self.y[others] - self.y[observers]
        near = np.flatnonzero(dx * dx + dy * dy <= self.reach * self.reach)
        return observers[near], others[near], dx[near], dy[near]
