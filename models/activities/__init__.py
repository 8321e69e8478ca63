"""Virtual sensors and actuators, answered by the environment model; real motors, and motors in the loop.

A real sensor is the robot's `Device` itself, which offers the same services.
"""

from models.activities.guard import Guard
from models.activities.infrared import VirtualInfrared
from models.activities.motor import Follows, HardwareMotor, LoopMotor, VirtualMotor
from models.activities.whiskers import VirtualWhiskers

__all__ = [
    "Follows",
    "Guard",
    "HardwareMotor",
    "LoopMotor",
    "VirtualInfrared",
    "VirtualMotor",
    "VirtualWhiskers",
]
