"""The battery of a stand-in: how its charge goes on, and what its voltage reads."""

from __future__ import annotations

from math import hypot

from devs_robotics.core.robots.epuck2.battery import AT_REST, EMPTY, FULL, MOVING, RAW_PER_VOLT
from devs_robotics.hil.lab.surroundings import Surroundings

VOLTS = 4.0
"""Of a robot whose battery does not matter: the voltage stays so (V)."""


class LabBattery:
    """A battery that discharges as an e-puck2's was measured to, at one rate in motion and at another at rest.

    At rest in a charger it is charged instead. Its voltage falls evenly with its charge, to the one that counts as 0 %.

    Args:
        surroundings: the place of its robot in the lab
    """

    def __init__(self, surroundings: Surroundings) -> None:
        self._place = surroundings
        self._charge = surroundings.plan.charge
        self._moving = False
        self._since = surroundings.now

    def turns(self, moving: bool) -> None:
        """Wheels turn from now on, or none does."""
        self._pass()
        self._moving = moving

    @property
    def charge(self) -> float:
        """How full it is, from 1 to 0; 1 where that does not matter."""
        self._pass()
        return 1.0 if self._charge is None else self._charge

    @property
    def raw(self) -> int:
        """The raw value of its voltage."""
        return round(RAW_PER_VOLT * self._volts)

    @property
    def percent(self) -> int:
        """How full the robot says that it is (%)."""
        return round(100.0 * (self._volts - EMPTY) / (FULL - EMPTY))

    @property
    def _volts(self) -> float:
        self._pass()
        return VOLTS if self._charge is None else EMPTY + (FULL - EMPTY) * self._charge

    def _pass(self) -> None:
        """Let time pass until now."""
        passed, self._since = self._place.now - self._since, self._place.now
        if self._charge is not None:
            rate = MOVING if self._moving else (self._charging or AT_REST)
            self._charge = min(1.0, max(0.0, self._charge + rate * passed))

    @property
    def _charging(self) -> float:
        """At which rate it is charged where its robot stands (1/s)."""
        body = self._place.body
        return max(
            (at.rate for at in self._place.lab.chargers if hypot(at.x - body.x, at.y - body.y) <= at.radius),
            default=0.0,
        )
