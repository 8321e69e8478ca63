"""What ground sensors read of a floor's colour."""

from __future__ import annotations

from devs_robotics.core.robots.epuck2.ground import LUMA, WHITE


def grey(red: float, green: float, blue: float) -> float:
    """How bright a colour is, from 0 to 1, as its parts are."""
    return LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue


def reading(grey: float, black: float = 0.0, gain: float = 1.0, error: float = 0.0) -> int:
    """What a sensor reads of the floor below it, from 0 to `WHITE`.

    Sensors of real robots differ: black reads more than 0, and no two read the same of the same grey.

    Args:
        grey: of the floor, from 0 (black) to 1
        black: what this sensor reads of black
        gain: how much more it reads of white, as a share of `WHITE`
        error: that noise adds, as a share of `WHITE`
    """
    return round(min(float(WHITE), max(0.0, black + gain * (WHITE * grey) + WHITE * error)))
