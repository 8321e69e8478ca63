"""What the battery's voltage is on the wire, and in percent."""

from __future__ import annotations

from devs_robotics.core.robots.epuck2.battery import EMPTY, FULL, KEPT, RAW_PER_VOLT


def raw(volts: float) -> int:
    """The raw value of 12 bits."""
    return round(min(4095.0, max(0.0, RAW_PER_VOLT * volts)))


def percent(volts: float) -> float:
    """How full the robot says that it is (%); beyond 0 and 100 for voltages beyond its limits."""
    return 100.0 * (volts - EMPTY) / (FULL - EMPTY)


def smoothed(before: float, now: float) -> float:
    """The value that follows one before it, when this one has been measured."""
    return KEPT * before + (1.0 - KEPT) * now
