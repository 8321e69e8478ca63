"""The arcs of all bodies as columns, with the operations of `Bodies`, so that poses are equal to the last bit."""

from __future__ import annotations

from math import pi, remainder, tau

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


class ArcColumns:
    """What bodies are on: arcs at constant speed and turn rate.

    Sines and cosines are numpy's, which are those of `math` (a test compares a million of them on each machine).

    Args:
        x, y, heading: where the bodies stand at first (m, m, rad)
        radius: of them (m)

    Attributes:
        start: when the arc of each began (s)
        x, y, heading: where (m, m, rad)
        speed, rate: along the heading (m/s), and of it (rad/s)
        cos, sin: of the heading at the beginning
    """

    def __init__(self, x: ArrayLike, y: ArrayLike, heading: ArrayLike, radius: ArrayLike):
        self.x, self.y = np.array(x, np.float64), np.array(y, np.float64)
        self.start = np.zeros_like(self.x)
        self.heading = _turned_back(np.array(heading, np.float64))
        self.radius = np.array(radius, np.float64)
        self.speed, self.rate = np.zeros_like(self.x), np.zeros_like(self.x)
        self.cos, self.sin = np.cos(self.heading), np.sin(self.heading)

    def __len__(self) -> int:
        return len(self.x)

    def poses(self, time: float) -> tuple[Floats, Floats, Floats]:
        """Where all are at a time (s): x, y (m), and heading (rad), which goes on past a full turn."""
        elapsed = time - self.start
        gone = self.speed * elapsed
        x, y = self.x + gone * self.cos, self.y + gone * self.sin
        turning = self.rate.nonzero()[0]
        if not turning.size:
            return x, y, self.heading
        heading = self.heading.copy()
        x[turning], y[turning], heading[turning] = self._turned(turning, elapsed[turning])
        return x, y, heading

    def poses_of(self, who: Numbers, time: float | Floats) -> tuple[Floats, Floats, Floats]:
        """The same of some, at one time or one of each (s)."""
        elapsed = time - self.start[who]
        gone = self.speed[who] * elapsed
        x, y, heading = self.x[who] + gone * self.cos[who], self.y[who] + gone * self.sin[who], self.heading[who]
        turning = self.rate[who].nonzero()[0]
        if turning.size:
            x[turning], y[turning], heading[turning] = self._turned(who[turning], elapsed[turning])
        return x, y, heading

    def go(self, who: Numbers, time: float | Floats, speed: float | Floats, rate: float | Floats) -> None:
        """Put some on other arcs, which begin where they are at one time, or one of each (s)."""
        x, y, heading = self.poses_of(who, time)
        heading = _turned_back(heading)
        self.start[who], self.x[who], self.y[who], self.heading[who] = time, x, y, heading
        self.speed[who], self.rate[who] = speed, rate
        self.cos[who], self.sin[who] = np.cos(heading), np.sin(heading)

    def _turned(self, turning: Numbers, elapsed: Floats) -> tuple[Floats, Floats, Floats]:
        x, y, heading, speed = self.x[turning], self.y[turning], self.heading[turning], self.speed[turning]
        half = 0.5 * self.rate[turning] * elapsed
        middle = heading + half
        bent = (half != 0.0) & (speed != 0.0)
        if bent.all():
            chord = speed * elapsed * (np.sin(half) / half)
            return x + chord * np.cos(middle), y + chord * np.sin(middle), middle + half
        on = bent.nonzero()[0]
        chord = speed[on] * elapsed[on] * (np.sin(half[on]) / half[on])
        x[on] += chord * np.cos(middle[on])
        y[on] += chord * np.sin(middle[on])
        return x, y, np.where(bent, middle + half, heading + 2.0 * half)


def _turned_back(heading: Floats) -> Floats:
    """Headings from -pi to pi, as `math.remainder` makes them."""
    far = (np.abs(heading) > pi).nonzero()[0]
    if far.size:
        heading = heading.copy()
        heading[far] = [remainder(each, tau) for each in heading[far].tolist()]
    return heading
