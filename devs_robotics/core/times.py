"""Times as the simulator keeps them: plain floats, whatever a model gives."""

from __future__ import annotations

import sys
from decimal import Decimal
from math import isinf
from numbers import Real
from typing import Any

from devs_robotics.core.errors import ModelError
from devs_robotics.core.faults import in_short


def plain_time(value: Any, what: str) -> float:
    """A number of seconds as a float, nearest to it.

    One number of another type would pass that type on to every sum that it enters: of a `numpy.float32` and a float
    numpy makes a `numpy.float32`, which would count all later times with seven digits.

    Args:
        value: any real number: a float, int or bool, a Fraction or Decimal, or a scalar of numpy
        what: it is, for people

    Raises:
        ModelError: it is no real number, or one that is finite and too large for a float
    """
    kind = type(value)
    if kind is float:
        return value  # type: ignore[no-any-return]
    if kind is int or _is_real(value):
        try:
            plain = float(value)
        except (ValueError, OverflowError):  # a signalling NaN of decimal, a large int
            pass
        else:
            if not isinf(plain) or plain == value:
                return plain
    raise ModelError(
        f"{what} is {in_short(value)} ({kind.__name__}): give one number of seconds, such as a float can hold"
    )


def _is_real(value: Any) -> bool:
    numpy = sys.modules.get("numpy")  # slow to load, and loaded already where a value is numpy's
    if numpy is not None and isinstance(value, numpy.generic):
        return value.dtype.kind in "biuf"  # not one of its dates and durations, whose unit only numpy knows
    return isinstance(value, Real | Decimal)
