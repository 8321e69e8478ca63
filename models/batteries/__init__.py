"""Batteries: how their charge falls with the speed of the wheels, and the equipment that tells of it.

After Stolfi and Danoy's four discharge models of the e-puck2, with corrections that each module names.
"""

from devs_robotics import AskCharge, Charge
from devs_robotics.models.batteries.approximated import ApproximatedDischarge
from devs_robotics.models.batteries.battery import Battery
from devs_robotics.models.batteries.charger import AskCharger, Charger
from devs_robotics.models.batteries.coefficients import (
    DISCHARGES,
    Coefficients,
    CoefficientsError,
    DischargeName,
    read,
    read_coefficients,
    shipped,
)
from devs_robotics.models.batteries.cubic import CubicDischarge
from devs_robotics.models.batteries.curves import Curve
from devs_robotics.models.batteries.discharge import Discharge
from devs_robotics.models.batteries.linear import LinearDischarge
from devs_robotics.models.batteries.messages import Recharge, WheelSpeed
from devs_robotics.models.batteries.simple import SimpleDischarge
from devs_robotics.models.batteries.wheels import TurningWheels

__all__ = [
    "DISCHARGES",
    "ApproximatedDischarge",
    "AskCharge",
    "AskCharger",
    "Battery",
    "Charge",
    "Charger",
    "Coefficients",
    "CoefficientsError",
    "CubicDischarge",
    "Curve",
    "Discharge",
    "DischargeName",
    "LinearDischarge",
    "Recharge",
    "SimpleDischarge",
    "TurningWheels",
    "WheelSpeed",
    "read",
    "read_coefficients",
    "shipped",
]
