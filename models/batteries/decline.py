"""How a charge falls from full to empty while the wheels keep one speed.

At one speed the charge alone says how fast it falls. So all batteries of a kind follow one course in time, each from
where its charge is on it, and two questions are enough: which charge there is at a time, and at which time a charge.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from math import inf
from operator import neg
from typing import Protocol

from msgspec import Struct

HALVINGS = 200
"""More than any root of floating-point numbers needs."""


class Decline(Protocol):
    """The charge over time, at one speed, of a battery that was full at time 0."""

    @property
    def duration(self) -> float:
        """When it is empty (s)."""

    def charge_at(self, time: float) -> float:
        """The charge, from 1 to 0, at a time (s)."""

    def time_at(self, charge: float) -> float:
        """When the charge is this (s)."""


class StraightDecline(Struct, frozen=True):
    """A decline in straight pieces.

    Attributes:
        times: of the pieces' ends, from 0 (s)
        charges: there, from 1 to 0
    """

    times: tuple[float, ...]
    charges: tuple[float, ...]

    @property
    def duration(self) -> float:
        """When it is empty (s)."""
        return self.times[-1]

    def charge_at(self, time: float) -> float:
        """The charge at a time (s)."""
        if time >= self.duration:
            return 0.0
        piece = bisect_right(self.times, time) - 1
        start, end = self.times[piece : piece + 2]
        high, low = self.charges[piece : piece + 2]
        return high + (low - high) * (time - start) / (end - start)

    def time_at(self, charge: float) -> float:
        """When the charge is this (s)."""
        if charge <= 0.0:
            return self.duration
        piece = piece_of(self.charges, charge)
        start, end = self.times[piece : piece + 2]
        high, low = self.charges[piece : piece + 2]
        return start + (end - start) * (high - charge) / (high - low)


class SmoothDecline(Struct, frozen=True):
    """A decline in cubic pieces that meet without a bend (Hermite's).

    Attributes:
        times: of the pieces' ends, from 0 (s)
        charges: there, from 1 to 0
        slopes: there (1/s)
    """

    times: tuple[float, ...]
    charges: tuple[float, ...]
    slopes: tuple[float, ...]

    @property
    def duration(self) -> float:
        """When it is empty (s)."""
        return self.times[-1]

    def charge_at(self, time: float) -> float:
        """The charge at a time (s)."""
        if time >= self.duration:
            return 0.0
        piece = bisect_right(self.times, time) - 1
        return self._value(piece, (time - self.times[piece]) / self._length(piece))

    def time_at(self, charge: float) -> float:
        """When the charge is this (s)."""
        if charge <= 0.0:
            return self.duration
        piece = piece_of(self.charges, charge)
        part = falling_root(
            lambda part: self._value(piece, part) - charge, lambda part: self._slope(piece, part), 0.0, 1.0, 0.5
        )
        return self.times[piece] + part * self._length(piece)

    def _length(self, piece: int) -> float:
        return self.times[piece + 1] - self.times[piece]

    def _value(self, piece: int, part: float) -> float:
        """The charge after a part of a piece, from 0 to 1."""
        high, low = self.charges[piece : piece + 2]
        before, after = (slope * self._length(piece) for slope in self.slopes[piece : piece + 2])
        fall = low - high
        return high + part * (
            before + part * (3.0 * fall - 2.0 * before - after + part * (before + after - 2.0 * fall))
        )

    def _slope(self, piece: int, part: float) -> float:
        """Its change per piece there."""
        high, low = self.charges[piece : piece + 2]
        before, after = (slope * self._length(piece) for slope in self.slopes[piece : piece + 2])
        fall = low - high
        return before + part * (2.0 * (3.0 * fall - 2.0 * before - after) + part * 3.0 * (before + after - 2.0 * fall))


def piece_of(charges: Sequence[float], charge: float) -> int:
    """Number of the piece in which a charge above 0 is; at an end of two pieces, of the lower one."""
    return max(0, bisect_right(charges, -charge, key=neg) - 1)


def falling_root(
    value: Callable[[float], float], slope: Callable[[float], float], low: float, high: float, guess: float
) -> float:
    """Where a falling function is 0: Newton's method, in a bracket that it cannot leave.

    Args:
        value, slope: the function and its derivative
        low, high: the bracket; where the function has no zero in it, the nearer end is returned
        guess: in the bracket
    """
    least = 4e-16 * max(abs(low), abs(high))
    at = guess
    for _ in range(HALVINGS):
        miss, fall = value(at), slope(at)
        if miss > 0.0:
            low = at
        elif miss < 0.0:
            high = at
        else:
            return at
        newton = at - miss / fall if fall < 0.0 else inf
        following = newton if low < newton < high else 0.5 * (low + high)
        if abs(following - at) <= least:
            return following
        at = following
    return at


def neighbours(speeds_cm: Sequence[float], speed: float) -> tuple[int, int, float]:
    """Between which of the speeds that were measured another one is.

    A speed beyond all of them counts as the last one, so that nothing is extrapolated.

    Args:
        speeds_cm: that were measured, rising (cm/s)
        speed: of the wheels (m/s)

    Returns:
        numbers of the lower and of the higher one, and which part of the way the speed is between them; where it is one
        of them, that one twice, and 0
    """
    speed_cm = round(100.0 * speed, 9)  # 0.14 m/s are 14 cm/s
    higher = min(bisect_left(speeds_cm, speed_cm), len(speeds_cm) - 1)
    if higher == 0 or speeds_cm[higher] <= speed_cm:
        return higher, higher, 0.0
    low, high = speeds_cm[higher - 1], speeds_cm[higher]
    return higher - 1, higher, (speed_cm - low) / (high - low)
