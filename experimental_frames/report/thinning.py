"""Long series with fewer points that look the same; nothing is drawn here."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from devs_robotics.core.tables import GrowingColumn

MOST_POINTS = 1500

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def thinned(
    times: GrowingColumn | Floats,
    values: GrowingColumn | Floats,
    most: int = MOST_POINTS,
    shown: Callable[[Floats], Floats] = lambda values: values,
) -> tuple[Floats, Floats]:
    """A long series with fewer points that looks the same: the lowest and the highest of each stretch.

    Args:
        times: of the values
        values: as measured
        most: so many points are left
        shown: makes of values what is drawn
    """
    count, stretches = len(values), most // 2
    if count <= most:
        return np.asarray(times), shown(np.asarray(values))
    places: list[int] = []
    heights: list[float] = []
    ends = [number * (count // stretches) + min(number, count % stretches) for number in range(stretches + 1)]
    for first, last in pairwise(ends):  # as equal as can be, the longer ones first
        stretch = shown(np.asarray(values[first:last]))
        for place in sorted({int(np.argmin(stretch)), int(np.argmax(stretch))}):
            places.append(first + place)
            heights.append(stretch[place])
    return np.array([times[place] for place in places]), np.array(heights)
