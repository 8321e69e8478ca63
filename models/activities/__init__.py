"""Virtual sensors and actuators: activities that are answered by the environment model."""

from models.activities.infrared import VirtualInfrared
from models.activities.motor import VirtualMotor
from models.activities.whiskers import VirtualWhiskers

__all__ = ["VirtualInfrared", "VirtualMotor", "VirtualWhiskers"]
