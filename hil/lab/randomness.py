"""Random numbers of the lab: one seed, and one independent stream for each robot and purpose."""

from __future__ import annotations

from zlib import crc32

from numpy.random import PCG64, Generator, SeedSequence


class ErrorStream:
    """Random numbers of one robot for one purpose; another robot or purpose never shifts them.

    Args:
        seed: of the lab
        robot: number of the robot
        purpose: for instance ``"stretch"``
    """

    def __init__(self, seed: int, robot: int, purpose: str) -> None:
        self._generator = Generator(PCG64(SeedSequence(seed, spawn_key=(robot, crc32(purpose.encode())))))

    def either_way(self, largest: float) -> float:
        """The next number, uniform from -largest to largest."""
        return float(self._generator.uniform(-largest, largest)) if largest else 0.0

    def up_to(self, largest: float) -> float:
        """The next number, uniform from 0 to largest."""
        return float(self._generator.uniform(0.0, largest)) if largest else 0.0

    def normal(self, deviation: float) -> float:
        """The next number, normal with this standard deviation."""
        return float(self._generator.normal(0.0, deviation)) if deviation else 0.0
