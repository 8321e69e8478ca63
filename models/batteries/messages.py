"""What a battery hears and says."""

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


class AskCharge(Struct, frozen=True):
    """A question to a battery: what is the charge now? And tell me, unasked, when it falls to these levels.

    Attributes:
        below: levels, from 0 to 1, that are watched from now on; without any, those before stay

    Raises:
        ModelError: a level is none
    """

    below: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not all(0.0 <= level <= 1.0 for level in self.below):
            raise ModelError(
                f"a battery's charge is from 0 to 1, and AskCharge.below is {self.below}: give such levels"
            )


class Charge(Struct, frozen=True):
    """What is left in a battery.

    Attributes:
        value: from 1, full, to 0, empty
        low: it is not above the highest level that is watched; an empty battery is always low
    """

    value: float
    low: bool = False


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
