"""Arithmetic that gives one number and an array the same bits on every processor, and times on one raster.

What numpy makes of ``exp`` or ``arctan2`` depends on the vector instructions that it finds; ``+ - * /``, square roots,
sines and cosines do not. So decisions take the functions of this module instead: those of `math`, element by element.

Times are whole numbers of 2^-30 s: sums and differences of these are exact for 97 days, so that one clock for all
robots tells the same time as one each.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

PER_SECOND = 2.0**30
"""Points of the raster per second."""

LATEST = 2.0**23
"""Up to here floats hold all points of the raster (s)."""

Number = TypeVar("Number", float, NDArray[Any])


def tick(seconds: Number) -> Number:
    """The last point of the raster at or before a time (s); infinite times stay."""
    if isinstance(seconds, np.ndarray):
        before: NDArray[Any] = np.floor(seconds * PER_SECOND) / PER_SECOND
        return before
    return math.floor(seconds * PER_SECOND) / PER_SECOND if math.isfinite(seconds) else seconds


def is_on_raster(seconds: float | NDArray[Any]) -> bool:
    """Whether times (s) are points of the raster; infinite ones count as such."""
    if isinstance(seconds, np.ndarray):
        points = seconds * PER_SECOND
        return bool((np.floor(points) == points).all())
    return math.isinf(seconds) or (seconds * PER_SECOND).is_integer()


def log(value: Number) -> Number:
    """The natural logarithm."""
    return _each(math.log, value)


def exp(value: Number) -> Number:
    """The exponential function."""
    return _each(math.exp, value)


def atan2(y: Number, x: Number) -> Number:
    """The angle of a vector from the x axis (rad)."""
    return _each(math.atan2, y, x)


def hypot(x: Number, y: Number) -> Number:
    """The length of a vector."""
    return _each(math.hypot, x, y)


def _each(function: Callable[..., float], *values: Number) -> Number:
    """A function of `math` of numbers, or of each element of arrays of one shape."""
    if not isinstance(values[0], np.ndarray):
        return function(*values)
    arrays: list[NDArray[Any]] = [np.asarray(each) for each in values]
    found = np.fromiter(map(function, *(each.ravel().tolist() for each in arrays)), np.float64, arrays[0].size)
    return found.reshape(arrays[0].shape)
