"""An e-puck's battery as decision models use it: what its voltage means, and when something is told of it."""

from __future__ import annotations

from collections.abc import Iterator

from devs_robotics.core.robots.epuck2.battery import EMPTY, FULL, RAW_PER_VOLT
from devs_robotics.core.robots.messages import AskCharge, Charge

BACK = 0.01
"""How far a charge must have come back before the same is told again: voltages waver."""


def charge_of(raw: int) -> float:
    """The charge that a raw voltage means, from 1 to 0: as the robot itself tells in percent, within its limits."""
    return min(1.0, max(0.0, (raw / RAW_PER_VOLT - EMPTY) / (FULL - EMPTY)))


class BatteryWatch:
    """Tells what a battery in the environment model tells: when it falls to a level, is empty, or is full again.

    Args:
        charge: at first

    Attributes:
        levels: that are watched; that it is empty always is
    """

    def __init__(self, charge: float) -> None:
        self.levels: set[float] = {0.0}
        self._charge = charge
        self._below: set[float] = set()
        """The levels to which it has fallen, and from which it has not come back."""
        self._full = charge >= 1.0

    def asked(self, question: AskCharge) -> Charge:
        """The charge, as it is now; from now on these levels are watched, too."""
        self.levels.update(question.below)
        self._below.update(level for level in question.below if self._charge <= level)
        return self._told()

    def read(self, charge: float) -> Iterator[Charge]:
        """A reading has come; what there is to tell of it."""
        self._charge = charge
        self._below = {level for level in self._below if charge < level + BACK}
        fallen = {level for level in self.levels if charge <= level} - self._below
        self._below |= fallen
        was_full, self._full = self._full, charge >= 1.0 or (self._full and charge > 1.0 - BACK)
        if fallen or (self._full and not was_full):
            yield self._told()

    def _told(self) -> Charge:
        return Charge(self._charge, self._charge <= max(self.levels))
