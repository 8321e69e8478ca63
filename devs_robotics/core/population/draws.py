"""Random numbers by (seed, robot, purpose, n): each has a place of its own, one by one and in arrays the same bits.

Number n of robot i is word ``n % 4`` of a block of Philox4x64-10 (Salmon and others, SC 2011, "Parallel random
numbers: as easy as 1, 2, 3") with the counter ``(i + 1, n // 4, seed, 0)`` and the key ``(crc32(purpose), 0)``. Its
upper 53 bits make a number from 0 up to, and without, 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 64) - 1
_MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
_WEYL = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
_ROUNDS = 10
_UNIT = 2.0**-53

KEPT = 16
"""How many numbers of each robot are made ahead in arrays."""

FEW = 7
"""A robot that has fewer numbers left gets further ones when another has none."""

_PIECE = 4096
"""Robots whose numbers are made at once, so that the arrays stay in the processor's cache."""

Words = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]


class Draw:
    """Random numbers of one robot and purpose, uniform in [0, 1): calling it gives the next one.

    Args:
        seed: of the run, below 2^64
        robot: its number
        what: the purpose
    """

    __slots__ = ("_block", "_key", "drawn", "robot", "seed", "what")

    def __init__(self, seed: int, robot: int, what: str) -> None:
        self.seed = seed
        self.robot = robot
        self.what = what
        self.drawn = 0
        self._key = crc32(what.encode())
        self._block: tuple[int, int, int, int] = (0, 0, 0, 0)

    def __call__(self) -> float:
        """The next number."""
        number = self.drawn
        self.drawn = number + 1
        if not number & 3:
            self._block = philox((self.robot + 1, number >> 2, self.seed, 0), (self._key, 0))
        return (self._block[number & 3] >> 11) * _UNIT


class DrawArray:
    """The numbers of many robots' `Draw`s of one purpose: calling it with robots' places gives the next one of each.

    Args:
        draws: of the robots, in the order of their places; none may have been called
        counts: how many robots, whose numbers follow on each other, each of these stands for; None: for one
    """

    def __init__(self, draws: Sequence[Draw], counts: Sequence[int] | None = None) -> None:
        each = np.ones(len(draws), np.int64) if counts is None else np.array(counts, np.int64)
        total = int(each.sum())
        firsts = np.array([draw.robot + 1 for draw in draws], np.int64)
        behind = np.arange(total) - np.repeat(np.cumsum(each) - each, each)
        self._robots = (np.repeat(firsts, each) + behind).astype(np.uint64)
        self._seeds = np.repeat(np.array([draw.seed for draw in draws], np.uint64), each)
        self._key = np.uint64(draws[0]._key) if draws else np.uint64(0)
        self._drawn = np.zeros(total, np.int64)
        self._made = np.zeros(total, np.int64)
        self._kept = np.empty((total, KEPT))

    def __call__(self, who: NDArray[np.int64]) -> NDArray[np.float64]:
        """The next number of each of these robots, by their places; each of them once."""
        drawn = self._drawn[who]
        self._drawn[who] = drawn + 1
        if (drawn >= self._made[who]).any():
            self._make_more()
        kept: NDArray[np.float64] = self._kept[who, drawn % KEPT]
        return kept

    def _make_more(self) -> None:
        """Two blocks for all robots that have few numbers left; numbers that were drawn are written over."""
        few = np.flatnonzero(self._made - self._drawn < FEW)
        for first in range(0, few.size, _PIECE):
            piece = few[first : first + _PIECE]
            for _ in range(2):
                made = self._made[piece]
                zeros = np.zeros(piece.size, np.uint64)
                blocks = (made >> 2).astype(np.uint64)
                words = philox_arrays((self._robots[piece], blocks, self._seeds[piece], zeros), self._key)
                for word, column in enumerate(words):
                    self._kept[piece, made % KEPT + word] = (column >> np.uint64(11)) * _UNIT
                self._made[piece] = made + 4


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """One block of Philox4x64-10."""
    a, b, c, d = counter
    first, second = key
    for _ in range(_ROUNDS):
        one, other = _MULTIPLIERS[0] * a, _MULTIPLIERS[1] * c
        a, b, c, d = (other >> 64) ^ b ^ first, other & _MASK, (one >> 64) ^ d ^ second, one & _MASK
        first, second = (first + _WEYL[0]) & _MASK, (second + _WEYL[1]) & _MASK
    return a, b, c, d


def philox_arrays(counter: Words, key: np.uint64) -> Words:
    """The same of many counters, and one key whose second word is 0."""
    a, b, c, d = counter
    first, second = key, np.uint64(0)
    with np.errstate(over="ignore"):  # it is meant to wrap
        for _ in range(_ROUNDS):
            high, low = _product(_MULTIPLIERS[0], a)
            other_high, other_low = _product(_MULTIPLIERS[1], c)
            a, b, c, d = other_high ^ b ^ first, other_low, high ^ d ^ second, low
            first, second = first + np.uint64(_WEYL[0]), second + np.uint64(_WEYL[1])
    return a, b, c, d


def _product(factor: int, values: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The upper and the lower 64 bits of products, made of products of halves."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    upper, lower = np.uint64(factor >> 32), np.uint64(factor & 0xFFFFFFFF)
    values_upper, values_lower = values >> half, values & mask
    carry = upper * values_lower + ((lower * values_lower) >> half)
    cross = lower * values_upper + (carry & mask)
    return upper * values_upper + (carry >> half) + (cross >> half), np.uint64(factor) * values
