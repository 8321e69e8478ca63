"""What a battery hears from its robot and its charger; what decision models say to it stands with their messages."""

from __future__ import annotations

from math import inf

from msgspec import Struct

from devs_robotics import ModelError


class WheelSpeed(Struct, frozen=True):
    """How fast a robot's wheels turn from now on.

    Attributes:
        value: mean of both wheels' speeds without their signs (m/s); in rotation on the spot it is not 0

    Raises:
        ModelError: it is no speed
    """

    value: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.value < inf:
            raise ModelError(f"the speed of wheels must be 0 m/s or more, without a sign, not {self.value!r}")


class Recharge(Struct, frozen=True):
    """A battery is charged from now on, or no longer.

    Attributes:
        rate: at which the charge rises, whatever the robot uses meanwhile (1/s); 0: no longer

    Raises:
        ModelError: it is no rate
    """

    rate: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.rate < inf:
            raise ModelError(
                f"Recharge.rate must be 0 or more (1/s), not {self.rate!r}: a battery discharges by itself"
            )
