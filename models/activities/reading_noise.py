"""Noise of sensors' readings: drawn by robot, sensor and tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from devs_robotics import ModelError
from devs_robotics.core.noise_by_tick import key, uniform, uniforms

if TYPE_CHECKING:
    from numpy import float64, uint64
    from numpy.typing import NDArray

EARLY = 1e-6
"""Part of a tick by which it counts before it begins, so that rounding of times does not show."""


class ReadingNoise(Struct, frozen=True):
    """Uniform noise that is added to every reading, as a share of the largest one, before limits are taken (ARGoS).

    Each tick of each sensor has a number of its own, so that a tick at which nobody looks shifts no other. A reading
    changes at every tick, also where nothing is to be seen: a watch with noise looks at every point of its raster.

    Attributes:
        level: the largest error, as a share of the largest reading
        seed: of the run
        tick: length of a tick (s)
    """

    level: float
    seed: int
    tick: float = 0.1

    def __post_init__(self) -> None:
        if not (0.0 <= self.level <= 1.0 and self.tick > 0.0):
            raise ModelError(
                f"noise of readings has a level from 0 to 1 and a tick above 0 s, not {self.level!r} and {self.tick!r}"
            )

    def keys(self, robot: int, what: str, sensors: int) -> tuple[int, ...]:
        """One key per sensor of a kind."""
        return tuple(key(self.seed, robot, f"{what} noise", sensor) for sensor in range(sensors))

    def errors(self, keys: tuple[int, ...], time: float) -> tuple[float, ...]:
        """What is added to the readings at a time (s), as shares of the largest one."""
        tick = self._tick(time)
        return tuple([self.level * uniform(each, tick) for each in keys])

    def errors_of_all(self, keys: NDArray[uint64], time: float) -> NDArray[float64]:
        """The same for keys of any shape at once."""
        return self.level * uniforms(keys, self._tick(time))

    def _tick(self, time: float) -> int:
        return int(time / self.tick + EARLY)
