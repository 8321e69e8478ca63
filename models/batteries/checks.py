"""What coefficients of batteries must be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

from devs_robotics import ModelError


def check_falling(where: str, slope: float) -> None:
    """A charge falls.

    Args:
        where: the slope holds, for people
        slope: of the charge (1/s)

    Raises:
        ModelError: it does not
    """
    if not -inf < slope < 0.0:
        raise ModelError(f"a battery's charge must fall {where}, and its slope is {slope:g} 1/s: give one below 0")


def check_speeds(speeds_cm: Sequence[float], coefficients: int) -> None:
    """Speeds rise from 0 or more, and there are coefficients for each.

    Raises:
        ModelError: they do not, or there are not
    """
    shown = ", ".join(f"{speed_cm:g}" for speed_cm in speeds_cm)
    if not speeds_cm or len(speeds_cm) != coefficients:
        raise ModelError(
            f"a battery needs one curve or slope per speed, at least one, and has {coefficients} for {shown or 'none'}"
        )
    if not (speeds_cm[0] >= 0.0 and all(low < high < inf for low, high in pairwise([*speeds_cm]))):
        raise ModelError(f"the speeds of a battery's curves must rise from 0 cm/s or more, not be {shown} cm/s")
