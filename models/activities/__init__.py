"""Virtual sensors and actuators, answered by the environment model; real ones, and ones in the loop.

A real sensor is the robot's `Device` itself, which offers the same services.
"""

from devs_robotics.models.activities.camera import VirtualCamera
from devs_robotics.models.activities.encoders import VirtualEncoders
from devs_robotics.models.activities.ground import VirtualGround, VirtualGroundWatch
from devs_robotics.models.activities.guard import Guard
from devs_robotics.models.activities.hardware import HardwareActivity
from devs_robotics.models.activities.inertial import VirtualInertial
from devs_robotics.models.activities.infrared import LoopInfrared, VirtualInfrared
from devs_robotics.models.activities.leds import VirtualLeds
from devs_robotics.models.activities.light import VirtualLight, VirtualLightWatch
from devs_robotics.models.activities.motor import Follows, HardwareMotor, LoopMotor, VirtualMotor
from devs_robotics.models.activities.proximity import (
    LoopProximity,
    LoopProximityWatch,
    VirtualProximity,
    VirtualProximityWatch,
)
from devs_robotics.models.activities.radio import VirtualRadio
from devs_robotics.models.activities.range_and_bearing import VirtualBroadcast, VirtualRangeAndBearing
from devs_robotics.models.activities.reading import Elements, VirtualReading, VirtualWatch
from devs_robotics.models.activities.reading_noise import ReadingNoise
from devs_robotics.models.activities.time_of_flight import VirtualTimeOfFlight, VirtualTimeOfFlightWatch
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.activities.wheels import HardwareWheels, VirtualWheels
from devs_robotics.models.activities.whiskers import VirtualWhiskers

__all__ = [
    "Elements",
    "Follows",
    "Guard",
    "HardwareActivity",
    "HardwareMotor",
    "HardwareWheels",
    "LoopInfrared",
    "LoopMotor",
    "LoopProximity",
    "LoopProximityWatch",
    "ReadingNoise",
    "VirtualActivity",
    "VirtualBroadcast",
    "VirtualCamera",
    "VirtualEncoders",
    "VirtualGround",
    "VirtualGroundWatch",
    "VirtualInertial",
    "VirtualInfrared",
    "VirtualLeds",
    "VirtualLight",
    "VirtualLightWatch",
    "VirtualMotor",
    "VirtualProximity",
    "VirtualProximityWatch",
    "VirtualRadio",
    "VirtualRangeAndBearing",
    "VirtualReading",
    "VirtualTimeOfFlight",
    "VirtualTimeOfFlightWatch",
    "VirtualWatch",
    "VirtualWheels",
    "VirtualWhiskers",
]
