"""Batteries by powers in W and energies in Wh, as data sheets give them."""

from __future__ import annotations

from math import inf

from devs_robotics import ModelError
from devs_robotics.models.batteries.simple import SimpleDischarge

DOTS_ENERGY = 85.0
"""What can be used of a DOTS robot's battery (Wh): 85 % of 100 (arXiv 2203.13809, Table IV)."""

DOTS_AT_REST, DOTS_MOVING = 6.0, 14.0
"""What a DOTS robot draws at rest and while it walks at up to 0.5 m/s (W; the same)."""

DOTS_CHARGER = 60.0
"""Of a DOTS robot: 12 V, 5 A (W; the same)."""


def by_power(energy: float, at_rest: float, moving: float) -> SimpleDischarge:
    """How the charge of a battery falls.

    Args:
        energy: that can be used of a full one (Wh)
        at_rest, moving: what the robot draws (W)

    Raises:
        ModelError: one of them is not above 0
    """
    return SimpleDischarge(-rate_of(at_rest, energy), -rate_of(moving, energy))


def rate_of(power: float, energy: float) -> float:
    """The change of a charge, from 1 to 0, with a power (1/s).

    Args:
        power: that goes in, or out (W); into a battery at a charger what is left when the robot has taken what it draws
        energy: that can be used of a full battery (Wh)

    Raises:
        ModelError: one of them is not above 0
    """
    if not (0.0 < power < inf and 0.0 < energy < inf):
        raise ModelError(f"a battery needs a power above 0 W and an energy above 0 Wh, not {power!r} and {energy!r}")
    return power / (3600.0 * energy)


def share_at_docks(draw: float, charging: float) -> float:
    """The share of its time that a robot must be charged, in the long run: p / (p + p_c).

    So N robots need more than N times as many docks.

    Args:
        draw: of the robot while it is not charged, p (W)
        charging: power that goes into its battery while it is, p_c (W)
    """
    return draw / (draw + charging)
