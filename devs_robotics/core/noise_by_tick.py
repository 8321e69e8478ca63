"""Noise by (robot, sensor, tick): each has a number of its own, which no other draw can shift.

A tick that nobody looks at costs nothing and changes nothing, so that predicting what is sensed and looking at every
tick see the same noise. The generator is SplitMix64 (Steele, Lea and Flood, 2014), which can be asked for its n-th
number; each key begins a sequence of its own. One by one and in arrays the numbers are the same to the last bit.
"""

from __future__ import annotations

from math import cos, log, pi, sqrt
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from numpy import float64, int64, uint64
    from numpy.typing import NDArray

_ODD, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_BITS = (1 << 64) - 1
_UNIT = 2.0**-52
"""What one of 2^53 whole numbers makes of the way from -1 to 1."""


def key(seed: int, robot: int, what: str, sensor: int = 0) -> int:
    """Where a sensor's sequence begins, 64 bits: made once, as `core.streams.Stream` is.

    Args:
        seed: of the run
        robot: its number
        what: kind of the noise, for instance ``"proximity noise"``
        sensor: its number among the robot's sensors of that kind
    """
    from numpy import uint64
    from numpy.random import SeedSequence

    return int(SeedSequence(seed, spawn_key=(robot, crc32(what.encode()), sensor)).generate_state(1, uint64)[0])


def uniform(key: int, tick: int) -> float:
    """The number of a tick (0, 1, ...), uniform in [-1, 1)."""
    return (_mixed(key, tick) >> 11) * _UNIT - 1.0


def uniforms(keys: NDArray[uint64], ticks: NDArray[int64] | int) -> NDArray[float64]:
    """The same for many keys and ticks at once, of shapes that numpy can bring together."""
    import numpy as np

    with np.errstate(over="ignore"):  # it is meant to wrap
        state = np.asarray(keys, np.uint64) + (np.asarray(ticks).astype(np.uint64) + np.uint64(1)) * np.uint64(_ODD)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(_FIRST)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(_SECOND)
    state ^= state >> np.uint64(31)
    numbers: NDArray[float64] = (state >> np.uint64(11)).astype(np.float64) * _UNIT - 1.0
    return numbers


def normal(key: int, tick: int) -> float:
    """The number of a tick, normal with mean 0 and standard deviation 1 (Box and Muller).

    It is made of two uniform ones, those of the ticks 2n and 2n + 1: use another key for uniform ones.
    """
    one = (_mixed(key, 2 * tick) >> 11) + 1
    other = _mixed(key, 2 * tick + 1) >> 11
    return sqrt(-2.0 * log(one * 2.0**-53)) * cos(2.0 * pi * (other * 2.0**-53))


def _mixed(key: int, tick: int) -> int:
    state = (key + (tick + 1) * _ODD) & _BITS
    state = ((state ^ (state >> 30)) * _FIRST) & _BITS
    state = ((state ^ (state >> 27)) * _SECOND) & _BITS
    return state ^ (state >> 31)
