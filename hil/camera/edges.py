"""Corners of markers from their edges: where black print meets white paper, along all of each side.

The usual refinement looks at the small neighbourhood of a corner, and is off by up to 0.4 pixels, each time by the same
amount: a corner is an L there, and is seen through pixels and blur. Edges are straight and long, and what is off
along them cancels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from devs_robotics.hil.camera.opencv import opencv

Floats = NDArray[np.float64]

POINTS = 24
"""Places along each side at which the edge is looked for."""

MARGIN = 0.12
"""Share of a side, at either end, where it is not: there the corner is seen, too."""

STEPS = 33
"""Samples across an edge."""

WIDEST = 5.0
"""Farthest that is looked to either side of an edge (pixels)."""

SHARE = 0.8
"""Of a cell's width, the same: beyond it other cells begin."""

LEAST = 20.0
"""Least difference between print and paper (grey levels); where it is less, corners stay as they are."""

LEAST_CELL = 5.0
"""Least width of a cell (pixels); where it is less, what is beyond a cell cannot be kept apart."""

ROUNDS = 2


def sharpened(image: NDArray[np.uint8], corners: Floats, cells: int) -> Floats:
    """Corners of markers from the edges between them; those that are small, or bleak, stay as they are.

    Args:
        image: grey levels
        corners: of each marker, clockwise, to about a pixel; markers x 4 x 2 (pixels)
        cells: along a side of a marker, its black border included
    """
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    large = sides.min(axis=1) >= LEAST_CELL * cells
    if not large.any():
        return corners
    found = corners[large]
    for _ in range(ROUNDS):
        found = _once(image, found, cells)
    sharp = corners.copy()
    sharp[large] = found
    return sharp


def _once(image: NDArray[np.uint8], corners: Floats, cells: int) -> Floats:
    start, end = corners, np.roll(corners, -1, axis=1)
    along = end - start
    length = np.linalg.norm(along, axis=2, keepdims=True)
    along = along / length
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    reach = np.minimum(WIDEST, SHARE * length / cells)
    share = np.linspace(MARGIN, 1.0 - MARGIN, POINTS)
    points = start[:, :, None, :] + (along * length)[:, :, None, :] * share[:, None]
    across = np.linspace(-1.0, 1.0, STEPS)
    places = points[..., None, :] + (outward * reach)[:, :, None, None, :] * across[:, None]
    levels = _levels(image, places)
    inner, outer = levels[..., :3].mean(axis=(2, 3)), levels[..., -3:].mean(axis=(2, 3))
    contrast = outer - inner
    dark = ((outer[..., None, None] - levels) / np.where(contrast > LEAST, contrast, np.inf)[..., None, None]).sum(-1)
    # so many samples are dark: the trapezoid between the first and the last
    edge = (2.0 * (dark - 0.5) / (STEPS - 1) - 1.0) * reach
    edge = np.where((contrast > LEAST)[..., None], edge, 0.0)
    met = points + outward[:, :, None, :] * edge[..., None]
    middle = met.mean(axis=2)
    off = met - middle[:, :, None, :]
    normal = _normals(off, outward)
    distance = (normal * middle).sum(-1)
    before, before_distance = np.roll(normal, 1, axis=1), np.roll(distance, 1, axis=1)
    turned = before[..., 0] * normal[..., 1] - before[..., 1] * normal[..., 0]
    safe = np.where(np.abs(turned) > 0.1, turned, 1.0)
    x = (before_distance * normal[..., 1] - distance * before[..., 1]) / safe
    y = (before[..., 0] * distance - normal[..., 0] * before_distance) / safe
    found = np.stack([x, y], axis=-1)
    clear = (contrast > LEAST).all(axis=1) & (np.abs(turned) > 0.1).all(axis=1)
    clear &= (np.linalg.norm(found - corners, axis=2) < reach[..., 0]).all(axis=1)
    return np.where(clear[:, None, None], found, corners)


def _normals(off: Floats, outward: Floats) -> Floats:
    """Of the lines nearest to points about their middles, in the direction of `outward`."""
    xx, yy = (off[..., 0] ** 2).sum(-1), (off[..., 1] ** 2).sum(-1)
    xy = (off[..., 0] * off[..., 1]).sum(-1)
    angle = 0.5 * np.arctan2(2.0 * xy, xx - yy)
    normal = np.stack([np.sin(angle), -np.cos(angle)], axis=-1)
    outside: Floats = normal * np.where((normal * outward).sum(-1) < 0.0, -1.0, 1.0)[..., None]
    return outside


def _levels(image: NDArray[np.uint8], places: Floats) -> Floats:
    cv2 = opencv()
    flat = places.reshape(len(places), -1, 2).astype(np.float32)
    seen = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.float64).reshape(places.shape[:-1])
