"""Which part of the field a picture shows, and where in the picture it is."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

import numpy as np
from msgspec import Struct

from devs_robotics.view.posing import Posing
from devs_robotics.view.scene import Scene, SceneBody

MARGIN = 0.03
"""Round what is shown, as a share of it."""
ZOOMED = 0.6
"""Who use less than this share of the field's length and width are shown zoomed in."""
LOOKS = 200
"""Number of times at which it is looked where robots are."""
NEAR = 16.0
"""Of the width that is shown round a robot that is followed, half: so many of its radii."""
SLIMMEST = 0.35
"""Height of a picture to its width, at least, and the other way round."""

LINES = 14
"""Of a grid, from left to right, at most."""


class Extent(Struct, frozen=True):
    """A part of the field (m)."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """From left to right (m)."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """From low to high (m)."""
        return self.y1 - self.y0

    def grown(self, by: float) -> Extent:
        """So much more on each side (m)."""
        return Extent(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    def filled(self) -> Extent:
        """Not too slim."""
        more_x = 0.5 * max(0.0, SLIMMEST * self.height - self.width)
        more_y = 0.5 * max(0.0, SLIMMEST * self.width - self.height)
        return Extent(self.x0 - more_x, self.y0 - more_y, self.x1 + more_x, self.y1 + more_y)

    @property
    def step(self) -> float:
        """Distance between lines of a grid (m): 1, 2 or 5 times a power of ten."""
        least = self.width / LINES
        power = 10.0 ** floor(log10(least))
        return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= least)

    def around(self, x: float, y: float) -> Extent:
        """As large, elsewhere."""
        half, tall = 0.5 * self.width, 0.5 * self.height
        return Extent(x - half, y - tall, x + half, y + tall)


def shown(scene: Scene, posing: Posing, times: Sequence[float], followed: SceneBody | None) -> Extent:
    """What a picture shows: where robots are in that time, or the whole field where they are all over it."""
    if followed is not None:
        half = NEAR * followed.radius
        return Extent(-half, -half, half, half)
    looks = times[:: max(1, len(times) // LOOKS)]
    places = np.concatenate([posing.at(time)[:, :2] for time in (*looks, times[-1])])
    places = places[~np.isnan(places[:, 0])]
    field = Extent(0.0, 0.0, scene.width, scene.height)
    if len(places):
        largest = max((body.radius for body in scene.bodies), default=0.1)
        (x0, y0), (x1, y1) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
        used = Extent(x0, y0, x1, y1).grown(3.0 * largest)
        if max(used.width / field.width, used.height / field.height) < ZOOMED:
            return used.grown(MARGIN * max(used.width, used.height)).filled()
        if not scene.walled:
            field = Extent(min(0.0, x0), min(0.0, y0), max(field.x1, x1), max(field.y1, y1))
    return field.grown(MARGIN * max(field.width, field.height)).filled()
