"""Discharge curves: a cubic polynomial per measured speed, and its inverse."""

from __future__ import annotations

from math import isfinite, sqrt

from msgspec import Struct

from devs_robotics import ModelError
from devs_robotics.models.batteries.decline import falling_root

ROUGHLY = 1e-6
"""So much a curve's charge may miss 0 at its end, where its coefficients were rounded."""


class Curve(Struct, frozen=True, forbid_unknown_fields=True):
    """The charge over time at one speed: 1 + c1 t + c2 t^2 + c3 t^3, until it is 0.

    Attributes:
        speed_cm: of the wheels (cm/s)
        coefficients: c1 (1/s), c2 (1/s^2), c3 (1/s^3)
        duration: when it is empty (s)

    Raises:
        ModelError: it does not fall all the time, or is not 0 at its end
    """

    speed_cm: float
    coefficients: tuple[float, float, float]
    duration: float

    def __post_init__(self) -> None:
        whose = f"the curve of {self.speed_cm:g} cm/s"
        if not (self.duration > 0.0 and isfinite(self.duration) and all(map(isfinite, self.coefficients))):
            raise ModelError(f"{whose} must have finite coefficients and a duration above 0 s")
        rising = rises_at(self.coefficients, self.duration)
        if rising is not None:
            raise ModelError(
                f"{whose} rises after {rising / 3600.0:.2f} h, where one charge has several times: give one that falls"
            )
        rest = self._polynomial(self.duration)
        if abs(rest) > ROUGHLY:
            raise ModelError(f"{whose} is {rest:.3g} at its end, {self.duration:g} s, and must be 0 there")

    def charge_at(self, time: float) -> float:
        """The charge at a time (s)."""
        return 0.0 if time >= self.duration else self._polynomial(time)

    def slope_at(self, time: float) -> float:
        """How fast the charge changes at a time (1/s)."""
        c1, c2, c3 = self.coefficients
        return c1 + time * (2.0 * c2 + time * 3.0 * c3)

    def time_at(self, charge: float, guess: float | None = None) -> float:
        """When the charge is this (s).

        Args:
            charge: from 1 to 0
            guess: about when; it makes the search shorter
        """
        if charge <= 0.0:
            return self.duration
        if charge >= 1.0:
            return 0.0
        start = self.duration * (1.0 - charge) if guess is None else guess
        return falling_root(lambda time: self._polynomial(time) - charge, self.slope_at, 0.0, self.duration, start)

    def _polynomial(self, time: float) -> float:
        c1, c2, c3 = self.coefficients
        return 1.0 + time * (c1 + time * (c2 + time * c3))


def rises_at(coefficients: tuple[float, float, float], duration: float) -> float | None:
    """The first time at which 1 + c1 t + c2 t^2 + c3 t^3 rises, between 0 and a duration (s); None: it does not."""
    c1, c2, c3 = coefficients
    first, bend, cube = c1 * duration, 2.0 * c2 * duration**2, 3.0 * c3 * duration**3
    least = 1e-12 * (abs(first) + abs(bend) + abs(cube))

    def slope(share: float) -> float:
        return first + share * (bend + share * cube)

    if first > least:
        return 0.0
    steepest = min(1.0, max(0.0, -0.5 * bend / cube)) if cube else 1.0
    if max(slope(1.0), slope(steepest)) <= least:
        return None
    root = sqrt(max(0.0, bend * bend - 4.0 * cube * first))
    flat = ((-bend - root) / (2.0 * cube), (root - bend) / (2.0 * cube)) if cube else (-first / bend,)
    return duration * min(share for share in flat if share >= 0.0)
