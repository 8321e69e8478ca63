"""Linear discharge: one slope per measured speed, and others between them (Stolfi & Danoy, Algorithm 2)."""

from __future__ import annotations

from devs_robotics.models.batteries.checks import check_falling, check_speeds
from devs_robotics.models.batteries.decline import StraightDecline, neighbours
from devs_robotics.models.batteries.discharge import Discharge


class LinearDischarge(Discharge, frozen=True, forbid_unknown_fields=True):
    """The charge falls at a rate that depends on the speed alone.

    Between two measured speeds the rate is m_L + w (m_H - m_L), where w grows from 0 at the lower speed to 1 at the
    higher one. The published algorithm has it the other way round where the lower speed discharges faster.

    Attributes:
        speeds_cm: that were measured, rising (cm/s)
        slopes: of these speeds (1/s)

    Raises:
        ModelError: there is no speed, they do not rise, or a slope does not fall
    """

    speeds_cm: tuple[float, ...]
    slopes: tuple[float, ...]

    def __post_init__(self) -> None:
        check_speeds(self.speeds_cm, len(self.slopes))
        for speed_cm, slope in zip(self.speeds_cm, self.slopes, strict=True):
            check_falling(f"at {speed_cm:g} cm/s", slope)

    def decline(self, speed: float) -> StraightDecline:
        """The charge over time while the wheels keep a speed (m/s)."""
        lower, higher, weight = neighbours(self.speeds_cm, speed)
        slope = (1.0 - weight) * self.slopes[lower] + weight * self.slopes[higher]
        return StraightDecline((0.0, -1.0 / slope), (1.0, 0.0))
