"""Named random streams: one seed per run, one independent stream for each (who, what)."""

from __future__ import annotations

from zlib import crc32

_BLOCK = 256
"""Number of random numbers that are drawn at once."""


class Stream:
    """A stream of random numbers that belongs to one thing and one purpose.

    Adding a robot or a sensor never shifts the numbers of another, so two settings can be compared under common
    random numbers.

    Args:
        seed: the run's seed
        who: number of the robot, or 0 for what belongs to no robot
        what: purpose, for instance ``"motion"``
    """

    def __init__(self, seed: int, who: int, what: str) -> None:
        from numpy.random import PCG64, Generator, SeedSequence  # slow to load, and not every model is random

        self._generator = Generator(PCG64(SeedSequence(seed, spawn_key=(who, crc32(what.encode())))))
        self._block: list[float] = []

    def uniform(self) -> float:
        """The next number, uniform in [-1, 1)."""
        if not self._block:  # numpy is fast by the block and slow by the number
            self._block = (2.0 * self._generator.random(_BLOCK) - 1.0).tolist()
            self._block.reverse()
        return self._block.pop()

    @property
    def left(self) -> int:
        """How many numbers are left of those that were drawn at once: another after each draw."""
        return len(self._block)
