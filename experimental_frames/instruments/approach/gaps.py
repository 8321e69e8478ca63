"""How near discs that go straight ways come to what stands beside them, for many ways at once; in closed form.

Places are complex numbers, x + iy (m). NaN stands for what is not in the field: a standing disc that is none, or the
start of a disc that is put into the field.
"""

from __future__ import annotations

import numpy as np

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.int_]]
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Places = np.ndarray[tuple[int, ...], np.dtype[np.complex128]]
Gaps = tuple[Floats, Floats]
"""At the start, and the smallest on the whole way, in rows by way and columns by thing (m); infinite without one."""

SHORTEST = np.finfo(np.float64).tiny
"""A way that is shorter (m) has no direction: its reciprocal is too large for a float."""


def to_discs(starts: Places, ends: Places, standing: Places, reach: Floats) -> Gaps:
    """Gaps to standing discs.

    Args:
        starts, ends: of each way
        standing: where the discs stand, one row per way
        reach: of the moving and each standing disc together: the sum of their radii (m), one row per way
    """
    way = ends - starts
    length = np.abs(way)
    moves = length >= SHORTEST
    direction = np.divide(way, length, out=np.ones_like(way), where=moves)
    seen = (standing - ends[:, None]) * direction.conj()[:, None]  # from the end of the way, which lies on -x
    foot = np.clip(seen.real, np.where(moves, -length, 0.0)[:, None], 0.0)
    return _known(np.abs(standing - starts[:, None]) - reach), _known(np.hypot(seen.real - foot, seen.imag) - reach)


def to_walls(starts: Places, ends: Places, radii: Floats, width: float, height: float) -> Gaps:
    """Gaps to the walls at x = 0, x = width, y = 0 and y = height; on a straight way one end is nearest."""
    first, last = _inside(starts, radii, width, height), _inside(ends, radii, width, height)
    return _known(first), np.fmin(first, last)


def to_boxes(starts: Places, ends: Places, radii: Floats, boxes: Floats) -> Floats:
    """What the gaps to the contents of upright boxes (rows of x_min, y_min, x_max, y_max) are at least, cheaply."""
    x_min, y_min, x_max, y_max = boxes.T
    left, right = np.fmin(starts.real, ends.real)[:, None], np.fmax(starts.real, ends.real)[:, None]
    low, high = np.fmin(starts.imag, ends.imag)[:, None], np.fmax(starts.imag, ends.imag)[:, None]
    beside = np.maximum(0.0, np.maximum(x_min - right, left - x_max))
    above = np.maximum(0.0, np.maximum(y_min - high, low - y_max))
    gaps: Floats = np.hypot(beside, above) - radii[:, None]
    return gaps


def _inside(places: Places, radii: Floats, width: float, height: float) -> Floats:
    x, y = places.real, places.imag
    inside: Floats = np.stack((x, width - x, y, height - y), axis=1) - radii[:, None]
    return inside


def _known(gaps: Floats) -> Floats:
    gaps[np.isnan(gaps)] = np.inf
    return gaps
