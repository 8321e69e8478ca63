"""What proximity sensors read of something at a distance, and from how far away they read so much.

With numbers one by one and with arrays the readings are the same to the last bit: both add, subtract, multiply and
divide, and nothing else, in the same order.
"""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

from devs_robotics.core.robots.epuck2.responses import BRIGHTEST, InverseSquare, Points, Quadratic, Response

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray


def farthest(response: Response) -> float:
    """The largest distance from the sensor (m) at which it may read anything."""
    return response.points[-1][0] if isinstance(response, Points) else response.reach


def reading(response: Response, distance: float, error: float = 0.0) -> int:
    """What a sensor reads of something, from 0 to `BRIGHTEST`.

    Args:
        response: that it has
        distance: from the sensor (m, at least 0; infinite for nothing)
        error: that noise adds, as a share of `BRIGHTEST`; the reading stays within its limits
    """
    amount = _amount(response, distance)
    if error:
        amount += BRIGHTEST * error
    return 0 if amount <= 0.0 else BRIGHTEST if amount >= BRIGHTEST else round(amount)


def readings(response: Response, distances: NDArray[float64], errors: NDArray[float64] | float = 0.0) -> NDArray[int64]:
    """The same of many sensors at once: for each distance what `reading` says, to the last bit.

    Args:
        response: that all of them have
        distances: of any shape, at least 0, infinite for nothing (m)
        errors: that noise adds to each
    """
    import numpy as np  # slow to load, and few models are that large

    near = distances <= farthest(response)
    amounts = np.zeros(distances.shape)
    amounts[near] = _amounts(response, distances[near])
    if np.ndim(errors) or errors:
        amounts += BRIGHTEST * np.asarray(errors)
    found: NDArray[int64] = np.rint(np.minimum(float(BRIGHTEST), np.maximum(0.0, amounts))).astype(np.int64)
    return found


def _amounts(response: Response, within: NDArray[float64]) -> NDArray[float64]:
    """What sensors read of things that are near enough, before rounding."""
    import numpy as np  # as above

    if isinstance(response, Quadratic):
        shares: NDArray[float64] = (response.a * within + response.b) * within + response.c
        return BRIGHTEST * np.minimum(1.0, np.maximum(0.0, shares))
    if isinstance(response, InverseSquare):
        shares = response.half_length / (response.half_length + within)
        return BRIGHTEST * (shares * shares)
    amounts = np.zeros_like(within)
    for (at, brighter), (until, darker) in reversed(tuple(pairwise(response.points))):
        amounts = np.where(within <= until, brighter + (darker - brighter) * (within - at) / (until - at), amounts)
    return amounts


def level_distance(response: Response, level: float) -> float:
    """From how far away something is read as `level` or more (m): the largest such distance, before rounding.

    A reading is a whole number: it is at least n up to the distance of the level n - 1/2.

    Args:
        response: that the sensor has
        level: above 0, at most `BRIGHTEST`

    Raises:
        ValueError: there is no such level
    """
    if not 0.0 < level <= BRIGHTEST:
        raise ValueError(f"a proximity sensor has no level {level:g}: give one above 0, at most {BRIGHTEST}")
    if isinstance(response, Quadratic):
        a, b, c = response.a, response.b, response.c - level / BRIGHTEST
        return (-b - sqrt(b * b - 4.0 * a * c)) / (2.0 * a)
    if isinstance(response, InverseSquare):
        return min(response.reach, response.half_length * (sqrt(BRIGHTEST / level) - 1.0))
    return _where(response.points, level)


def _amount(response: Response, distance: float) -> float:
    """The reading before rounding; of a quadratic one, which most robots have, as fast as can be."""
    if isinstance(response, Quadratic):
        if distance > response.reach:
            return 0.0
        share = (response.a * distance + response.b) * distance + response.c
        return BRIGHTEST * (0.0 if share <= 0.0 else 1.0 if share >= 1.0 else share)
    if distance > farthest(response):
        return 0.0
    if isinstance(response, InverseSquare):
        share = response.half_length / (response.half_length + distance)
        return BRIGHTEST * (share * share)
    return _between(response.points, distance)


def _between(points: tuple[tuple[float, int], ...], distance: float) -> float:
    for (at, brighter), (until, darker) in pairwise(points):
        if distance <= until:
            return brighter + (darker - brighter) * (distance - at) / (until - at)
    return 0.0


def _where(points: tuple[tuple[float, int], ...], level: float) -> float:
    """Where the line between two points has this level; the last point, if all are brighter."""
    for (at, brighter), (until, darker) in pairwise(points):
        if level >= darker:
            return at + (until - at) * (brighter - level) / (brighter - darker)
    return points[-1][0]
