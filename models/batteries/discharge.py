"""What all discharge models have in common."""

from __future__ import annotations

from abc import abstractmethod

from msgspec import Struct

from devs_robotics.models.batteries.decline import Decline


class Discharge(Struct, frozen=True):
    """How a battery's charge, from 1 to 0, falls with the speed of its robot's wheels.

    The speed is that of the wheels, not of the robot's centre, which does not move while it rotates in place: the mean
    of both wheels' speeds without their signs (m/s).
    """

    @abstractmethod
    def decline(self, speed: float) -> Decline:
        """The charge over time while the wheels keep a speed (m/s)."""

    def charge_after(self, charge: float, speed: float, seconds: float) -> float:
        """The charge after a time; at least 0.

        Args:
            charge: at first
            speed: of the wheels, all the time (m/s)
            seconds: that pass
        """
        if seconds <= 0.0:
            return charge
        decline = self.decline(speed)
        return max(0.0, min(charge, decline.charge_at(decline.time_at(charge) + seconds)))

    def seconds_until(self, charge: float, level: float, speed: float) -> float:
        """How long it takes until the charge has fallen to a level (s); 0 if it has.

        Args:
            charge: at first
            level: of the charge
            speed: of the wheels, all the time (m/s)
        """
        if charge <= level:
            return 0.0
        decline = self.decline(speed)
        return max(0.0, decline.time_at(level) - decline.time_at(charge))
