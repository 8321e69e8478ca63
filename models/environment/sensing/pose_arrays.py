"""Where all bodies are at one instant, in arrays."""

from __future__ import annotations

from math import cos, inf, sin

import numpy as np
from numpy.typing import NDArray

from devs_robotics.core.extras import load
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

    Attributes:
        x, y: of the centres (m)
        heading: of the bodies (rad)
        cos, sin: of the headings
        speed, rate: along the headings (m/s), and of them (rad/s)
        radius: of the bodies (m)
    """

    def __init__(self, field: Field) -> None:
        self.field = field
        self._arcs: Floats = np.empty((8, 0))
        self._taken = -inf
        self._pairs: dict[float, tuple[float, int, Numbers, Numbers]] = {}
        """By their reach: until when pairs hold (s), of how many surprises, and the two bodies of each."""

    def take(self) -> None:
        """Work out where all are now."""
        bodies, now = self.field.bodies, self.field.now
        if len(bodies) != self._arcs.shape[1]:
            self._arcs = np.array([bodies.row(body) for body in range(len(bodies))]).reshape(-1, 8).T.copy()
            self.radius = np.array(bodies.radius)
            self._pairs.clear()
        elif bodies.fresh:
            fresh = list(bodies.fresh)
            self._arcs[:, fresh] = np.array([bodies.row(body) for body in fresh]).T
        elif now == self._taken:
            return
        bodies.fresh.clear()
        self._taken = now
        start, x, y, self.heading, self.speed, self.rate, self.cos, self.sin = self._arcs
        gone = self.speed * (now - start)
        self.x, self.y = x + gone * self.cos, y + gone * self.sin
        turning = np.flatnonzero(self.rate)
        if turning.size:
            self.heading, self.cos, self.sin = self.heading.copy(), self.cos.copy(), self.sin.copy()
            self._turn(turning, now)

    def pairs(self, reach: float) -> tuple[Numbers, Numbers, Floats, Floats]:
        """Who is within reach (m) of whom now: observers, others, and where the others are from the observers (m)."""
        field = self.field
        until, surprises, observers, others = self._pairs.get(reach, (-inf, 0, None, None))
        if observers is None or others is None or field.now >= until or field.surprises != surprises:
            first, second = self.within(reach + 2.0 * field.bodies.fastest * HORIZON)
            observers, others = np.concatenate((first, second)), np.concatenate((second, first))
            self._pairs[reach] = field.now + HORIZON, field.surprises, observers, others
        dx, dy = self.x[others] - self.x[observers], self.y[others] - self.y[observers]
        near = np.flatnonzero(dx * dx + dy * dy <= reach * reach)
        return observers[near], others[near], dx[near], dy[near]

    def within(self, distance: float) -> tuple[Numbers, Numbers]:
        """The pairs of bodies within a distance of each other now, each of them once."""
        there = np.flatnonzero(self.x == self.x)  # who has left is nowhere
        spatial = load("scipy.spatial", "the strategy batch needs")  # of the extra [report], and not always needed
        tree = spatial.cKDTree(np.column_stack((self.x[there], self.y[there])))
        found = there[tree.query_pairs(distance, output_type="ndarray")]
        return found[:, 0], found[:, 1]

    def _turn(self, turning: Numbers, now: float) -> None:
        """The same for bodies that turn, or follow a trajectory."""
        start, x, y, heading, speed, rate, _, _ = self._arcs[:, turning]
        half = 0.5 * rate * (now - start)
        chord = speed * (now - start)
        bent = half != 0.0
        chord[bent] *= each(sin, half[bent]) / half[bent]
        middle = heading + half
        self.x[turning], self.y[turning] = x + chord * each(cos, middle), y + chord * each(sin, middle)
        self.heading[turning] = np.where((speed == 0.0) | ~bent, heading + 2.0 * half, middle + half)
        for body in self.field.bodies.paths:
            self.x[body], self.y[body], self.heading[body] = self.field.bodies.pose(body, now)
        headings = self.heading[turning]
        self.cos[turning], self.sin[turning] = each(cos, headings), each(sin, headings)


def each(function: object, values: Floats) -> Floats:
    """A function of `math` of each value, for numpy's own may differ in the last bit."""
    return np.array(list(map(function, values.ravel().tolist()))).reshape(values.shape)  # type: ignore[call-overload]
